/** Slices of every second row and column, concatenated as channels: `SpaceToDepth`. */
import { mergeSpans } from '@baton/base';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { int } from '../../operator-api/attribute-values.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { constantOperand, type DraftNode, operand } from '../graph-builder.ts';
import { rangesOf } from './slices.ts';
import { knownSizes, numberAttribute, type Step, type Surroundings } from './steps.ts';

export const blocks: Step = (node, graph) => {
  if (node.opType !== 'Concat' || numberAttribute(node, 'axis') !== 1) return undefined;
  const size = Math.sqrt(node.inputs.length);
  const [result] = node.outputs;
  const parts = node.inputs.map((input) => partOf(input, size, graph));
  const x = parts[0]?.x;
  const channels = knownSizes(x)?.[1];
  if (result === undefined || x === undefined || channels === undefined) return undefined;
  const places = parts.map((part) => (part?.x === x ? part.place : -1));
  if (places.includes(-1) || new Set(places).size < places.length) return undefined;
  const span = mergeSpans(...parts.map((part) => part?.made.span), node.span);
  const moved = { ...node, inputs: [x], attributes: { blocksize: int(size) }, span };
  if (places.every((place, i) => place === i)) return [{ ...moved, opType: 'SpaceToDepth' }];
  const inOrder = operand(result.type);
  const order = constantOperand(channelsOf(places, channels));
  return [
    { ...moved, opType: 'SpaceToDepth', outputs: [inOrder] },
    { ...node, opType: 'Gather', inputs: [inOrder, order], attributes: { axis: int(1) }, span },
  ];
};

interface Part {
  readonly made: DraftNode;
  readonly x: Operand;
  /** The place of its elements in a block. */
  readonly place: number;
}

/** The part of blocks that a slice takes, if nothing else uses it. */
function partOf(
  input: Operand | undefined,
  size: number,
  { maker, isUsedOnce }: Surroundings,
): Part | undefined {
  const made = maker(input);
  const [x] = made?.inputs ?? [];
  const [, , height = 1, width = 1, ...more] = knownSizes(x) ?? [];
  if (input === undefined || made === undefined || x === undefined) return undefined;
  if (!isUsedOnce(input) || more.length > 0 || height % size > 0 || width % size > 0) {
    return undefined;
  }
  const ranges = rangesOf(made)?.toSorted((a, b) => a.axis - b.axis) ?? [];
  const [row, column] = ranges;
  const isEach = ranges.length === 2 && row?.axis === 2 && column?.axis === 3;
  if (!isEach || ranges.some(({ step }) => step !== size)) return undefined;
  const [, , rows, columns] = knownSizes(input) ?? [];
  if (rows !== height / size || columns !== width / size) return undefined;
  return { made, x, place: row.start * size + column.start };
}

/** The channels of blocks in another order of places. */
const channelsOf = (places: ReadonlyArray<number>, channels: number): Tensor => {
  const all = places.flatMap((place) =>
    Array.from({ length: channels }, (_, channel) => place * channels + channel),
  );
  return fromNumbers(Float64Array.from(all), [all.length], 'int64');
};
