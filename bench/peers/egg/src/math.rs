//! Arithmetic, derivatives and integrals: `micro-N`, `math7-*` and `ac-n`.

use egg::{
    define_language, merge_option, Analysis, ConditionalApplier, DidMerge, EGraph, Id, Language,
    Pattern, RecExpr, Rewrite, SimpleScheduler, Subst, Symbol, Var,
};
use ordered_float::NotNan;

use crate::{measure, unlimited, Outcome};

type Number = NotNan<f64>;

define_language! {
    pub enum Math {
        "d" = Derivative([Id; 2]),
        "i" = Integral([Id; 2]),
        "+" = Add([Id; 2]),
        "-" = Subtract([Id; 2]),
        "*" = Multiply([Id; 2]),
        "/" = Divide([Id; 2]),
        "pow" = Power([Id; 2]),
        "ln" = Logarithm(Id),
        "sqrt" = Root(Id),
        "sin" = Sine(Id),
        "cos" = Cosine(Id),
        Number(Number),
        Name(Symbol),
    }
}

/// Constant folding; a class known to be constant keeps its leaves only.
#[derive(Default)]
pub struct Folding;

impl Analysis<Math> for Folding {
    type Data = Option<Number>;

    fn make(egraph: &mut EGraph<Math, Self>, node: &Math, _id: Id) -> Self::Data {
        let of = |id: &Id| egraph[*id].data;
        match node {
            Math::Number(n) => Some(*n),
            Math::Add([a, b]) => Some(of(a)? + of(b)?),
            Math::Subtract([a, b]) => Some(of(a)? - of(b)?),
            Math::Multiply([a, b]) => Some(of(a)? * of(b)?),
            Math::Divide([a, b]) => {
                let divisor = of(b)?;
                if *divisor == 0.0 { None } else { Some(of(a)? / divisor) }
            }
            _ => None,
        }
    }

    fn merge(&mut self, to: &mut Self::Data, from: Self::Data) -> DidMerge {
        merge_option(to, from, |a, b| {
            assert_eq!(*a, b, "two different constants became equal");
            DidMerge(false, false)
        })
    }

    fn modify(egraph: &mut EGraph<Math, Self>, id: Id) {
        if let Some(value) = egraph[id].data {
            let leaf = egraph.add(Math::Number(value));
            egraph.union(id, leaf);
            egraph[id].nodes.retain(Language::is_leaf);
        }
    }
}

/// What a rule asks of its variables before it fires.
enum When {
    Always,
    /// None of these is known to be zero.
    NotZero(&'static [&'static str]),
    /// The variable is a symbol.
    Name(&'static str),
    /// The first is a symbol; the second differs from it and is a constant or a symbol.
    NameAndOther(&'static str, &'static str),
    /// The variable is a constant.
    Constant(&'static str),
}

/// A rule: name, left, right, condition, and whether it is one of `micro`.
type Row = (&'static str, &'static str, &'static str, When, bool);

#[rustfmt::skip]
fn table() -> Vec<Row> {
    use When::*;
    vec![
        ("comm-add",      "(+ ?a ?b)",                       "(+ ?b ?a)",                     Always, true),
        ("comm-mul",      "(* ?a ?b)",                       "(* ?b ?a)",                     Always, true),
        ("assoc-add",     "(+ ?a (+ ?b ?c))",                "(+ (+ ?a ?b) ?c)",              Always, true),
        ("assoc-mul",     "(* ?a (* ?b ?c))",                "(* (* ?a ?b) ?c)",              Always, true),
        ("sub-canon",     "(- ?a ?b)",                       "(+ ?a (* -1 ?b))",              Always, true),
        ("div-canon",     "(/ ?a ?b)",                       "(* ?a (pow ?b -1))",            NotZero(&["?b"]), false),
        ("zero-add",      "(+ ?a 0)",                        "?a",                            Always, true),
        ("zero-mul",      "(* ?a 0)",                        "0",                             Always, true),
        ("one-mul",       "(* ?a 1)",                        "?a",                            Always, true),
        ("add-zero",      "?a",                              "(+ ?a 0)",                      Always, false),
        ("mul-one",       "?a",                              "(* ?a 1)",                      Always, false),
        ("cancel-sub",    "(- ?a ?a)",                       "0",                             Always, true),
        ("cancel-div",    "(/ ?a ?a)",                       "1",                             NotZero(&["?a"]), false),
        ("distribute",    "(* ?a (+ ?b ?c))",                "(+ (* ?a ?b) (* ?a ?c))",       Always, true),
        ("factor",        "(+ (* ?a ?b) (* ?a ?c))",         "(* ?a (+ ?b ?c))",              Always, true),
        ("pow-mul",       "(* (pow ?a ?b) (pow ?a ?c))",     "(pow ?a (+ ?b ?c))",            Always, true),
        ("pow0",          "(pow ?x 0)",                      "1",                             NotZero(&["?x"]), false),
        ("pow1",          "(pow ?x 1)",                      "?x",                            Always, true),
        ("pow2",          "(pow ?x 2)",                      "(* ?x ?x)",                     Always, true),
        ("pow-recip",     "(pow ?x -1)",                     "(/ 1 ?x)",                      NotZero(&["?x"]), false),
        ("recip-mul-div", "(* ?x (/ 1 ?x))",                 "1",                             NotZero(&["?x"]), false),
        ("d-variable",    "(d ?x ?x)",                       "1",                             Name("?x"), false),
        ("d-constant",    "(d ?x ?c)",                       "0",                             NameAndOther("?x", "?c"), false),
        ("d-add",         "(d ?x (+ ?a ?b))",                "(+ (d ?x ?a) (d ?x ?b))",       Always, true),
        ("d-mul",         "(d ?x (* ?a ?b))",                "(+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))", Always, true),
        ("d-sin",         "(d ?x (sin ?x))",                 "(cos ?x)",                      Always, true),
        ("d-cos",         "(d ?x (cos ?x))",                 "(* -1 (sin ?x))",               Always, true),
        ("d-ln",          "(d ?x (ln ?x))",                  "(/ 1 ?x)",                      NotZero(&["?x"]), false),
        ("d-power",       "(d ?x (pow ?f ?g))",
            "(* (pow ?f ?g) (+ (* (d ?x ?f) (/ ?g ?f)) (* (d ?x ?g) (ln ?f))))",             NotZero(&["?f", "?g"]), false),
        ("i-one",         "(i 1 ?x)",                        "?x",                            Always, true),
        ("i-power-const", "(i (pow ?x ?c) ?x)",              "(/ (pow ?x (+ ?c 1)) (+ ?c 1))", Constant("?c"), false),
        ("i-cos",         "(i (cos ?x) ?x)",                 "(sin ?x)",                      Always, true),
        ("i-sin",         "(i (sin ?x) ?x)",                 "(* -1 (cos ?x))",               Always, true),
        ("i-sum",         "(i (+ ?f ?g) ?x)",                "(+ (i ?f ?x) (i ?g ?x))",       Always, true),
        ("i-dif",         "(i (- ?f ?g) ?x)",                "(- (i ?f ?x) (i ?g ?x))",       Always, true),
        ("i-parts",       "(i (* ?a ?b) ?x)",
            "(- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))",                           Always, true),
    ]
}

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

fn pattern(text: &str) -> Pattern<Math> {
    text.parse().expect("a pattern of the table parses")
}

fn var(name: &str) -> Var {
    name.parse().expect("a variable of the table parses")
}

type MathGraph = EGraph<Math, Folding>;

fn is_name(egraph: &MathGraph, id: Id) -> bool {
    egraph[id].nodes.iter().any(|n| matches!(n, Math::Name(_)))
}

fn guarded<C>(name: &str, left: &str, right: &str, condition: C) -> Rewrite<Math, Folding>
where
    C: Fn(&mut MathGraph, Id, &Subst) -> bool + Send + Sync + 'static,
{
    let applier = ConditionalApplier { condition, applier: pattern(right) };
    Rewrite::new(name, pattern(left), applier).expect("a rule of the table is well formed")
}

fn all_rules() -> Vec<Rewrite<Math, Folding>> {
    let rewrite = |(name, left, right, when, _): Row| match when {
        When::Always => Rewrite::new(name, pattern(left), pattern(right)).unwrap(),
        When::NotZero(&[v]) => {
            let v = var(v);
            guarded(name, left, right, move |g, _, s| g[s[v]].data.map_or(true, |n| *n != 0.0))
        }
        When::NotZero(names) => {
            let vars: Vec<Var> = names.iter().map(|v| var(v)).collect();
            guarded(name, left, right, move |g, _, s| {
                vars.iter().all(|v| g[s[*v]].data.map_or(true, |n| *n != 0.0))
            })
        }
        When::Name(v) => {
            let v = var(v);
            guarded(name, left, right, move |g, _, s| is_name(g, s[v]))
        }
        When::NameAndOther(x, c) => {
            let (x, c) = (var(x), var(c));
            guarded(name, left, right, move |g, _, s| {
                let (x, c) = (s[x], s[c]);
                is_name(g, x) && g.find(c) != g.find(x) && (g[c].data.is_some() || is_name(g, c))
            })
        }
        When::Constant(v) => {
            let v = var(v);
            guarded(name, left, right, move |g, _, s| g[s[v]].data.is_some())
        }
    };
    table().into_iter().map(rewrite).collect()
}

fn plain_rules(keep: impl Fn(&Row) -> bool) -> Vec<Rewrite<Math, ()>> {
    table()
        .into_iter()
        .filter(|row| keep(row))
        .map(|(name, left, right, ..)| Rewrite::new(name, pattern(left), pattern(right)).unwrap())
        .collect()
}

fn start_terms() -> Vec<RecExpr<Math>> {
    MATH7.iter().map(|t| t.parse().expect("a start term parses")).collect()
}

/// The unconditional rules, no analysis, for `iterations` rounds.
pub fn micro(iterations: usize) -> Outcome {
    let rules = plain_rules(|row| row.4);
    let terms = start_terms();
    let build = || {
        let start = unlimited().with_iter_limit(iterations).with_scheduler(SimpleScheduler);
        terms.iter().fold(start, |runner, term| runner.with_expr(term))
    };
    measure(build, &rules)
}

pub enum Scheduling {
    Simple,
    Backoff,
}

/// All rules, constant folding, for `iterations` rounds.
pub fn math7(iterations: usize, scheduling: Scheduling) -> Outcome {
    let rules = all_rules();
    let terms = start_terms();
    let build = || {
        let start = unlimited().with_iter_limit(iterations);
        let start = match scheduling {
            Scheduling::Simple => start.with_scheduler(SimpleScheduler),
            Scheduling::Backoff => start,
        };
        terms.iter().fold(start, |runner, term| runner.with_expr(term))
    };
    measure(build, &rules)
}

/// Commutativity and associativity of `(+ 1 (+ 2 … n))`, to saturation.
pub fn ac(n: usize) -> Outcome {
    let rules = plain_rules(|row| row.0 == "comm-add" || row.0 == "assoc-add");
    let sum = |rest: String, k: usize| format!("(+ {k} {rest})");
    let term: RecExpr<Math> = (1..n).rev().fold(n.to_string(), sum).parse().unwrap();
    let build = || unlimited().with_scheduler(SimpleScheduler).with_expr(&term);
    measure(build, &rules)
}
