/** Blocks of axes: layouts, and space against depth or batch. */

import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import { viaPlainLayout } from '../shared/layouts.ts';
import { reshaped } from '../shared/reshaping.ts';
import { type Chapter, writes } from '../shared/rows.ts';
import { pad, reshapeTo, transpose } from '../shared/words.ts';

/** The rows of this chapter. */
export const layoutOperators: Chapter = [
  writes('nn.batch_to_space_nd', writeBatchToSpaceNd),
  writes('nn.depth_to_space', writeDepthToSpace),
  writes('layout_transform', writeLayoutTransform),
  writes('nn.space_to_batch_nd', writeSpaceToBatchNd),
  writes('nn.space_to_depth', writeSpaceToDepth),
];

/** `nn.batch_to_space_nd`: batches are split into blocks, which go behind their axes. */
function writeBatchToSpaceNd(context: CallContext, x: Operand): Written {
  const { attrs, call } = context;
  const blocks = attrs.ints('block_shape');
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batches = 1, ...sizes] = shape;
  const count = blocks.length;
  const batch = blocks.reduce((left, block) => left / block, batches);
  const parts = reshapeTo(context, x, [...blocks, batch, ...sizes]);
  const rest = sizes.slice(count);
  const axes = [
    count,
    ...blocks.flatMap((_, i) => [count + 1 + i, i]),
    ...rest.map((_, i) => 2 * count + 1 + i),
  ];
  const wide = sizes.map((size, i) => size * (blocks[i] ?? 1));
  const whole = transpose(context, parts, axes);
  const merged = reshapeTo(context, whole, [batch, ...wide]);
  const crops = attrs.pairs('crops');
  const begin = crops.map(([before]) => before);
  const end = crops.map(([, after], i) => (wide[i] ?? 0) - after);
  return call('strided_slice', [merged], { begin, end, axes: blocks.map((_, i) => i + 1) });
}

/** `nn.depth_to_space`: the channels are the second axis. */
function writeDepthToSpace(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.depth_to_space', 2);
  if (moved !== undefined) return moved;
  return context.node('DepthToSpace', [x], {
    blocksize: int(attrs.int('block_size')),
    mode: text(attrs.text('mode')),
  });
}

/** `layout_transform`: axes are split into blocks, exchanged, and merged. */
function writeLayoutTransform(context: CallContext, x: Operand): Written {
  const source = axesOf(context.attrs.text('src_layout'));
  const target = axesOf(context.attrs.text('dst_layout'));
  const letters = source.filter(({ block }) => block === undefined).map(({ letter }) => letter);
  const plain = withoutBlocks(context, x, source, letters);
  return plain === undefined ? undefined : withBlocks(context, plain, letters, target);
}

/** An axis of a layout: the whole of a letter, or a block of it. */
interface LayoutAxis {
  readonly letter: string;
  readonly block: number | undefined;
}

const axesOf = (layout: string): ReadonlyArray<LayoutAxis> =>
  [...layout.matchAll(/([A-Z])|(\d+)([a-z])/g)].map(([, letter, block, small = '']) => ({
    letter: letter ?? small.toUpperCase(),
    block: block === undefined ? undefined : Number(block),
  }));

/** The data with the axes `letters`, in this order, each in one piece. */
function withoutBlocks(
  context: CallContext,
  x: Operand,
  source: ReadonlyArray<LayoutAxis>,
  letters: ReadonlyArray<string>,
): Operand | undefined {
  if (source.length === letters.length) return x;
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const axes = letters.flatMap((letter) =>
    source.flatMap((axis, i) => (axis.letter === letter ? [i] : [])),
  );
  const sizes = letters.map((letter) =>
    source.reduce((size, axis, i) => (axis.letter === letter ? size * (shape[i] ?? 1) : size), 1),
  );
  return reshapeTo(context, transposed(context, x, axes), sizes);
}

/** The data, whose axes are `letters`, in another layout. */
function withBlocks(
  context: CallContext,
  x: Operand,
  letters: ReadonlyArray<string>,
  target: ReadonlyArray<LayoutAxis>,
): Operand | undefined {
  if (target.length === letters.length) {
    return transposed(
      context,
      x,
      target.map(({ letter }) => letters.indexOf(letter)),
    );
  }
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const parts = letters.flatMap((letter, i) => {
    const blocks = target.filter((axis) => axis.letter === letter && axis.block !== undefined);
    const inner = blocks.map(({ block = 1 }) => ({ letter, block, size: block }));
    const rest = inner.reduce((size, { block }) => size / block, shape[i] ?? 1);
    return [{ letter, block: undefined, size: rest }, ...inner];
  });
  const split = reshapeTo(
    context,
    x,
    parts.map(({ size }) => size),
  );
  const axes = target.map(({ letter, block }) =>
    parts.findIndex((part) => part.letter === letter && part.block === block),
  );
  return transposed(context, split, axes);
}

const transposed = (context: CallContext, x: Operand, axes: ReadonlyArray<number>): Operand =>
  axes.every((axis, i) => axis === i) ? x : transpose(context, x, axes);

/** `nn.space_to_batch_nd`: the padded axes are split, and their blocks moved to the front. */
function writeSpaceToBatchNd(context: CallContext, given: Operand): Written {
  const { attrs } = context;
  const blocks = attrs.ints('block_shape');
  const rank = context.dims(given).length;
  const listed = attrs.pairs('paddings');
  const widths = Array.from({ length: rank }, (_, axis) => listed[axis - 1] ?? [0, 0]);
  const value = context.scalar(attrs.float('pad_value'), context.dtype(given));
  const x = pad(context, given, value, widths);
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batch = 1, ...sizes] = shape;
  const [spatial, rest] = [sizes.slice(0, blocks.length), sizes.slice(blocks.length)];
  const split = spatial.flatMap((size, i) => [size / (blocks[i] ?? 1), blocks[i] ?? 1]);
  const parts = reshapeTo(context, x, [batch, ...split, ...rest]);
  const count = blocks.length;
  const axes = [
    ...blocks.map((_, i) => 2 + 2 * i),
    0,
    ...blocks.map((_, i) => 1 + 2 * i),
    ...rest.map((_, i) => 1 + 2 * count + i),
  ];
  return reshaped(context, transpose(context, parts, axes));
}

/** `nn.space_to_depth`: the channels are the second axis, and the block is read first. */
function writeSpaceToDepth(context: CallContext, x: Operand): Written {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.space_to_depth', 2);
  if (moved !== undefined) return moved;
  if (attrs.text('mode') !== 'DCR') return context.fail('SpaceToDepth puts the block first');
  return context.node('SpaceToDepth', [x], { blocksize: int(attrs.int('block_size')) });
}
