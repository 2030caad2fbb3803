/**
 * Constant folding, scales in weights, inlining and dead code, in e-graphs: on the golden programs of
 * the four passes, saturation leaves no more than they do.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { orThrow } from '@baton/base';
import { type IRModule, postOrderExprs } from '@baton/ir';
import { inferType, type Pass, runPass, sequential } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import {
  backwardScales,
  commonSets,
  forwardScales,
  type NodeCost,
  normalizations,
  operatorCount,
  roofline,
  saturate,
} from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { type GoldenFile, parseGolden } from '../golden/format.ts';
import { read } from '../golden/read.ts';
import { parseRunLine } from '../golden/run-line.ts';
import { expectSameValues } from '../golden/same-values.ts';

const PASSES = ['fold-constant', 'fold-scale-axis', 'inline', 'dead-code-elimination'];

/** The programs on which saturation leaves more, each with the reason. */
const EXCEPT: Readonly<Record<string, string>> = {
  'fold-scale-axis/batch-norm-after-bias.ir': 'normalizations are not spelled out',
  'inline/limit.ir': 'more than the option of the pass allows is put in place',
};

const rules = commonSets.filter((set) => set !== normalizations);
const LIMITS = { nodeLimit: 2_000 };
/** Only programs about scales have any to move. */
const scales = sequential([
  saturate([rules, backwardScales], LIMITS),
  saturate([rules, forwardScales], LIMITS),
]);
const others = (ignoreImpurity: boolean): Pass =>
  sequential([saturate(rules, { ...LIMITS, ignoreImpurity }), passes.removeUnusedFunctions]);
/** The search with what the run line of a program asks for. */
const engineFor = (name: string, { run }: GoldenFile): Pass =>
  name.startsWith('fold-scale-axis') ? scales : others(run.includes('(ignore-impurity)'));
/** What the passes leave, with the constants computed that folding scales makes. */
const settled = sequential([passes.foldConstant, inferType]);

const golden = new URL('../golden/', import.meta.url);
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

const costOf = (m: IRModule, cost: NodeCost): number =>
  nodesOf(m).reduce((sum, node) => sum + cost(node, m), 0);

function compared(name: string, file: GoldenFile) {
  const input = read(file.input, name);
  const expected = orThrow(runPass(parseRunLine(file.run))(input)).module;
  const found = orThrow(runPass(engineFor(name, file))(input)).module;
  return { input, found, expected: orThrow(runPass(settled)(expected)).module };
}

describe('saturation leaves no more than', () => {
  for (const { name, file } of programs) {
    it.skipIf(EXCEPT[name] !== undefined)(name, () => {
      const { input, found, expected } = compared(name, file);
      expect(nodesOf(found).length).toBeLessThanOrEqual(nodesOf(expected).length);
      const cost = isGeneric(expected) ? operatorCount : roofline();
      expect(costOf(found, cost)).toBeLessThanOrEqual(costOf(expected, cost) * (1 + 1e-9));
      expectSameValues(name, file, input, found);
    });
  }
});

it('every exception is one', () => {
  const names = Object.keys(EXCEPT);
  expect(programs.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  for (const { name, file } of programs.filter(({ name: it }) => names.includes(it))) {
    const { found, expected } = compared(name, file);
    const isMore =
      nodesOf(found).length > nodesOf(expected).length ||
      costOf(found, operatorCount) > costOf(expected, operatorCount);
    expect(isMore, name).toBe(true);
  }
});
