/** Propositional logic, as in egg's benchmarks. */
import { orThrow } from '@baton/base';
import {
  type Analysis,
  backoffScheduler,
  booleanLeaf,
  defineLanguage,
  EGraph,
  type EGraphOptions,
  type Language,
  multiRewrite,
  type Report,
  type RuleInput,
  type RunOptions,
  rewrite,
  run,
  symbolLeaf,
} from '@baton/egraph';

/** Propositional logic: the language of egg's `prop` tests. */
export const prop: Language = defineLanguage({
  operators: { '&': 2, '|': 2, '->': 2, '~': 1 },
  leaves: { bool: booleanLeaf, sym: symbolLeaf },
});

/** The truth value of a class, if it is known. */
export type Truth = boolean | undefined;

/** Folds constants. */
export const propAnalysis: Analysis<Truth> = {
  name: 'constant-folding',
  make: (egraph, node) => {
    const { name, payload, arity } = egraph.operatorOf(node);
    if (name === 'bool') return payload as boolean;
    if (arity === 0) return undefined;
    const a = egraph.data(egraph.child(node, 0));
    if (name === '~') return a === undefined ? undefined : !a;
    const b = egraph.data(egraph.child(node, 1));
    if (a === undefined || b === undefined) return undefined;
    return name === '&' ? a && b : name === '|' ? a || b : !a || b;
  },
  merge: (a, b) => a ?? b,
  modify: (egraph, id) => {
    const truth = egraph.data(id);
    if (truth !== undefined) egraph.union(id, egraph.add('bool', [], truth), 'constant-folding');
  },
};

const contrapositive: RuleInput<Truth> = [
  rewrite<Truth>('def-imply', '(-> ?a ?b)', '(| (~ ?a) ?b)'),
  rewrite<Truth>('def-imply-flip', '(| (~ ?a) ?b)', '(-> ?a ?b)'),
  rewrite<Truth>('double-neg-flip', '?a', '(~ (~ ?a))'),
  rewrite<Truth>('comm-or', '(| ?a ?b)', '(| ?b ?a)'),
];

const chain: RuleInput<Truth> = [
  contrapositive,
  rewrite<Truth>('comm-and', '(& ?a ?b)', '(& ?b ?a)'),
  multiRewrite<Truth>(
    'lem-imply',
    '?value = true = (& (-> ?a ?b) (-> (~ ?a) ?c))',
    '?value = (| ?b ?c)',
  ),
];

/** A start term, its rules, and whether it is assumed to be true. */
export interface PropProblem {
  readonly start: string;
  readonly rules: RuleInput<Truth>;
  readonly assume: boolean;
}

/** egg's `prop` suite. */
export const propProblems: Readonly<
  Record<'prop-contrapositive' | 'prop-chain' | 'prop-const-fold', PropProblem>
> = {
  'prop-contrapositive': { start: '(-> x y)', rules: contrapositive, assume: true },
  'prop-chain': { start: '(& (-> x y) (-> y z))', rules: chain, assume: true },
  'prop-const-fold': {
    start: '(| (& false true) (& true false))',
    rules: [],
    assume: false,
  },
};

/** Runs a problem: 20 rounds, 5,000 nodes. */
export function proveProp(
  problem: PropProblem,
  options: RunOptions<Truth> = {},
  egraphOptions: EGraphOptions<Truth> = {},
): readonly [EGraph<Truth>, Report] {
  const egraph = new EGraph<Truth>({ language: prop, analysis: propAnalysis, ...egraphOptions });
  const root = orThrow(egraph.addExpr(problem.start));
  if (problem.assume) egraph.union(root, egraph.add('bool', [], true), 'assumption');
  egraph.rebuild();
  const report = run(egraph, problem.rules, {
    iterationLimit: 20,
    nodeLimit: 5_000,
    scheduler: backoffScheduler(),
    ...options,
  });
  return [egraph, report];
}
