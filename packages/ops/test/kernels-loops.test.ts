/** O.15: each expression has its own loop, so its time does not depend on earlier operators. */
import { type DType, type Tensor, type TensorData, tensor, toNumbers } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { type Compile, makeLoops } from '../src/kernels/loops.ts';
import { compileText } from '../src/scalar/compile.ts';
import { math, type Scalar, x, y, z } from '../src/scalar/expr.ts';
import { run as runOp } from './support.ts';

/** Expressions of one, two and three operands; the second also of bigints. */
const negative = math.neg(x);
const plus = math.add(x, y);
const blend = math.add(math.mul(x, y), z);

const STORAGE = [Float32Array, Float64Array, Int32Array, Int8Array, Uint8Array, BigInt64Array];

const typeOf = (data: TensorData): DType =>
  data[Symbol.toStringTag].replace('Array', '').replace('Big', '').toLowerCase() as DType;

const filled = (Kind: (typeof STORAGE)[number], count: number): TensorData =>
  Kind === BigInt64Array
    ? BigInt64Array.from({ length: count }, (_, i) => BigInt(i % 5))
    : (Kind as typeof Float64Array).from({ length: count }, (_, i) => i % 5);

/** The results of an expression on operands of a kind: dense, strided, of one element, reversed. */
function results(
  { mapLoop }: ReturnType<typeof makeLoops>,
  expr: Scalar,
  operands: number,
  Kind: (typeof STORAGE)[number],
): ReadonlyArray<TensorData> {
  const data = Array.from({ length: operands }, () => filled(Kind, 24));
  return [
    [1, 1, 1],
    [2, 1, 0],
    [0, 2, 1],
    [-1, 1, -2],
  ].map((list) => {
    const steps = list.slice(0, operands);
    const out = filled(Kind, 14);
    const starts = steps.map((step) => (step < 0 ? 23 : 1));
    mapLoop(expr, typeOf(out), data, steps, out)(data, starts, steps, 10, out, 2);
    return out;
  });
}

describe('O.15 loops of their own', () => {
  it.each([
    ['one operand', negative, 1],
    ['two operands', plus, 2],
    ['three operands', blend, 3],
  ] as const)('compute what the shared ones do: %s', (_, expr, operands) => {
    const [own, shared] = [makeLoops(), makeLoops(() => undefined)];
    for (const Kind of STORAGE.filter((k) => k !== BigInt64Array || expr === plus)) {
      const expected = results(shared, expr, operands, Kind);
      for (let run = 0; run < 3; run++) {
        expect(results(own, expr, operands, Kind)).toEqual(expected);
      }
    }
  });

  it.each(STORAGE.map((Kind) => [Kind.name, Kind] as const))(
    'fold and find what the shared ones do: %s',
    (_, Kind) => {
      const data = filled(Kind, 24) as Float64Array;
      const isBig = Kind === BigInt64Array;
      const zero = (isBig ? 0n : 0) as number;
      const [sums, shared] = [makeLoops(), makeLoops(() => undefined)].map((loops) => {
        const dtype = typeOf(data);
        const find = loops.findLoop(math.less(x, y), dtype, data);
        return [
          loops.foldLoop(plus, dtype, data)(zero, data, 1, 7, 3),
          loops.cellsLoop(plus, dtype, data)(zero, data, 2, [0, 5, 7, 7]),
          find(zero, data, 1, 6, 2),
          find((isBig ? 9n : 9) as number, data, 1, 6, 2),
        ];
      });
      expect(sums).toEqual(shared);
      // Of 1, 4, 2, 0, 3, 1, 4, of 2, 2, 4, 4, and the last that is larger of 1, 3, 0, 2, 4, 1.
      expect(sums).toEqual([...(isBig ? [15n, 12n] : [15, 12]), 4, -1]);
    },
  );

  it('are one for each expression, type, storage and steps', () => {
    const texts: string[] = [];
    const compile: Compile = (text) => {
      texts.push(text);
      return compileText(text);
    };
    const { mapLoop, foldLoop } = makeLoops(compile);
    const [floats, bytes] = [new Float32Array(4), new Uint8Array(4)];
    const loops = [
      mapLoop(plus, 'float32', [floats, floats], [1, 1], floats),
      mapLoop(plus, 'float32', [floats, floats], [1, 0], floats),
      mapLoop(plus, 'float32', [floats, floats], [2, 3], floats),
      mapLoop(plus, 'uint8', [bytes, bytes], [1, 1], bytes),
      mapLoop(plus, 'float32', [floats, floats], [1, 1], bytes),
      foldLoop(plus, 'float32', floats),
    ];
    expect(new Set(loops).size).toBe(6);
    expect(mapLoop(plus, 'float32', [floats, floats], [1, 1], floats)).toBe(loops[0]);
    expect(mapLoop(plus, 'float32', [floats, floats], [4, 5], floats)).toBe(loops[2]);
    // No two have the same text: V8 would share their feedback.
    expect(new Set(texts).size).toBe(6);
  });

  it('fold as the shared ones do', () => {
    const { foldLoop } = makeLoops();
    const data = Float64Array.of(1, 2, 4, 8, 16, 32);
    const folded = (): number => foldLoop(plus, 'float64', data)(0.5, data, 1, 2, 3);
    expect([folded(), folded(), folded()]).toEqual([18.5, 18.5, 18.5]);
  });
});

describe('numbers that an operator takes', () => {
  const half = (values: ReadonlyArray<number>): Tensor =>
    tensor(values, [values.length], 'float16');

  const clip = (data: Tensor, low: number, high: number): Tensor =>
    runOp('clip', [data], { a_min: low, a_max: high }) as Tensor;
  const leakyRelu = (data: Tensor, alpha: number): Tensor =>
    runOp('nn.leaky_relu', [data], { alpha }) as Tensor;

  it('are operands of rank 0: no call makes an expression', () => {
    for (let run = 0; run < 3; run++) {
      expect([...toNumbers(clip(half([-1, 0.5, 7]), 0, 6))]).toEqual([0, 0.5, 6]);
      expect([...toNumbers(leakyRelu(half([-2, 3]), 0.5))]).toEqual([-1, 3]);
      const big = tensor([-9n, 0n, 9n], [3], 'int64');
      expect([...toNumbers(clip(big, -3.7, Number.POSITIVE_INFINITY))]).toEqual([-3, 0, 9]);
    }
  });
});
