//! The benchmarks of `bench/src/egraph` on egg.
//!
//! Protocol: a line on standard input names a benchmark; the answer is one line of JSON on
//! standard output: `{"name", "ms", "eNodes", "eClasses", "iterations", "stop", "peakBytes"}`.
//! The first line of a process is a cold run, later ones are warm. `ms` covers building the
//! e-graph from parsed terms and running the rules; parsing and dropping are outside.

mod lambda;
mod math;
mod prop;

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use egg::{Analysis, Language, Rewrite, Runner};

/// What one run gives.
pub struct Outcome {
    pub elapsed: Duration,
    pub e_nodes: usize,
    pub e_classes: usize,
    pub iterations: usize,
    pub stop: String,
}

/// Far above what any benchmark reaches, so that the limit never binds.
pub const NO_NODE_LIMIT: usize = 1_000_000_000;
const NO_TIME_LIMIT: Duration = Duration::from_secs(3600);

/// A runner without limits other than those the benchmark sets.
pub fn unlimited<L, N>() -> Runner<L, N>
where
    L: Language,
    N: Analysis<L> + Default,
{
    Runner::default()
        .with_node_limit(NO_NODE_LIMIT)
        .with_iter_limit(1_000_000)
        .with_time_limit(NO_TIME_LIMIT)
}

/// Times `build` (the e-graph and its start terms) and the run of `rules`, and counts.
pub fn measure<L, N>(build: impl FnOnce() -> Runner<L, N>, rules: &[Rewrite<L, N>]) -> Outcome
where
    L: Language,
    N: Analysis<L>,
{
    let start = Instant::now();
    let runner = build().run(rules);
    let elapsed = start.elapsed();
    Outcome {
        elapsed,
        e_nodes: runner.egraph.total_number_of_nodes(),
        e_classes: runner.egraph.number_of_classes(),
        iterations: runner.iterations.len(),
        stop: format!("{:?}", runner.stop_reason),
    }
}

fn run(name: &str) -> Option<Outcome> {
    let count = |prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
    if let Some(n) = count("micro-") {
        return Some(math::micro(n));
    }
    if let Some(n) = count("math7-simple-") {
        return Some(math::math7(n, math::Scheduling::Simple));
    }
    if let Some(n) = count("math7-backoff-") {
        return Some(math::math7(n, math::Scheduling::Backoff));
    }
    if let Some(n) = count("ac-") {
        return Some(math::ac(n));
    }
    match name {
        "lambda-fib" => Some(lambda::fib()),
        "lambda-repeat" => Some(lambda::repeat()),
        "prop-contrapositive" => Some(prop::contrapositive()),
        "prop-chain" => Some(prop::chain()),
        "prop-const-fold" => Some(prop::const_fold()),
        _ => None,
    }
}

/// The highest resident size of this process so far, in bytes.
fn peak_bytes() -> u64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    let failed = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) } != 0;
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    if failed { 0 } else { usage.ru_maxrss as u64 * unit }
}

fn main() {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let name = line.trim();
        let Some(it) = run(name) else {
            writeln!(out, "{{\"name\":\"{name}\",\"error\":\"unknown benchmark\"}}").unwrap();
            continue;
        };
        writeln!(
            out,
            "{{\"name\":\"{name}\",\"ms\":{:.6},\"eNodes\":{},\"eClasses\":{},\
             \"iterations\":{},\"stop\":\"{}\",\"peakBytes\":{}}}",
            it.elapsed.as_secs_f64() * 1e3,
            it.e_nodes,
            it.e_classes,
            it.iterations,
            it.stop.replace('"', "'"),
            peak_bytes()
        )
        .unwrap();
        out.flush().unwrap();
    }
}
