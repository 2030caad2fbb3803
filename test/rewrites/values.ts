/** The values of small programs before and after passes, for regressions. */
import { orThrow } from '@baton/base';
import { evaluate, type HostValue, type Value } from '@baton/executor';
import type { IRModule } from '@baton/ir';
import { type Pass, runPass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { commonSets, greedy, saturate } from '@baton/rewrites';
import { isBig, tensor, toBigInts, toNumbers } from '@baton/tensor';
import { expect } from 'vitest';
import { read } from '../golden/read.ts';

/** The programs of users: both engines with all common rules, each level, and single passes. */
export const WAYS: Readonly<Record<string, Pass>> = {
  greedy: greedy(commonSets),
  saturate: saturate(commonSets),
  'level 3': optimize({ level: 3 }),
  simplifyExpr: passes.simplifyExpr,
  simplifyInference: passes.simplifyInference,
  divToMul: passes.divToMul,
  foldScaleAxis: passes.foldScaleAxis,
};

/** The numbers of a value, in order. */
function numbersOf(value: Value): ReadonlyArray<number | bigint> {
  if (value._tag === 'Tuple') return value.fields.flatMap(numbersOf);
  if (value._tag !== 'Tensor') throw new Error('a value of tensors');
  return isBig(value.dtype) ? toBigInts(value) : Array.from(toNumbers(value), Number);
}

const run = (m: IRModule, x: HostValue): ReadonlyArray<number | bigint> =>
  numbersOf(orThrow(evaluate(m, { x })));

/** The numbers that a program of one parameter `%x` computes. */
export const valuesOf = (
  text: string,
  x: ReadonlyArray<number | bigint>,
  way?: Pass,
): ReadonlyArray<number | bigint> => {
  const m = read(text, 'program');
  const [, dims = '', dtype = ''] = /%x: Tensor\[\(([^)]*)\), (\w+)\]/.exec(text) ?? [];
  const shape = dims.split(',').map(Number);
  const made = way === undefined ? m : orThrow(runPass(way)(m)).module;
  return run(made, tensor(x, shape, dtype as 'float32'));
};

/** Expects that a pass leaves the numbers of a program as they are, but for a share of each. */
export function expectKept(
  text: string,
  x: ReadonlyArray<number | bigint>,
  way: Pass,
  tolerance = 0,
): void {
  const [before, after] = [valuesOf(text, x), valuesOf(text, x, way)];
  expect(after.length).toBe(before.length);
  for (const [i, wanted] of before.entries()) {
    const found = after[i];
    const isNear =
      typeof wanted === 'number' &&
      typeof found === 'number' &&
      Math.abs(found - wanted) <= tolerance * Math.abs(wanted);
    if (!isNear) expect(found).toBe(wanted);
  }
}
