/** Contractions of the standard operators: products of matrices, einsum, convolutions. */
import type { Shape } from '@baton/tensor';
import type { AffineIndex, Contraction } from '../kernels/contraction.ts';

export const along = (label: string): AffineIndex => ({
  terms: [{ label, factor: 1 }],
  offset: 0,
});

/** Index 0, for an axis of size 1 that broadcasts. */
const first: AffineIndex = { terms: [], offset: 0 };

/**
 * The contraction of labelled axes. An axis of size 1 whose label is larger elsewhere broadcasts.
 *
 * @param labels - The labels of each operand's axes, and of the result's.
 */
export function contractionOf(
  labels: Omit<Labels, 'sizes'>,
  shapes: ReadonlyArray<Shape>,
): Contraction {
  const sizes = new Map<string, number>();
  shapes.forEach((shape, i) => {
    labels.operands[i]?.forEach((label, axis) => {
      const known = sizes.get(label) ?? 1;
      sizes.set(label, known === 1 ? (shape[axis] as number) : known);
    });
  });
  const operands = shapes.map((shape, i) =>
    shape.map((dim, axis) => {
      const label = labels.operands[i]?.[axis] ?? '';
      return dim === 1 && sizes.get(label) !== 1 ? first : along(label);
    }),
  );
  return { sizes, operands, result: labels.result.map(along) };
}

interface Labels {
  readonly operands: ReadonlyArray<ReadonlyArray<string>>;
  readonly result: ReadonlyArray<string>;
}

/** (…, m, k) · (k, n), with either operand optionally transposed. */
export function matrixLabels(rank: number, isTurnedA: boolean, isTurnedB: boolean): Labels {
  const lead = Array.from({ length: rank - 2 }, (_, i) => `b${i}`);
  return rank < 2
    ? { operands: [['k'], turned(['k', 'n'], isTurnedB)], result: ['n'] }
    : {
        operands: [[...lead, ...turned(['m', 'k'], isTurnedA)], turned(['k', 'n'], isTurnedB)],
        result: [...lead, 'm', 'n'],
      };
}

/** (b, m, k) · (b, k, n), with either operand optionally transposed. */
export const batchLabels = (isTurnedA: boolean, isTurnedB: boolean): Labels => ({
  operands: [
    ['b', ...turned(['m', 'k'], isTurnedA)],
    ['b', ...turned(['k', 'n'], isTurnedB)],
  ],
  result: ['b', 'm', 'n'],
});

const turned = (labels: ReadonlyArray<string>, isTurned: boolean): ReadonlyArray<string> =>
  isTurned ? [...labels].reverse() : labels;

export interface Convolution {
  readonly strides: Shape;
  readonly dilation: Shape;
  /** Before each spatial axis. */
  readonly padding: Shape;
  readonly groups: number;
  /** The axes of data, weight and result in the order N C …, O I …, N C …. */
  readonly axes: Readonly<Record<'data' | 'weight' | 'result', Shape>>;
}

/**
 * A convolution as a contraction over windows: `n g o y… = Σ c i… data(n, g·C + c, y·s + i·d − p …) ·
 * weight(g·O + o, c, i …)`.
 */
export function convolutionOf(
  { strides, dilation, padding, groups, axes }: Convolution,
  [data, weight]: readonly [Shape, Shape],
  result: Shape,
): Contraction {
  const dim = (shape: Shape, order: Shape, axis: number) => shape[order[axis] as number] as number;
  const spatial = strides.map((_, i) => i);
  const channels = dim(data, axes.data, 1) / groups;
  const outputs = dim(result, axes.result, 1) / groups;
  // A depthwise weight (C, m, …) has the m outputs of each channel in place of inputs.
  const isMultiplied = dim(weight, axes.weight, 1) !== channels;
  const sizes = new Map<string, number>([
    ['n', dim(data, axes.data, 0)],
    ['g', groups],
    ['o', outputs],
    ...spatial.map((i) => [`y${i}`, dim(result, axes.result, i + 2)] as const),
    ['c', channels],
    ...spatial.map((i) => [`k${i}`, dim(weight, axes.weight, i + 2)] as const),
  ]);
  const grouped = (label: string, size: number): AffineIndex => ({
    terms: [
      { label: 'g', factor: size },
      { label, factor: 1 },
    ],
    offset: 0,
  });
  const places = {
    data: [
      along('n'),
      grouped('c', channels),
      ...spatial.map((i) => ({
        terms: [
          { label: `y${i}`, factor: strides[i] as number },
          { label: `k${i}`, factor: dilation[i] as number },
        ],
        offset: -(padding[i] as number),
      })),
    ],
    weight: [
      ...(isMultiplied ? [along('g'), along('o')] : [grouped('o', outputs), along('c')]),
      ...spatial.map((i) => along(`k${i}`)),
    ],
    result: [along('n'), grouped('o', outputs), ...spatial.map((i) => along(`y${i}`))],
  };
  const ordered = (name: keyof typeof places): ReadonlyArray<AffineIndex> =>
    axes[name].map((_, axis) => places[name][axes[name].indexOf(axis)] as AffineIndex);
  return { sizes, operands: [ordered('data'), ordered('weight')], result: ordered('result') };
}
