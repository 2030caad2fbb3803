//! A lambda calculus with explicit substitution: `lambda-fib` and `lambda-repeat`.

use egg::{
    define_language, merge_option, Analysis, Applier, Condition, ConditionEqual,
    ConditionalApplier, DidMerge, EGraph, Id, Language, Pattern, PatternAst, RecExpr, Rewrite,
    Runner, Searcher, Subst, Symbol, Var,
};
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::{measure, unlimited, Outcome};

define_language! {
    pub enum Lambda {
        Bool(bool),
        Num(i32),
        "var" = Var(Id),
        "+" = Add([Id; 2]),
        "=" = Equal([Id; 2]),
        "app" = Apply([Id; 2]),
        "lam" = Abstract([Id; 2]),
        "let" = Let([Id; 3]),
        "fix" = Fix([Id; 2]),
        "if" = If([Id; 3]),
        Name(Symbol),
    }
}

type Graph = EGraph<Lambda, Facts>;
type Names = HashSet<Id, BuildHasherDefault<rustc_hash::FxHasher>>;

/// Free variables (an upper bound that shrinks by intersection) and the constant, if known.
#[derive(Default)]
pub struct Facts;

#[derive(Debug)]
pub struct Fact {
    free: Names,
    constant: Option<Lambda>,
}

fn fold(egraph: &Graph, node: &Lambda) -> Option<Lambda> {
    let of = |id: &Id| egraph[*id].data.constant.as_ref();
    match node {
        Lambda::Num(_) | Lambda::Bool(_) => Some(node.clone()),
        Lambda::Add([a, b]) => match (of(a)?, of(b)?) {
            (Lambda::Num(a), Lambda::Num(b)) => Some(Lambda::Num(a.checked_add(*b)?)),
            _ => None,
        },
        Lambda::Equal([a, b]) => Some(Lambda::Bool(of(a)? == of(b)?)),
        _ => None,
    }
}

impl Analysis<Lambda> for Facts {
    type Data = Fact;

    fn make(egraph: &mut Graph, node: &Lambda, _id: Id) -> Fact {
        let mut free = Names::default();
        match node {
            Lambda::Var(v) => {
                free.insert(*v);
            }
            Lambda::Let([v, value, body]) => {
                free.extend(&egraph[*body].data.free);
                free.remove(v);
                free.extend(&egraph[*value].data.free);
            }
            Lambda::Abstract([v, body]) | Lambda::Fix([v, body]) => {
                free.extend(&egraph[*body].data.free);
                free.remove(v);
            }
            _ => node.for_each(|child| free.extend(&egraph[child].data.free)),
        }
        Fact { free, constant: fold(egraph, node) }
    }

    fn merge(&mut self, to: &mut Fact, from: Fact) -> DidMerge {
        let before = to.free.len();
        to.free.retain(|v| from.free.contains(v));
        let after = to.free.len();
        DidMerge(after != before, after != from.free.len())
            | merge_option(&mut to.constant, from.constant, |a, b| {
                assert_eq!(*a, b, "two different constants became equal");
                DidMerge(false, false)
            })
    }

    fn modify(egraph: &mut Graph, id: Id) {
        if let Some(constant) = egraph[id].data.constant.clone() {
            let leaf = egraph.add(constant);
            egraph.union(id, leaf);
        }
    }
}

/// Pushes a `let` under a `lam`, renaming the bound variable where it would capture.
struct PushUnderBinder {
    fresh: Var,
    bound: Var,
    value: Var,
    renamed: Pattern<Lambda>,
    kept: Pattern<Lambda>,
}

impl Applier<Lambda, Facts> for PushUnderBinder {
    fn apply_one(
        &self,
        egraph: &mut Graph,
        class: Id,
        subst: &Subst,
        searched: Option<&PatternAst<Lambda>>,
        rule: Symbol,
    ) -> Vec<Id> {
        if !egraph[subst[self.value]].data.free.contains(&subst[self.bound]) {
            return self.kept.apply_one(egraph, class, subst, searched, rule);
        }
        let mut subst = subst.clone();
        let name = egraph.add(Lambda::Name(format!("_{class}").into()));
        subst.insert(self.fresh, name);
        self.renamed.apply_one(egraph, class, &subst, searched, rule)
    }
}

fn pattern(text: &str) -> Pattern<Lambda> {
    text.parse().expect("a pattern parses")
}

fn var(name: &str) -> Var {
    name.parse().expect("a variable parses")
}

fn plain(name: &str, left: &str, right: &str) -> Rewrite<Lambda, Facts> {
    Rewrite::new(name, pattern(left), pattern(right)).unwrap()
}

fn guarded<C, A>(name: &str, left: &str, applier: A, condition: C) -> Rewrite<Lambda, Facts>
where
    C: Condition<Lambda, Facts> + Send + Sync + 'static,
    A: Applier<Lambda, Facts> + Send + Sync + 'static,
{
    Rewrite::new(name, pattern(left), ConditionalApplier { condition, applier }).unwrap()
}

fn different(a: &str, b: &str) -> impl Fn(&mut Graph, Id, &Subst) -> bool {
    let (a, b) = (var(a), var(b));
    move |egraph, _, subst| egraph.find(subst[a]) != egraph.find(subst[b])
}

fn rules() -> Vec<Rewrite<Lambda, Facts>> {
    let c = var("?c");
    let constant = move |g: &mut Graph, _: Id, s: &Subst| g[s[c]].data.constant.is_some();
    let push = PushUnderBinder {
        fresh: var("?fresh"),
        bound: var("?v2"),
        value: var("?e"),
        kept: pattern("(lam ?v2 (let ?v1 ?e ?body))"),
        renamed: pattern("(lam ?fresh (let ?v1 ?e (let ?v2 (var ?fresh) ?body)))"),
    };
    vec![
        plain("if-true", "(if true ?then ?else)", "?then"),
        plain("if-false", "(if false ?then ?else)", "?else"),
        guarded(
            "if-elim",
            "(if (= (var ?x) ?e) ?then ?else)",
            pattern("?else"),
            ConditionEqual::new(pattern("(let ?x ?e ?then)"), pattern("(let ?x ?e ?else)")),
        ),
        plain("add-comm", "(+ ?a ?b)", "(+ ?b ?a)"),
        plain("add-assoc", "(+ (+ ?a ?b) ?c)", "(+ ?a (+ ?b ?c))"),
        plain("eq-comm", "(= ?a ?b)", "(= ?b ?a)"),
        plain("fix", "(fix ?v ?e)", "(let ?v (fix ?v ?e) ?e)"),
        plain("beta", "(app (lam ?v ?body) ?e)", "(let ?v ?e ?body)"),
        plain("let-app", "(let ?v ?e (app ?a ?b))", "(app (let ?v ?e ?a) (let ?v ?e ?b))"),
        plain("let-add", "(let ?v ?e (+ ?a ?b))", "(+ (let ?v ?e ?a) (let ?v ?e ?b))"),
        plain("let-eq", "(let ?v ?e (= ?a ?b))", "(= (let ?v ?e ?a) (let ?v ?e ?b))"),
        guarded("let-const", "(let ?v ?e ?c)", pattern("?c"), constant),
        plain(
            "let-if",
            "(let ?v ?e (if ?cond ?then ?else))",
            "(if (let ?v ?e ?cond) (let ?v ?e ?then) (let ?v ?e ?else))",
        ),
        plain("let-var-same", "(let ?v1 ?e (var ?v1))", "?e"),
        guarded(
            "let-var-diff",
            "(let ?v1 ?e (var ?v2))",
            pattern("(var ?v2)"),
            different("?v1", "?v2"),
        ),
        plain("let-lam-same", "(let ?v1 ?e (lam ?v1 ?body))", "(lam ?v1 ?body)"),
        guarded("let-lam-diff", "(let ?v1 ?e (lam ?v2 ?body))", push, different("?v1", "?v2")),
    ]
}

const FIB: &str = "
    (let fib (fix fib (lam n
      (if (= (var n) 0) 0
        (if (= (var n) 1) 1
          (+ (app (var fib) (+ (var n) -1)) (app (var fib) (+ (var n) -2)))))))
      (app (var fib) 4))";

const REPEAT: &str = "
    (let compose (lam f (lam g (lam x (app (var f) (app (var g) (var x))))))
    (let repeat (fix repeat (lam fun (lam n
      (if (= (var n) 0)
        (lam i (var i))
        (app (app (var compose) (var fun))
             (app (app (var repeat) (var fun)) (+ (var n) -1)))))))
    (let add1 (lam y (+ (var y) 1))
    (app (app (var repeat) (var add1)) 2))))";

/// Runs with backoff until the start term is found equal to `goal`.
fn prove(start: &str, goal: &str, node_limit: usize) -> Outcome {
    let rules = rules();
    let term: RecExpr<Lambda> = start.parse().unwrap();
    let goal = pattern(goal);
    let build = || {
        let runner: Runner<Lambda, Facts> =
            unlimited().with_iter_limit(60).with_node_limit(node_limit).with_expr(&term);
        let root = runner.roots[0];
        runner.with_hook(move |it| match goal.search_eclass(&it.egraph, root) {
            Some(_) => Err("proved".into()),
            None => Ok(()),
        })
    };
    measure(build, &rules)
}

pub fn fib() -> Outcome {
    prove(FIB, "3", 500_000)
}

pub fn repeat() -> Outcome {
    prove(REPEAT, "(lam ?x (+ (var ?x) 2))", 150_000)
}
