/** Compiled operators on random types, shapes and attributes, beside the interpreter. */
import { isLeft, orThrow } from '@baton/base';
import { interpreter, type Value } from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import { numericsColumn, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import { compareTensors, isFloat, type Tensor, tensorsEqual } from '@baton/tensor';
import { GENERATORS, inputsFor, singleCall } from '@baton/testing';
import { printModule } from '@baton/text';
import { makeWasm, simdLevel } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { compileRegion } from '../../packages/wasm/src/compile.ts';
import { regionOf } from '../../packages/wasm/src/plan/region.ts';

const CALLS = 6;
const PROGRAMS = 20;
const SEED = 16_100;

/** The largest error beside an element or the root mean square of all. */
const LARGEST_ERROR = 2e-5;

const wasm = makeWasm({ leastElements: 0 });
const level = simdLevel();

const leavesOf = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tuple' ? value.fields.flatMap(leavesOf) : value._tag === 'Tensor' ? [value] : [];

/** The largest error of a program's results; infinite if anything but the size of floats differs. */
function errorOn(m: IRModule, seed: number): number {
  const inputs = inputsFor(m.functions.get('main') as Func, seed);
  const [found, wanted] = [wasm, interpreter].map((executor) =>
    orThrow(executor.prepare(m)).run(inputs),
  );
  if (found === undefined || wanted === undefined || isLeft(found) || isLeft(wanted)) {
    return found && wanted && isLeft(found) && isLeft(wanted) ? 0 : Number.POSITIVE_INFINITY;
  }
  const expected = leavesOf(wanted.right);
  return leavesOf(found.right).reduce((most, t, i) => {
    const other = expected[i] as Tensor;
    if (t.dtype !== other.dtype) return Number.POSITIVE_INFINITY;
    if (tensorsEqual(t, other)) return most;
    if (!isFloat(t.dtype)) return Number.POSITIVE_INFINITY;
    const { equalNaNs, maxRelError } = compareTensors(t, other);
    return equalNaNs ? Math.max(most, maxRelError) : Number.POSITIVE_INFINITY;
  }, 0);
}

/** Whether code is made for a part of `main`. */
function isCompiled(m: IRModule): boolean {
  const region = regionOf(m.functions.get('main') as Func, m);
  if (region === undefined || level === undefined) return false;
  const { tasks } = compileRegion(region, m, { level, isExact: false });
  return tasks.some(({ _tag }) => _tag === 'Run');
}

describe('compiled operators', () => {
  it('agree with their reference kernels', () => {
    const compiled = new Set<string>();
    const problems: string[] = [];
    for (const name of standardOps.names) {
      for (let seed = SEED; seed < SEED + CALLS; seed++) {
        const m = singleCall(standardOps, name, seed, 'float32');
        if (m === undefined || !isCompiled(m)) continue;
        compiled.add(name);
        const error = errorOn(m, seed);
        if (error > LARGEST_ERROR) problems.push(`${error} on seed ${seed}: ${printModule(m)}`);
      }
    }
    expect(problems).toEqual([]);
    expect(compiled.size).toBeGreaterThan(60);
  });
});

describe.each(GENERATORS)('optimized programs of $name', (generator) => {
  const isContinuous = (m: IRModule): boolean =>
    [...printModule(m).matchAll(/([\w.]+)\(/g)].every(
      ([, name = '']) => standardOps.read(numericsColumn, name) !== 'discontinuous',
    );

  it('come near the interpreter', () => {
    const problems: string[] = [];
    let compared = 0;
    for (let seed = SEED; seed < SEED + PROGRAMS; seed++) {
      const { module } = generator.program(seed);
      const m = orThrow(runPass(optimize({ level: 3 }))(module)).module;
      if (!isContinuous(m)) continue;
      compared += 1;
      const error = errorOn(m, seed);
      if (error > 50 * LARGEST_ERROR) problems.push(`${error} on seed ${seed}: ${printModule(m)}`);
    }
    expect(problems).toEqual([]);
    expect(compared).toBeGreaterThan(0);
  });
});
