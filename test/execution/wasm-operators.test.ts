/** Compiled operators on random types, shapes and attributes, compared with the interpreter. */
import { isLeft, mulberry32, orThrow } from '@baton/base';
import { interpreter, type Value } from '@baton/executor';
import { type Func, type IRModule, inferTypes } from '@baton/ir';
import { type Region, regionOf } from '@baton/lower';
import { numericsColumn, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { optimize } from '@baton/passes';
import {
  compareTensors,
  isFloat,
  type Shape,
  shapeSize,
  type Tensor,
  tensor,
  tensorsEqual,
} from '@baton/tensor';
import { GENERATORS, inputsFor, leavesOf } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { makeWasm } from '@baton/wasm';
import { describe, expect, it } from 'vitest';
import { compileRegion } from '../../packages/wasm/src/compile.ts';
import { amount } from '../tier.ts';

const PROGRAMS = amount(20, { quick: 6 });

/** The most programs that are made for these: a step of rounding makes a program no use. */
const MADE = 400;

const SEED = 16_100;

/** The largest error relative to an element or the root mean square of all. */
const LARGEST_ERROR = 2e-5;

const wasm = makeWasm({ leastElements: 0 });

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

describe('windows that overlap', () => {
  const numbers = mulberry32(SEED);
  const EXTREMES = [Number.NaN, Infinity, -Infinity, 0, -0];
  /** Floats of which one in ten is no usual number. */
  const extremes = (shape: Shape): Tensor => {
    const data = Float32Array.from({ length: shapeSize(shape) }, () =>
      numbers() < 0.1 ? (EXTREMES[Math.floor(5 * numbers())] as number) : numbers() - 0.5,
    );
    return tensor(data, shape, 'float32');
  };

  it.each([
    ['nn.max_pool2d', [1, 3, 9, 11], 'pool_size=[3, 3], padding=[1, 1, 1, 1]', 2],
    ['nn.max_pool2d', [2, 3, 9, 11], 'pool_size=[3, 3], strides=[2, 2], ceil_mode=True', 2],
    ['nn.max_pool2d', [1, 2, 9, 23], 'pool_size=[2, 5], strides=[1, 2], dilation=[1, 2]', 2],
    ['nn.max_pool2d', [1, 3, 8, 8], 'pool_size=[2, 2], strides=[2, 2]', 1],
    ['nn.max_pool1d', [1, 3, 19], 'pool_size=[3]', 1],
    ['nn.max_pool3d', [1, 2, 6, 7, 9], 'pool_size=[3, 3, 3], padding=[1, 1, 1]', 2],
    ['max', [5, 7, 9], 'axis=[1, 2]', 1],
  ] as const)('%s of %j with %s', (name, shape, attrs, folds) => {
    const text = `#[version = "0.0.5"]
      def @main(%x: Tensor[(${shape.join(', ')}), float32]) { ${name}(%x, ${attrs}) }`;
    const m = orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
    const region = regionOf(m.functions.get('main') as Func, m);
    const { lowered } = compileRegion(region as Region, m, { level: 'simd', isExact: true });
    expect(lowered.kernels.filter(({ _tag }) => _tag === 'Fold').length).toBe(folds);
    const exact = makeWasm({ isExact: true, leastElements: 0 });
    for (let run = 0; run < 4; run++) {
      const args = [extremes(shape)];
      const [found, wanted] = [exact, interpreter].map((executor) =>
        orThrow(orThrow(executor.prepare(m)).run(args)),
      ) as [Value, Value];
      expect(tensorsEqual(leavesOf(found)[0] as Tensor, leavesOf(wanted)[0] as Tensor)).toBe(true);
    }
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
    for (let seed = SEED; seed < SEED + MADE && compared < PROGRAMS; seed++) {
      const { module } = generator.program(seed);
      const m = orThrow(runPass(optimize({ level: 3 }))(module)).module;
      if (!isContinuous(m)) continue;
      compared += 1;
      const error = errorOn(m, seed);
      if (error > 50 * LARGEST_ERROR) problems.push(`${error} on seed ${seed}: ${printModule(m)}`);
    }
    expect(problems).toEqual([]);
    expect(compared).toBeGreaterThan(PROGRAMS / 4);
  });
});
