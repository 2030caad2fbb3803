/** Random rule sets and terms on the fast e-graph and on the naive one, compared. */
import { orThrow } from '@baton/base';
import {
  type Analysis,
  type ClassId,
  type Clause,
  type CodeGeneration,
  EGraph,
  multiRewrite,
  parsePattern,
  type Rewrite,
  rewrite,
  run,
  simpleScheduler,
  whenData,
} from '@baton/egraph';
import { type FuzzCase, generateCase } from './generate.ts';
import { brokenInvariants } from './invariants.ts';
import { NaiveEGraph, type NaiveRule, printTree } from './naive.ts';

export interface Variant {
  readonly codeGeneration: CodeGeneration;
  readonly delta: boolean;
  readonly explanations: boolean;
}

/** Both matchers, with and without delta matching, and with proofs. */
export const variants: ReadonlyArray<Variant> = [
  { codeGeneration: 'never', delta: false, explanations: false },
  { codeGeneration: 'never', delta: true, explanations: false },
  { codeGeneration: 'always', delta: false, explanations: false },
  { codeGeneration: 'always', delta: true, explanations: false },
  { codeGeneration: 'auto', delta: true, explanations: true },
];

export interface FuzzResult {
  readonly failures: ReadonlyArray<string>;
  /** Cases in which any rule changed anything: the others prove little. */
  readonly active: number;
  /** Cases with guards that saturated, and so were compared. */
  readonly saturated: number;
}

export type Inspect = (egraph: EGraph<boolean>, fuzzCase: FuzzCase) => ReadonlyArray<string>;

/**
 * Runs the cases of the seeds `seed`, `seed + 1`, …. Every other case has guards on analysis data,
 * and is compared if it saturates; the others are compared after the same number of rounds.
 */
export function fuzzEGraph(
  seed: number,
  count: number,
  inspect: Inspect = () => [],
  onCase: (done: number) => void = () => {},
): FuzzResult {
  const failures: string[] = [];
  let active = 0;
  let saturated = 0;
  for (let i = 0; i < count; i++) {
    const guards = i % 2 === 1;
    const fuzzCase = generateCase(seed + i, guards);
    const expected = runNaive(fuzzCase);
    const end = expected.saturated;
    if (expected.changed) active += 1;
    if (guards && end) saturated += 1;
    if (!guards || end) {
      for (const variant of variants) {
        const problems = compare(fuzzCase, expected, variant, inspect);
        const [first] = problems;
        if (first !== undefined) {
          failures.push(`seed ${seed + i}, guards ${guards}, ${JSON.stringify(variant)}: ${first}`);
        }
      }
    }
    onCase(i + 1);
  }
  return { failures, active, saturated };
}

/** A guarded variable must contain the leaf `a` at some depth. */
const containsA: Analysis<boolean> = {
  name: 'contains-a',
  make: (egraph, node) => {
    const { name, arity } = egraph.operatorOf(node);
    if (name === 'a') return true;
    for (let i = 0; i < arity; i++) if (egraph.data(egraph.child(node, i))) return true;
    return false;
  },
  merge: (a, b) => a || b,
};

export function fastRule(rule: NaiveRule): Rewrite<boolean> {
  const when = rule.guarded.map((name) =>
    whenData<boolean>(name, (egraph, id) => egraph.data(id as ClassId)),
  );
  const [left, right] = [rule.left[0], rule.right[0]];
  const usesRoot = JSON.stringify([rule.left.map(([, p]) => p), rule.right]).split(
    '"?root"',
  ).length;
  if (rule.left.length === 1 && usesRoot === 2 && !rule.guarded.includes('?root')) {
    return orThrow(
      rewrite<boolean>(rule.name, printTree(left?.[1] ?? ''), printTree(right?.[1] ?? ''), {
        when,
      }),
    );
  }
  const clauses = (side: NaiveRule['left']): ReadonlyArray<Clause> =>
    side.map(([variable, pattern]) => ({
      variable,
      pattern: orThrow(parsePattern(printTree(pattern))),
    }));
  return orThrow(
    multiRewrite<boolean>(rule.name, clauses(rule.left), clauses(rule.right), { when }),
  );
}

interface Expected {
  readonly naive: NaiveEGraph;
  readonly rounds: number;
  readonly saturated: boolean;
  readonly changed: boolean;
}

/** Runs as many rounds as stay small; a last round that grew too large is not part of the case. */
function runNaive({ terms, rules, rounds }: FuzzCase): Expected {
  const naive = new NaiveEGraph();
  for (const term of terms) naive.add(term);
  naive.rebuild();
  const state = (): string => JSON.stringify(naive.canonicalNodes());
  const first = state();
  let before = first;
  for (let round = 0; round < rounds; round++) {
    if (!naive.round(rules)) {
      return { naive, rounds: round, saturated: false, changed: before !== first };
    }
    const after = state();
    if (after === before)
      return { naive, rounds: round, saturated: true, changed: after !== first };
    before = after;
  }
  return { naive, rounds, saturated: false, changed: before !== first };
}

function compare(
  fuzzCase: FuzzCase,
  expected: Expected,
  variant: Variant,
  inspect: Inspect,
): ReadonlyArray<string> {
  const egraph = new EGraph<boolean>({ analysis: containsA, explanations: variant.explanations });
  for (const term of fuzzCase.terms) orThrow(egraph.addExpr(printTree(term)));
  const problems: string[] = [];
  const report = run(egraph, fuzzCase.rules.map(fastRule), {
    // One more round shows saturation; guards look at data in the middle of a round.
    iterationLimit: expected.saturated ? 100 : expected.rounds,
    nodeLimit: 1_000_000,
    scheduler: simpleScheduler,
    delta: variant.delta,
    codeGeneration: variant.codeGeneration,
    hooks: [
      () => {
        problems.push(...brokenInvariants(egraph));
        return undefined;
      },
    ],
  });
  if (report.stopReason._tag === 'Failed') problems.push(JSON.stringify(report.stopReason));
  if (expected.saturated && report.stopReason._tag !== 'Saturated') {
    problems.push(`expected saturation, found ${report.stopReason._tag}`);
  }
  problems.push(...brokenInvariants(egraph), ...differences(expected.naive, egraph));
  problems.push(...inspect(egraph, fuzzCase));
  return problems;
}

/** The differences; none if a one-to-one map of classes makes the nodes the same. */
function differences(naive: NaiveEGraph, egraph: EGraph<boolean>): ReadonlyArray<string> {
  let open = naive.canonicalNodes();
  if (open.length !== egraph.nodeCount) {
    return [`expected ${open.length} nodes, found ${egraph.nodeCount}`];
  }
  const forth = new Map<number, ClassId>();
  const back = new Map<ClassId, number>();
  while (open.length > 0) {
    const later: (typeof open)[number][] = [];
    for (const node of open) {
      const children = node.children.map((child) => forth.get(naive.find(child)));
      if (!children.every((child) => child !== undefined)) {
        later.push(node);
        continue;
      }
      const found = egraph.lookup(node.name, children);
      if (found === undefined) return [`${node.name}(${children}) is missing`];
      if ((forth.get(node.id) ?? found) !== found) return ['one class became two'];
      if ((back.get(found) ?? node.id) !== node.id) return ['two classes became one'];
      forth.set(node.id, found);
      back.set(found, node.id);
    }
    if (later.length === open.length) return ['a class has no finite term'];
    open = later;
  }
  return [];
}
