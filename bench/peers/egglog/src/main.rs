//! The benchmarks of `bench/src/egraph` that egglog can state: `micro-N` and `ac-n`.
//!
//! The conditions of `math7` ("not known to be zero") and the pruning of constant classes do not
//! hold monotonically, and the capture-avoiding `let` of `lambda` makes names from class ids, so
//! these have no faithful counterpart here.
//!
//! Protocol: a line on standard input names a benchmark; the answer is one line of JSON on
//! standard output: `{"name", "ms", "rows", "peakBytes"}`. `ms` covers the start terms and the
//! run; declarations and rules are read before the clock starts.

use std::io::{BufRead, Write};
use std::time::Instant;

use egglog::EGraph;

/// The allocator of egglog's own command line.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const SORT: &str = "
  (datatype Math
    (Number i64) (Name String)
    (Derivative Math Math) (Integral Math Math)
    (Add Math Math) (Subtract Math Math) (Multiply Math Math) (Divide Math Math)
    (Power Math Math) (Logarithm Math) (Root Math) (Sine Math) (Cosine Math))";

/// The unconditional rules, in the syntax shared with the other side.
const MICRO: [(&str, &str); 24] = [
    ("(+ ?a ?b)", "(+ ?b ?a)"),
    ("(* ?a ?b)", "(* ?b ?a)"),
    ("(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"),
    ("(* ?a (* ?b ?c))", "(* (* ?a ?b) ?c)"),
    ("(- ?a ?b)", "(+ ?a (* -1 ?b))"),
    ("(+ ?a 0)", "?a"),
    ("(* ?a 0)", "0"),
    ("(* ?a 1)", "?a"),
    ("(- ?a ?a)", "0"),
    ("(* ?a (+ ?b ?c))", "(+ (* ?a ?b) (* ?a ?c))"),
    ("(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))"),
    ("(* (pow ?a ?b) (pow ?a ?c))", "(pow ?a (+ ?b ?c))"),
    ("(pow ?x 1)", "?x"),
    ("(pow ?x 2)", "(* ?x ?x)"),
    ("(d ?x (+ ?a ?b))", "(+ (d ?x ?a) (d ?x ?b))"),
    ("(d ?x (* ?a ?b))", "(+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))"),
    ("(d ?x (sin ?x))", "(cos ?x)"),
    ("(d ?x (cos ?x))", "(* -1 (sin ?x))"),
    ("(i 1 ?x)", "?x"),
    ("(i (cos ?x) ?x)", "(sin ?x)"),
    ("(i (sin ?x) ?x)", "(* -1 (cos ?x))"),
    ("(i (+ ?f ?g) ?x)", "(+ (i ?f ?x) (i ?g ?x))"),
    ("(i (- ?f ?g) ?x)", "(- (i ?f ?x) (i ?g ?x))"),
    ("(i (* ?a ?b) ?x)", "(- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))"),
];

const AC: [(&str, &str); 2] =
    [("(+ ?a ?b)", "(+ ?b ?a)"), ("(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)")];

/// The start terms MATH7, in the order in which they are added.
const MATH7: [&str; 7] = [
    "(i (ln x) x)",
    "(i (+ x (cos x)) x)",
    "(i (* (cos x) x) x)",
    "(d x (+ 1 (* 2 x)))",
    "(d x (- (pow x 3) (* 7 (pow x 2))))",
    "(+ (* y (+ x y)) (- (+ x 2) (+ x x)))",
    "(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))",
];

/// One token of the shared syntax in egglog's; `head` says whether it follows a parenthesis.
fn token(word: &str, head: bool) -> String {
    if head {
        let name = match word {
            "d" => "Derivative",
            "i" => "Integral",
            "+" => "Add",
            "-" => "Subtract",
            "*" => "Multiply",
            "/" => "Divide",
            "pow" => "Power",
            "ln" => "Logarithm",
            "sqrt" => "Root",
            "sin" => "Sine",
            "cos" => "Cosine",
            _ => panic!("unknown operator {word}"),
        };
        return name.to_string();
    }
    if let Some(variable) = word.strip_prefix('?') {
        return variable.to_string();
    }
    match word.parse::<i64>() {
        Ok(number) => format!("(Number {number})"),
        Err(_) => format!("(Name \"{word}\")"),
    }
}

/// A term or pattern of the shared syntax in egglog's.
fn translate(text: &str) -> String {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut out = String::new();
    let mut head = false;
    for word in spaced.split_whitespace() {
        match word {
            "(" | ")" => out.push_str(word),
            _ => out.push_str(&token(word, head)),
        }
        head = word == "(";
        if !head {
            out.push(' ');
        }
    }
    out
}

fn program(rules: &[(&str, &str)]) -> String {
    let rewrites = rules
        .iter()
        .map(|(left, right)| format!("(rewrite {} {})\n", translate(left), translate(right)));
    format!("{SORT}\n{}", rewrites.collect::<String>())
}

fn run(name: &str) -> Option<(f64, usize)> {
    let (rules, terms, schedule) = if let Some(n) = name.strip_prefix("micro-") {
        let rounds: usize = n.parse().ok()?;
        let terms: Vec<String> = MATH7.iter().map(|t| translate(t)).collect();
        (program(&MICRO), terms, format!("(run {rounds})"))
    } else if let Some(n) = name.strip_prefix("ac-") {
        let n: usize = n.parse().ok()?;
        let term = (1..n).rev().fold(n.to_string(), |rest, k| format!("(+ {k} {rest})"));
        (program(&AC), vec![translate(&term)], "(run-schedule (saturate (run)))".to_string())
    } else {
        return None;
    };
    let mut egraph = EGraph::new(1);
    egraph.parse_and_run_program(None, &rules).expect("the rules are well formed");
    let body = format!("{}\n{schedule}", terms.join("\n"));
    let start = Instant::now();
    egraph.parse_and_run_program(None, &body).expect("the benchmark runs");
    let ms = start.elapsed().as_secs_f64() * 1e3;
    Some((ms, egraph.num_tuples()))
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
        match run(name) {
            None => writeln!(out, "{{\"name\":\"{name}\",\"error\":\"unknown benchmark\"}}"),
            Some((ms, rows)) => writeln!(
                out,
                "{{\"name\":\"{name}\",\"ms\":{ms:.6},\"rows\":{rows},\"peakBytes\":{}}}",
                peak_bytes()
            ),
        }
        .unwrap();
        out.flush().unwrap();
    }
}
