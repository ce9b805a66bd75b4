import assert from "node:assert";
import test from "node:test";
import { Engine } from "./engine.mjs";

test("an engine that is silent is ended, so that it answers no later question", async () => {
  const engine = new Engine({ name: "cat", cmd: "cat", options: {} }); // it answers each line with that line
  assert.equal(await engine.ask("bestmove 7g7f", "bestmove", 10_000), "bestmove 7g7f");
  await assert.rejects(engine.ask("go infinite", "bestmove", 1), /cat is silent for 1 ms after go infinite/);
  await assert.rejects(engine.ask("bestmove 3c3d", "bestmove", 10_000), /cat is silent/);
});
