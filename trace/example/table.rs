// The table of table.c in Rust, and a trace of invented probes and stores.
//
//     cc -O2 -I.. -c shim.c && rustc -O --edition 2021 -C link-arg=shim.o -o table table.rs
//     ./table game.trace 0.5,2
//     ./table record FILE NODES
use std::ffi::{CStr, CString};
use std::os::raw::{c_char, c_int, c_uint, c_void};

#[repr(C)]
struct Probe { key: u64, depth: c_int, alpha: c_int, beta: c_int, pv: c_int }

#[repr(C)]
struct Stored { key: u64, depth: c_int, bound: c_int, value: c_int, eval: c_int, mov: c_uint, pv: c_int, slot: *mut c_void }

#[repr(C)]
struct Design {
    name: *const c_char,
    eval_bits: c_int,
    raw_keys: c_int,
    reset: extern "C" fn(u64) -> c_int,
    new_search: extern "C" fn(),
    probe: extern "C" fn(&Probe, &mut Stored) -> c_int,
    store: extern "C" fn(&Stored),
}

extern "C" {
    fn trace_open(path: *const c_char, game: *const c_char, mib: u64, note: *const c_char, threads: c_uint) -> *mut c_void;
    fn trace_search(trace: *mut c_void);
    fn trace_clear(trace: *mut c_void);
    fn trace_probe(trace: *mut c_void, thread: c_uint, key: u64, depth: c_int, alpha: c_int, beta: c_int, pv: c_int, hit: c_int, cutoff: c_int);
    fn trace_store(trace: *mut c_void, thread: c_uint, key: u64, depth: c_int, bound: c_int, value: c_int, eval: c_int, mov: c_uint, pv: c_int);
    fn trace_close(trace: *mut c_void) -> *const c_char;
    fn replay_main(argc: c_int, argv: *const *const c_char, design: *const Design) -> c_int;
}

#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Entry { key: u16, mov: u16, value: i16, eval: i16, depth: u8, generation_bound: u8 } // depth is one more, 0 if empty

#[derive(Clone, Copy, Default)]
#[repr(C, align(32))]
struct Cluster([Entry; 3]);

struct Table { clusters: Vec<Cluster>, generation: u8 }

static TABLE: std::sync::Mutex<Table> = std::sync::Mutex::new(Table { clusters: Vec::new(), generation: 0 });

impl Table {
    // The entry of a key, or the one to replace.
    fn entry(&mut self, key: u64) -> &mut Entry {
        let (generation, n) = (self.generation, self.clusters.len());
        let entries = &mut self.clusters[(key as u128 * n as u128 >> 64) as usize].0;
        let value = |e: &Entry| e.depth as i32 - 8 * (generation.wrapping_sub(e.generation_bound >> 2) & 63) as i32;
        let own = entries.iter().position(|e| e.depth == 0 || e.key == key as u16);
        let i = own.unwrap_or_else(|| (0..3).min_by_key(|&i| value(&entries[i])).unwrap());
        &mut entries[i]
    }
}

extern "C" fn reset(bytes: u64) -> c_int {
    let clusters = bytes as usize / std::mem::size_of::<Cluster>() & !1; // even, as in the design
    *TABLE.lock().unwrap() = Table { clusters: vec![Cluster::default(); clusters], generation: 0 };
    1
}

extern "C" fn new_search() {
    let mut t = TABLE.lock().unwrap();
    t.generation = (t.generation + 1) & 63;
}

extern "C" fn probe(node: &Probe, found: &mut Stored) -> c_int {
    let e = *TABLE.lock().unwrap().entry(node.key);
    found.depth = e.depth as c_int - 1;
    found.bound = (e.generation_bound & 3) as c_int;
    found.value = e.value as c_int;
    found.eval = e.eval as c_int;
    (e.depth != 0 && e.key == node.key as u16) as c_int
}

extern "C" fn store(n: &Stored) {
    let mut t = TABLE.lock().unwrap();
    let generation = t.generation;
    let e = t.entry(n.key);
    let same = e.depth != 0 && e.key == n.key as u16;
    if n.mov != 0 || !same {
        e.mov = n.mov as u16;
    }
    if same && n.bound != 3 && e.generation_bound >> 2 == generation && n.depth + 4 <= e.depth as c_int - 1 {
        return;
    }
    *e = Entry {
        key: n.key as u16, mov: e.mov, value: n.value as i16, eval: n.eval as i16,
        depth: (n.depth + 1).min(255) as u8, generation_bound: generation << 2 | n.bound as u8,
    };
}

// The finaliser of splitmix64.
fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D049BB133111EB);
    x ^ x >> 31
}

// Records two searches, as one thread of ttanalysis/testdata/trace.c does.
fn record(path: &CStr, nodes: u64) -> Result<(), String> {
    let bits = |r: u64, from: i32, count: i32| (r >> from & ((1 << count) - 1)) as c_int;
    let trace = unsafe { trace_open(path.as_ptr(), b"none\0".as_ptr().cast(), 3, "a \"note\" \\ ä\0".as_ptr().cast(), 1) };
    if trace.is_null() {
        return Err(std::io::Error::last_os_error().to_string());
    }
    for search in 0..2 {
        unsafe { trace_search(trace) };
        for i in 0..nodes {
            let (key, r) = (search << 48 | i, mix(search << 48 | i));
            let (alpha, hit) = (bits(r, 0, 17) - 65536, bits(r, 26, 1));
            unsafe { trace_probe(trace, 0, key, bits(r, 17, 9) - 100, alpha, alpha + bits(r, 27, 8), bits(r, 35, 1), hit, hit & bits(r, 36, 1)) };
            let r = mix(r);
            let (value, eval) = (bits(r, 11, 17) - 65536, bits(r, 28, 17) - 65536);
            unsafe { trace_store(trace, 0, key, bits(r, 0, 9) - 100, bits(r, 9, 2), value, eval, bits(r, 45, 16) as c_uint, bits(r, 61, 1)) };
        }
        if search == 0 {
            unsafe { trace_clear(trace) };
        }
    }
    let error = unsafe { trace_close(trace) };
    if error.is_null() { Ok(()) } else { Err(unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned()) }
}

fn main() {
    let args: Vec<CString> = std::env::args().map(|a| CString::new(a).unwrap()).collect();
    if args.len() == 4 && args[1].as_bytes() == b"record" {
        if let Err(error) = record(&args[2], args[3].to_str().unwrap().parse().expect("NODES is a number")) {
            eprintln!("{error}");
            std::process::exit(1);
        }
        return;
    }
    let design = Design { name: b"table\0".as_ptr().cast(), eval_bits: 16, raw_keys: 0, reset, new_search, probe, store };
    let argv: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    std::process::exit(unsafe { replay_main(argv.len() as c_int, argv.as_ptr(), &design) });
}
