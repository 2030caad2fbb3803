/** Compiled code of kernels that differ in sizes: what does not depend on them is there once. */
import type { Func } from '@baton/ir';
import { regionOf } from '@baton/lower';
import { simdLevel } from '@baton/wasm';
import { expect, it } from 'vitest';
import { compileRegion } from '../../packages/wasm/src/compile.ts';
import { parse } from './support.ts';

/** The bytes of the code of products of these rows, depth and columns, with what is done to their sums. */
function codeBytes(sizes: ReadonlyArray<readonly [number, number, number]>): number {
  const params = sizes.flatMap(([m, k, n], i) => [
    `%x${i}: Tensor[(${m}, ${k}), float32]`,
    `%w${i}: Tensor[(${n}, ${k}), float32]`,
    `%b${i}: Tensor[(${n},), float32]`,
    `%r${i}: Tensor[(${m}, ${n}), float32]`,
  ]);
  const results = sizes.map((_, i) => `nn.relu(nn.dense(%x${i}, %w${i}) + %b${i} + %r${i})`);
  const m = parse(`def @main(${params.join(', ')}) { (${results.join(', ')},) }`);
  const region = regionOf(m.functions.get('main') as Func, m);
  const options = { level: simdLevel(), isExact: false, transforms: true } as const;
  return region === undefined ? 0 : (compileRegion(region, m, options).code?.length ?? 0);
}

it('shares the tiles of products whose epilogues differ in sizes alone', () => {
  const one = codeBytes([[12, 16, 24]]);
  const two = codeBytes([
    [12, 16, 24],
    [20, 32, 40],
  ]);
  expect(one).toBeGreaterThan(1_000);
  // The loops around the tiles have the sizes.
  expect(two).toBeLessThan(1.5 * one);
});
