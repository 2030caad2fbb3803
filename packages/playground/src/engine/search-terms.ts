/** Equality saturation of terms, round by round: for users without tensors. */
import { diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import {
  type ClassId,
  EGraph,
  explain,
  extractTree,
  flatProof,
  type Iteration,
  type NodeId,
  parseTerm,
  printStopReason,
  printTerm,
  type Rewrite,
  rewrite,
  rewriteBoth,
  run,
  sizeCost,
} from '@baton/egraph';
import type { Moment, ProofLine, Search } from '../protocol.ts';
import { ruleLines } from '../rule-lines.ts';
import { egraphPicture } from './egraph-picture.ts';
import { infixToTerm } from './infix.ts';
import { noRule } from './own-rules.ts';

/** The most rounds and nodes: more would be unreadable. */
const LIMITS = { iterationLimit: 20, nodeLimit: 2_000 };

/** Saturates a term under rules, and proves that the cheapest term equals it. */
export function searchTerm(
  text: string,
  ruleText: string,
  shouldStop: () => boolean,
): Result<Search> {
  const rules = termRules(ruleText);
  if (isLeft(rules)) return rules;
  const start = parseTerm(asTerm(text));
  if (isLeft(start)) return start;
  const egraph = new EGraph({ explanations: true });
  const root = egraph.addTerm(start.right);
  const moments: Moment[] = [momentOf(egraph, root, 'the term', [])];
  const report = run(egraph, rules.right, {
    ...LIMITS,
    shouldStop,
    onIteration: (iteration, index) => {
      moments.push(momentOf(egraph, root, `round ${index + 1}`, iteration.rules));
    },
  });
  if (isLeft(report.outcome)) return report.outcome;
  const extracted = extractTree(egraph, [root], sizeCost);
  if (isLeft(extracted)) return extracted;
  const [best] = extracted.right.terms;
  if (best === undefined) return fail(diagnostic('PLAYGROUND_TERM', 'the term has no value'));
  const proof = explain(egraph, start.right, best, rules.right);
  if (isLeft(proof)) return proof;
  const steps = flatProof(proof.right);
  if (isLeft(steps)) return steps;
  return right({
    moments,
    stopped: printStopReason(report.stopReason),
    best: printTerm(best),
    cost: extracted.right.costs[0] ?? 0,
    unit: 'nodes',
    proof: [
      { term: printTerm(proof.right.left), by: '', direction: 'start' } satisfies ProofLine,
      ...steps.right.map(({ term, by, direction }) => ({ term: printTerm(term), by, direction })),
    ],
  });
}

const asTerm = (text: string): string => infixToTerm(text) ?? text;

function termRules(text: string): Result<ReadonlyArray<Rewrite>> {
  const lines = ruleLines(text);
  if ('wrong' in lines) return noRule(lines.wrong, 'write name: ?x * 1 = ?x');
  const all: Rewrite[] = [];
  for (const { name, left, right: other, isBothWays } of lines) {
    const sides = [name, asTerm(left), asTerm(other)] as const;
    const made = isBothWays ? rewriteBoth(...sides) : rewrite(...sides);
    if (isLeft(made)) return made;
    all.push(...[made.right].flat());
  }
  return right(all);
}

const momentOf = (
  egraph: EGraph,
  root: ClassId,
  title: string,
  rules: Iteration['rules'],
): Moment => ({
  title,
  ...egraphPicture({
    graph: egraph,
    roots: [root],
    label: (node) => printOperatorOf(egraph, node),
    costOf: () => 1,
  }),
  nodes: egraph.nodeCount,
  classes: egraph.classCount,
  rules: rules
    .filter(({ matches }) => matches > 0)
    .map(({ name, matches, applied }) => ({ name, matches, applied })),
});

function printOperatorOf(egraph: EGraph, node: NodeId): string {
  const { name, payload } = egraph.operatorOf(node);
  return payload === undefined ? name : `${payload}`;
}
