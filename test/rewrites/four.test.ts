/**
 * Constant folding, scales in weights, inlining and dead code, in e-graphs: on the golden programs of
 * the four passes, saturation leaves no more than they do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { callGraph, type Expr, type Func, type IRModule, postOrderExprs } from '@baton/ir';
import { inferType, type Pass, runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import {
  algebra,
  backwardScales,
  commonSets,
  forwardScales,
  type NodeCost,
  operatorCount,
  roofline,
  saturate,
} from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { type GoldenFile, parseGolden } from '../golden/format.ts';
import { read } from '../golden/read.ts';
import { parseRunLine } from '../golden/run-line.ts';
import { expectSameValues } from '../golden/same-values.ts';
import { amount } from '../tier.ts';

const PASSES = ['fold-constant', 'fold-scale-axis', 'inline', 'dead-code-elimination'];

const LIMITS = { nodeLimit: 2_000 };
/** Only programs about scales have any to move. */
const scales = sequential([
  saturate([commonSets, algebra, backwardScales], LIMITS),
  saturate([commonSets, algebra, forwardScales], LIMITS),
]);
const others = (ignoreImpurity: boolean): Pass =>
  sequential([saturate(commonSets, { ...LIMITS, ignoreImpurity }), passes.removeUnusedFunctions]);
/** The search with what the run line of a program asks for. */
const engineFor = (name: string, { run }: GoldenFile): Pass =>
  name.startsWith('fold-scale-axis') ? scales : others(run.includes('(ignore-impurity)'));
/** What the passes leave, with the constants computed that folding scales makes. */
const settled = sequential([passes.foldConstant, inferType]);

const golden = new URL('../golden/', import.meta.url);
/** One of this number of programs is searched, from the first on. */
const EVERY = amount(1, { quick: 4 });

const programs = PASSES.flatMap((pass) =>
  readdirSync(new URL(pass, golden))
    .map((file) => `${pass}/${file}`)
    .map((name) => ({ name, file: parseGolden(readFileSync(new URL(name, golden), 'utf8')) }))
    .filter(({ file }) => file.sections.some(({ kind }) => kind === 'expect')),
);

/** The nodes of a program that are more than names. */
const nodesOf = (m: IRModule) =>
  postOrderExprs([...m.functions.values()]).filter(
    ({ _tag }) => _tag !== 'Op' && _tag !== 'GlobalVar',
  );

/** Whether a program computes with sizes that type parameters stand for: in a roofline they are free. */
const isGeneric = (m: IRModule): boolean =>
  nodesOf(m).some((node) => node._tag === 'Function' && node.typeParams.length > 0);

/** The cost of `main`, with all that it calls. */
function costOf(m: IRModule, cost: NodeCost): number {
  const costs = new Map<string, number>();
  for (const name of callGraph(m.functions).groups.flat()) {
    const nodes = postOrderExprs([m.functions.get(name) as Func]);
    costs.set(
      name,
      nodes.reduce((sum, node) => sum + cost(node, m) + (costs.get(calleeOf(node)) ?? 0), 0),
    );
  }
  return costs.get('main') ?? 0;
}

const calleeOf = (node: Expr): string =>
  node._tag === 'Call' && node.op._tag === 'GlobalVar' ? node.op.nameHint : '';

function compared(name: string, file: GoldenFile) {
  const input = read(file.input, name);
  const expected = orThrow(runPass(parseRunLine(file.run))(input)).module;
  const found = orThrow(runPass(engineFor(name, file))(input)).module;
  return { input, found, expected: orThrow(runPass(settled)(expected)).module };
}

describe('saturation leaves no more than', () => {
  for (const [i, { name, file }] of programs.entries()) {
    if (i % EVERY !== 0) continue;
    it(name, () => {
      const { input, found, expected } = compared(name, file);
      expect(nodesOf(found).length).toBeLessThanOrEqual(nodesOf(expected).length);
      const cost = isGeneric(expected) ? operatorCount : roofline();
      expect(costOf(found, cost)).toBeLessThanOrEqual(costOf(expected, cost) * (1 + 1e-9));
      expectSameValues(name, file, input, found);
    });
  }
});
