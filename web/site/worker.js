// The worker of a page without a server: it runs Trefoil, compiled to WebAssembly.

importScripts('wasm_exec.js');

// Requests wait until Trefoil calls ready, with the function that takes them.
const take = new Promise(resolve => { self.ready = resolve; });
onmessage = async ({ data }) => (await take)(...data);

async function run() {
  const go = new Go();
  const file = await fetch('trefoil.wasm.gz');
  if (!file.ok) throw new Error(`trefoil.wasm.gz: ${file.status} ${file.statusText}`);
  const program = new Response(file.body.pipeThrough(new DecompressionStream('gzip')), { headers: { 'Content-Type': 'application/wasm' } });
  await go.run((await WebAssembly.instantiateStreaming(program, go.importObject)).instance);
  throw new Error('Trefoil has ended');
}

run().catch(reportError); // the page hears of it, and begins a new worker
