import { anyDim, tensorType, tupleType } from '@baton/ir';
import { fromNumbers, isBig, readBigInt, readNumber, type Tensor } from '@baton/tensor';
import { bool } from '../../attrs/codecs.ts';
import { attrs, withDefault } from '../../attrs/schema.ts';
import { defineOp } from '../../define-op.ts';
import { f32s, i32s } from '../../example-types.ts';
import { sorts } from '../../families/sorting.ts';
import { gatherNd } from '../../kernels/gather-nd.ts';
import { dimAt, hasRank, tensorArg } from '../../relation/known.ts';

const OPEN = tensorType([anyDim], 'int32');

export const unique = defineOp({
  name: 'unique',
  doc: 'The distinct elements of a vector, sorted or in order of appearance; the first index of each; the index of each element among them; their number; and their counts.',
  source: 'operators §4; NumPy unique; ONNX Unique-11',
  attrs: attrs({ sorted: withDefault(bool, true), return_counts: withDefault(bool, false) }),
  relation: (args, { return_counts: counts }, context) => {
    const data = tensorArg(args, 0, context);
    if (data === undefined || !hasRank(data, '`data`', [1], context)) return undefined;
    return tupleType([
      tensorType([anyDim], data.dtype),
      OPEN,
      tensorType([dimAt(data, 0)], 'int32'),
      tensorType([1], 'int32'),
      ...(counts ? [OPEN] : []),
    ]);
  },
  kernel: (args, { sorted, return_counts: counted }, out) => {
    const data = args.tensor(0);
    const { firsts, places, counts } = distinct(elementsOf(data), sorted);
    const vector = (numbers: ReadonlyArray<number>): Tensor =>
      fromNumbers(numbers, [numbers.length], 'int32', out);
    const rows = fromNumbers(firsts, [1, firsts.length], 'int32', out);
    return [
      gatherNd(data, rows, 0, [firsts.length], out),
      vector(firsts),
      vector(places),
      vector([firsts.length]),
      ...(counted ? [vector(counts)] : []),
    ];
  },
  ...sorts,
  examples: [
    {
      args: [f32s(2, 1, 1, 3, 4, 3)],
      result: [
        tensorType([anyDim], 'float32'),
        OPEN,
        tensorType([6], 'int32'),
        tensorType([1], 'int32'),
      ],
    },
    {
      args: [i32s(5, -1, 5)],
      attrs: { sorted: false, return_counts: true },
      result: [OPEN, OPEN, tensorType([3], 'int32'), tensorType([1], 'int32'), OPEN],
    },
  ],
});

type Element = number | bigint;

const elementsOf = (data: Tensor): ReadonlyArray<Element> =>
  Array.from({ length: data.shape[0] ?? 0 }, (_, i) =>
    isBig(data.dtype) ? readBigInt(data, i) : readNumber(data, i),
  );

/**
 * The first index of each distinct element, the index of each element among them, and the counts.
 */
function distinct(
  elements: ReadonlyArray<Element>,
  sorted: boolean,
): {
  readonly firsts: ReadonlyArray<number>;
  readonly places: ReadonlyArray<number>;
  readonly counts: ReadonlyArray<number>;
} {
  // Zeros are equal, and so are NaNs.
  const known = new Map<Element, { readonly first: number; count: number }>();
  elements.forEach((element, first) => {
    const entry = known.get(element);
    if (entry === undefined) known.set(element, { first, count: 1 });
    else entry.count++;
  });
  const entries = [...known];
  if (sorted) entries.sort(([a], [b]) => ascending(a, b));
  const order = new Map(entries.map(([element], place) => [element, place]));
  return {
    firsts: entries.map(([, { first }]) => first),
    places: elements.map((element) => order.get(element) as number),
    counts: entries.map(([, { count }]) => count),
  };
}

/** NaN comes last. */
function ascending(a: Element, b: Element): number {
  if (a < b || Number.isNaN(b)) return Number.isNaN(a) ? 0 : -1;
  return a > b || Number.isNaN(a) ? 1 : 0;
}
