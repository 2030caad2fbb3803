//! Propositional logic: `prop-contrapositive`, `prop-chain` and `prop-const-fold`.

use egg::{
    define_language, merge_option, multi_rewrite, Analysis, DidMerge, EGraph, Id, Pattern,
    RecExpr, Rewrite, Runner, Symbol,
};

use crate::{measure, unlimited, Outcome};

define_language! {
    pub enum Prop {
        Bool(bool),
        "&" = And([Id; 2]),
        "~" = Not(Id),
        "|" = Or([Id; 2]),
        "->" = Implies([Id; 2]),
        Name(Symbol),
    }
}

/// Constant folding.
#[derive(Default)]
pub struct Folding;

impl Analysis<Prop> for Folding {
    type Data = Option<bool>;

    fn make(egraph: &mut EGraph<Prop, Self>, node: &Prop, _id: Id) -> Self::Data {
        let of = |id: &Id| egraph[*id].data;
        match node {
            Prop::Bool(b) => Some(*b),
            Prop::Name(_) => None,
            Prop::And([a, b]) => Some(of(a)? && of(b)?),
            Prop::Or([a, b]) => Some(of(a)? || of(b)?),
            Prop::Implies([a, b]) => Some(!of(a)? || of(b)?),
            Prop::Not(a) => Some(!of(a)?),
        }
    }

    fn merge(&mut self, to: &mut Self::Data, from: Self::Data) -> DidMerge {
        merge_option(to, from, |a, b| {
            assert_eq!(*a, b, "true became equal to false");
            DidMerge(false, false)
        })
    }

    fn modify(egraph: &mut EGraph<Prop, Self>, id: Id) {
        if let Some(value) = egraph[id].data {
            let leaf = egraph.add(Prop::Bool(value));
            egraph.union(id, leaf);
        }
    }
}

fn pattern(text: &str) -> Pattern<Prop> {
    text.parse().expect("a pattern parses")
}

fn plain(name: &str, left: &str, right: &str) -> Rewrite<Prop, Folding> {
    Rewrite::new(name, pattern(left), pattern(right)).unwrap()
}

fn basic_rules() -> Vec<Rewrite<Prop, Folding>> {
    vec![
        plain("def-imply", "(-> ?a ?b)", "(| (~ ?a) ?b)"),
        plain("def-imply-flip", "(| (~ ?a) ?b)", "(-> ?a ?b)"),
        plain("double-neg-flip", "?a", "(~ (~ ?a))"),
        plain("comm-or", "(| ?a ?b)", "(| ?b ?a)"),
    ]
}

/// Assumes `start`, then runs 20 rounds with backoff and at most 5,000 nodes.
fn assume(start: &str, rules: &[Rewrite<Prop, Folding>]) -> Outcome {
    let term: RecExpr<Prop> = start.parse().unwrap();
    let build = || {
        let mut runner: Runner<Prop, Folding> =
            unlimited().with_iter_limit(20).with_node_limit(5_000).with_expr(&term);
        let yes = runner.egraph.add(Prop::Bool(true));
        let root = runner.roots[0];
        runner.egraph.union(root, yes);
        runner.egraph.rebuild();
        runner
    };
    measure(build, rules)
}

pub fn contrapositive() -> Outcome {
    assume("(-> x y)", &basic_rules())
}

pub fn chain() -> Outcome {
    let mut rules = basic_rules();
    rules.push(plain("comm-and", "(& ?a ?b)", "(& ?b ?a)"));
    rules.push(multi_rewrite!(
        "lem-imply";
        "?value = true = (& (-> ?a ?b) (-> (~ ?a) ?c))" => "?value = (| ?b ?c)"
    ));
    assume("(& (-> x y) (-> y z))", &rules)
}

pub fn const_fold() -> Outcome {
    let term: RecExpr<Prop> = "(| (& false true) (& true false))".parse().unwrap();
    measure(|| unlimited::<Prop, Folding>().with_expr(&term), &[])
}
