/**
 * Contractions as products that kernels compute: a product of matrices, one or a batch, or a
 * convolution of two axes. Operands are transposed and reshaped to these, and the result back.
 */
import { type AffineIndex, type Contraction, type Move, moves } from '@baton/ops';
import { type Shape, shapeSize } from '@baton/tensor';
import type { ProductOperator } from './element.ts';

/** A contraction as a call of an operator that has kernels. */
export interface CanonicalProduct extends ProductOperator {
  /** How each operand is looked at. */
  readonly operands: readonly [ReadonlyArray<Move>, ReadonlyArray<Move>];
  /** How the operator's result is looked at. */
  readonly result: ReadonlyArray<Move>;
}

/** A contraction of two operands as such a call; `undefined` if it is none. */
export function canonicalProduct(
  contraction: Contraction,
  shapes: ReadonlyArray<Shape>,
  result: Shape,
): CanonicalProduct | undefined {
  if (contraction.operands.length !== 2) return undefined;
  if ([...contraction.sizes.values()].includes(0)) return undefined;
  return matrices(contraction, shapes) ?? convolution(contraction, shapes, result);
}

type Labels = ReadonlyArray<string | undefined>;

/** The label of each axis, `undefined` where it broadcasts; nothing if an axis is more than a label. */
function labelsOf(axes: ReadonlyArray<AffineIndex>): Labels | undefined {
  const labels = axes.map(({ terms: [first, second], offset }) =>
    second !== undefined || offset !== 0 || (first && first.factor !== 1) ? null : first?.label,
  );
  const known = labels.filter((label) => typeof label === 'string');
  const isPlain = !labels.includes(null) && new Set(known).size === known.length;
  return isPlain ? (labels as Labels) : undefined;
}

function matrices({ sizes, operands, result }: Contraction, shapes: ReadonlyArray<Shape>) {
  const [a, b, out] = [operands[0], operands[1], result].map((axes) => axes && labelsOf(axes));
  if (a === undefined || b === undefined || out === undefined) return undefined;
  const inBoth = [...sizes.keys()].filter((label) => a.includes(label) && b.includes(label));
  const batch = inBoth.filter((label) => out.includes(label));
  const depth = inBoth.filter((label) => !out.includes(label));
  const own = (labels: Labels): ReadonlyArray<string> =>
    labels.filter((label) => label !== undefined && !inBoth.includes(label)) as string[];
  const [rows, columns] = [own(a), own(b)];
  // What only one operand has, and the result has not, would be summed first.
  if (![...rows, ...columns].every((label) => out.includes(label))) return undefined;
  const sizesOf = (labels: ReadonlyArray<string>): Shape =>
    labels.map((label) => sizes.get(label) as number);
  const size = (labels: ReadonlyArray<string>): number => shapeSize(sizesOf(labels));
  const lead = batch.length > 0 ? [size(batch)] : [];
  const looked = (labels: Labels, shape: Shape, order: ReadonlyArray<string>, to: Shape) => {
    const named = labels.filter((label) => label !== undefined);
    return [
      moves.reshaped(shape.filter((_, axis) => labels[axis] !== undefined)),
      moves.transposed<number>(order.map((label) => named.indexOf(label))),
      moves.reshaped([...lead, ...to]),
    ];
  };
  const made = [...batch, ...rows, ...columns];
  if (made.length !== out.length) return undefined;
  const [m, n, k] = [size(rows), size(columns), size(depth)];
  // A second operand whose columns come last is taken as it lies.
  const upright = [...batch, ...depth, ...columns];
  const isTurned = b
    .filter((label) => label !== undefined)
    .some((label, i) => label !== upright[i]);
  return {
    name: lead.length > 0 ? 'nn.batch_matmul' : 'nn.matmul',
    attrs: { transpose_a: false, transpose_b: isTurned },
    out: [...lead, m, n],
    operands: [
      looked(a, shapes[0] as Shape, [...batch, ...rows, ...depth], [m, k]),
      isTurned
        ? looked(b, shapes[1] as Shape, [...batch, ...columns, ...depth], [n, k])
        : looked(b, shapes[1] as Shape, upright, [k, n]),
    ] as const,
    result: [
      moves.reshaped(sizesOf(made)),
      moves.transposed<number>(out.map((label) => made.indexOf(label as string))),
    ],
  };
}

/** The axes of a convolution in the order N C …, O I …, N O …, with what it slides. */
interface Slides {
  readonly order: readonly [Shape, Shape, Shape];
  readonly groups: number;
  readonly strides: Shape;
  readonly dilation: Shape;
  readonly padding: Shape;
}

function slidesOf({ sizes, operands: [data = [], weight = []], result }: Contraction) {
  const kept = new Set(result.flatMap(({ terms }) => terms.map(({ label }) => label)));
  const axisOf = (axes: ReadonlyArray<AffineIndex>, labels: ReadonlyArray<string>): number =>
    axes.findIndex(({ terms }) => labels.every((label) => terms.some((t) => t.label === label)));
  // The outputs of all groups are one axis of the weight.
  const outputs = weight.find(({ terms }) => terms.every(({ label }) => kept.has(label)));
  const [group, output] = outputs?.terms ?? [];
  if (group === undefined || output === undefined) return undefined;
  const channelAxis = axisOf(data, [group.label]);
  const channel = data[channelAxis]?.terms.find(({ label }) => label !== group.label);
  const batch = data.findIndex(({ terms }) => terms.length === 1);
  const spatial = data.flatMap(({ terms, offset }, axis) =>
    terms.length === 2 && axis !== channelAxis ? [{ terms, offset, axis }] : [],
  );
  if (channel === undefined || batch < 0 || spatial.length + 2 !== data.length) return undefined;
  const parts = spatial.map(({ terms, offset, axis }) => {
    const place = terms.find(({ label }) => kept.has(label));
    const cell = terms.find(({ label }) => !kept.has(label));
    return { place, cell, offset, axis };
  });
  if (parts.some(({ place, cell }) => place === undefined || cell === undefined)) return undefined;
  const label = data[batch]?.terms[0]?.label as string;
  const order = [
    [batch, channelAxis, ...parts.map(({ axis }) => axis)],
    [
      axisOf(weight, [group.label, output.label]),
      axisOf(weight, [channel.label]),
      ...parts.map(({ cell }) => axisOf(weight, [cell?.label as string])),
    ],
    [
      axisOf(result, [label]),
      axisOf(result, [group.label, output.label]),
      ...parts.map(({ place }) => axisOf(result, [place?.label as string])),
    ],
  ] as const;
  if (order.some((axes) => axes.includes(-1) || new Set(axes).size !== axes.length)) {
    return undefined;
  }
  const slides: Slides = {
    order,
    groups: sizes.get(group.label) as number,
    strides: parts.map(({ place }) => place?.factor as number),
    dilation: parts.map(({ cell }) => cell?.factor as number),
    padding: parts.map(({ offset }) => -offset),
  };
  return slides;
}

/** A convolution of one or two axes, in any layout, in the layout NCHW. */
function convolution(
  contraction: Contraction,
  shapes: ReadonlyArray<Shape>,
  result: Shape,
): CanonicalProduct | undefined {
  const slides = slidesOf(contraction);
  const [data, weight] = shapes;
  const count = slides?.strides.length ?? 0;
  if (slides === undefined || data === undefined || weight === undefined) return undefined;
  if (count < 1 || count > 2 || slides.padding.some((width) => width < 0)) return undefined;
  const { order, groups } = slides;
  // A single axis becomes the second of two.
  const both = (list: Shape, filler: number): Shape => (count === 1 ? [filler, ...list] : list);
  const plain = (shape: Shape, axes: Shape): Shape => {
    const [first = 1, second = 1, ...rest] = axes.map((axis) => shape[axis] as number);
    return [first, second, ...both(rest, 1)];
  };
  const looked = (shape: Shape, axes: Shape): ReadonlyArray<Move> => [
    moves.transposed(axes),
    moves.reshaped(plain(shape, axes)),
  ];
  const out = plain(result, order[2]);
  const before = both(slides.padding, 0);
  return {
    name: 'nn.conv2d',
    attrs: {
      strides: both(slides.strides, 1),
      dilation: both(slides.dilation, 1),
      // The kernel takes the sizes after the data from the result.
      padding: [...before, ...before],
      groups,
      data_layout: 'NCHW',
      kernel_layout: 'OIHW',
      out_layout: '',
      algorithm: '',
    },
    out,
    operands: [looked(data, order[0]), looked(weight, order[1])],
    result: [
      moves.reshaped(order[2].map((axis) => result[axis] as number)),
      moves.transposed(result.map((_, axis) => order[2].indexOf(axis))),
    ],
  };
}
