/** O.5 Every operator over axes without elements: the kernel's result has the promised type. */
import { type Diagnostic, isLeft } from '@baton/base';
import { type Attrs, noAttrs, type TensorType } from '@baton/ir';
import { type ExampleArg, evaluateOp, examplesColumn, type OpValue, standardOps } from '@baton/ops';
import { type DType, isTensor, type Tensor, zeros } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { right, run, tryRun } from './support.ts';

/** A size: the index of the tensor among all tensors of the arguments, and the axis. */
type Place = readonly [number, number];

const single = (arg: ExampleArg): ReadonlyArray<TensorType | Tensor> =>
  Array.isArray(arg) ? arg : [arg as TensorType | Tensor];

/** The sets of sizes that are set to 0 in a call: each separately, those of one size, all. */
function emptied(args: ReadonlyArray<ExampleArg>): ReadonlyArray<ReadonlyArray<Place>> {
  const places = args
    .flatMap(single)
    .flatMap((t, at) =>
      (t.shape as ReadonlyArray<number>).map((size, axis) => ({ at, axis, size })),
    );
  const plain = (some: typeof places): ReadonlyArray<Place> =>
    some.map(({ at, axis }) => [at, axis] as const);
  const sizes = new Set(places.map(({ size }) => size));
  const axes = new Set(places.map(({ axis }) => axis));
  return [
    ...places.map((place) => plain([place])),
    ...[...sizes].map((size) => plain(places.filter((place) => place.size === size))),
    ...[...axes].map((axis) => plain(places.filter((place) => place.axis === axis))),
    plain(places),
  ];
}

/**
 * The dtypes that replace the floats of an example: kernels treat numbers, bigints and bools
 * separately.
 */
const FLOATS = ['float32', 'int32', 'int64', 'bool'] as const;

/**
 * The arguments with these sizes set to 0: zeros, or the numbers of the example. The floats of the
 * example get the dtype `floats`.
 */
function valuesWith(
  args: ReadonlyArray<ExampleArg>,
  empty: ReadonlyArray<Place>,
  floats: DType,
): OpValue[] {
  let at = -1;
  const value = (t: TensorType | Tensor): Tensor => {
    at++;
    const shape = (t.shape as ReadonlyArray<number>).map((size, axis) =>
      empty.some(([tensor, place]) => tensor === at && place === axis) ? 0 : size,
    );
    const isSame = shape.every((size, axis) => size === t.shape[axis as never]);
    if (isTensor(t as Tensor) && isSame) return t as Tensor;
    return zeros(shape, t.dtype === 'float32' ? floats : (t.dtype as DType));
  };
  return args.map((arg) => (Array.isArray(arg) ? arg.map(value) : value(arg as Tensor)));
}

const shown = (values: ReadonlyArray<OpValue>): string =>
  values
    .map((v) => (isTensor(v) ? `${v.dtype}(${v.shape.join(', ')})` : `(${shown(v)})`))
    .join('; ');

describe('O.5 over axes of size 0, the type and the kernel agree:', () => {
  test.each(standardOps.names)('%s', (name) => {
    const examples = standardOps.read(examplesColumn, name) ?? [];
    const wrong: string[] = [];
    for (const example of examples) {
      const op = standardOps.get(name);
      const attrs = right(op?.attrs.decode((example.attrs ?? noAttrs) as Attrs) as never) as Attrs;
      const cases = FLOATS.flatMap((floats) =>
        emptied(example.args).map((places) => valuesWith(example.args, places, floats)),
      );
      for (const values of cases) {
        const call = `${name}(${shown(values)}) ${JSON.stringify(attrs, (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`;
        try {
          const result = evaluateOp(standardOps, name, attrs, values);
          const isFair = (d: Diagnostic): boolean => /^OP_(?!VALUE|KERNEL_THREW)/.test(d.code);
          if (isLeft(result) && !result.left.every(isFair)) {
            wrong.push(`${call}: ${result.left.map((d) => d.message).join('; ')}`);
          }
        } catch (error) {
          wrong.push(`${call}: throws ${String(error)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('O.2 an element of an axis that has none', () => {
  const empty = zeros([0, 3], 'float32');
  const at = zeros([2], 'int64');
  const rows = zeros([2, 3], 'int64');
  test.each<readonly [string, ReadonlyArray<Tensor>, Attrs]>([
    ['take', [empty, at], { axis: 0 }],
    ['take', [empty, at], {}],
    ['take', [zeros([2, 0], 'float32'), rows], { axis: 1, batch_dims: 1 }],
    ['gather', [empty, rows], { axis: 0 }],
    ['gather_nd', [empty, zeros([1, 2], 'int64')], {}],
    ['argmax', [empty], { axis: 0 }],
    ['argmin', [empty], {}],
    ['nn.adaptive_avg_pool1d', [zeros([1, 2, 0], 'float32')], { output_size: 2 }],
    ['nn.adaptive_max_pool1d', [zeros([1, 2, 0], 'float32')], { output_size: 2 }],
  ])('O.2 %s says that there is none', (name, args, attrs) => {
    const result = tryRun(name, args, attrs);
    expect(isLeft(result) && result.left.map((d) => `${d.code}: ${d.message}`)).toEqual([
      `OP_EXTENT: ${name}: \`data\`: there is nothing to pick from an axis without elements`,
    ]);
  });

  test.each<readonly [string, ReadonlyArray<Tensor>, Attrs, ReadonlyArray<number>]>([
    ['take', [empty, zeros([0], 'int64')], { axis: 0 }, [0, 3]],
    ['take', [zeros([0, 0], 'float32'), at], { axis: 0 }, [2, 0]],
    ['gather', [empty, zeros([0, 3], 'int64')], { axis: 0 }, [0, 3]],
    ['argmax', [zeros([0, 0], 'float32')], { axis: 0 }, [0]],
    ['argmax', [empty], { axis: 1 }, [0]],
  ])('O.2 %s of none is empty', (name, args, attrs, shape) => {
    expect((run(name, args, attrs) as Tensor).shape).toEqual(shape);
  });
});
