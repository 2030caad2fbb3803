/** Random tensors of every dtype, in random views. */
import {
  broadcastView,
  DTYPES,
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  reverseView,
  shapeSize,
  sliceView,
  type Tensor,
  tensor,
  transposeView,
} from '@baton/tensor';
import fc from 'fast-check';

export const SEED = 20_261_120;

const anyDType: fc.Arbitrary<DType> = fc.constantFrom(...DTYPES);

/** Mostly distinct primes, sometimes 0 or 1, so that a wrong axis is detected. */
export const anyDim: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(2, 3, 5, 7) },
  { weight: 2, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(0) },
);

export const anyShape: fc.Arbitrary<number[]> = fc.array(anyDim, { maxLength: 4 });

/** Values for every dtype, including the limits of each. */
export const anyNumber: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: -300, max: 300 }),
  fc.double(),
  fc.constantFrom(...edges()),
);

export const anyBigInt: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -300n, max: 300n }),
  fc.constantFrom(2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 24n + 1n, 65520n, 65519n),
);

export function anyTensor(shape: fc.Arbitrary<number[]>, dtype = anyDType): fc.Arbitrary<Tensor> {
  return fc.tuple(shape, dtype).chain(([dims, type]) => {
    const size = shapeSize(dims);
    const values = isBig(type)
      ? fc.array<number | bigint>(anyBigInt, { minLength: size, maxLength: size })
      : fc.array<number | bigint>(anyNumber, { minLength: size, maxLength: size });
    return values.map((list) => tensor(list, dims, type));
  });
}

export type ViewStep = (t: Tensor) => Tensor;

/** Steps valid for any tensor: permutations, reversals, slices, broadcasts. */
export const anyViewStep: fc.Arbitrary<ViewStep> = fc.oneof(
  fc.integer({ min: 0, max: 3 }).map(
    (turn): ViewStep =>
      (t) => {
        const rank = t.shape.length;
        return transposeView(
          t,
          t.shape.map((_, axis) => (axis + turn) % rank),
        );
      },
  ),
  fc.integer({ min: 0, max: 3 }).map((axis): ViewStep => {
    return (t) => (axis < t.shape.length ? reverseView(t, [axis]) : t);
  }),
  fc.tuple(fc.nat(3), fc.nat(2), fc.integer({ min: 1, max: 2 })).map(([axis, begin, step]) => {
    return (t: Tensor) => {
      const dim = t.shape[axis];
      if (dim === undefined || begin >= dim) return t;
      const only = (value: number, other: (d: number) => number) =>
        t.shape.map((d, a) => (a === axis ? value : other(d)));
      const count = Math.ceil((dim - begin) / step);
      return sliceView(
        t,
        only(begin, () => 0),
        only(count, (d) => d),
        only(step, () => 1),
      );
    };
  }),
  fc.constantFrom(2, 3).map(
    (times): ViewStep =>
      (t) => {
        return t.shape.length < 4 ? broadcastView(t, [times, ...t.shape]) : t;
      },
  ),
);

function edges(): number[] {
  const list = [0, -0, NaN, Infinity, -Infinity, 0.5, 1.5, 2.5, -0.5, -1.5, 2049, 65519.9, 65520];
  list.push(2 ** -14, 2 ** -24, 2 ** -25, 2 ** -25 * 1.5, 2 ** -126, 2 ** -133, 2 ** -149, 5e-324);
  for (const dtype of DTYPES) {
    const { min, max } = dtypeInfo(dtype);
    const [low, high] = [Number(min), Number(max)];
    list.push(low, high, -high, low * 2, high * 2);
    if (!isFloat(dtype)) list.push(low - 1, high + 1, high + 1.5, high / 2, low - 0.5);
  }
  return list;
}
