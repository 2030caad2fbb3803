/** Blocks of axes: layouts, and space against depth or batch. */

import { shapeSize } from '@baton/tensor';
import { int, text } from '../operator-api/attribute-values.ts';
import type { CallContext, Operand, Written } from '../operator-api/exporter.ts';
import { viaPlainLayout } from '../shared/layouts.ts';
import { reshaped } from '../shared/reshaping.ts';
import { type Chapter, type Operands, writes } from '../shared/rows.ts';
import { pad, range, reshapeTo, transpose } from '../shared/words.ts';

export const layoutOperators: Chapter = [
  writes('nn.batch_to_space_nd', writeBatchToSpaceNd),
  writes('nn.depth_to_space', writeDepthToSpace),
  writes('layout_transform', writeLayoutTransform),
  writes('nn.space_to_batch_nd', writeSpaceToBatchNd),
  writes('nn.space_to_depth', writeSpaceToDepth),
];

/** `nn.batch_to_space_nd`: batches are split into blocks, which move after their axes. */
function writeBatchToSpaceNd(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const blocks = attrs.ints('block_shape');
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batches = 1, ...sizes] = shape;
  const count = blocks.length;
  const batch = batches / shapeSize(blocks);
  const wide = sizes.map((size, i) => size * (blocks[i] ?? 1));
  const crops = attrs.pairs('crops');
  const text = `
    %0 = transpose(reshape(?x, newshape=?parts, allowzero=1), axes=?axes);
    strided_slice(reshape(%0, newshape=?merged, allowzero=1), begin=?begin, end=?end, axes=?spatial)`;
  return context.formula(text, {
    x,
    parts: [...blocks, batch, ...sizes],
    axes: [
      count,
      ...blocks.flatMap((_, i) => [count + 1 + i, i]),
      ...range(2 * count + 1, sizes.length + count + 1),
    ],
    merged: [batch, ...wide],
    begin: crops.map(([before]) => before),
    end: crops.map(([, after], i) => (wide[i] ?? 0) - after),
    spatial: range(1, count + 1),
  });
}

/** `nn.depth_to_space`: the channels are the second axis. */
function writeDepthToSpace(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.depth_to_space', 2);
  if (moved !== undefined) return moved;
  return context.node('DepthToSpace', [x], {
    blocksize: int(attrs.int('block_size')),
    mode: text(attrs.text('mode')),
  });
}

function writeLayoutTransform(context: CallContext, [x]: Operands): Written {
  const source = axesOf(context.attrs.text('src_layout'));
  const target = axesOf(context.attrs.text('dst_layout'));
  const letters = source.filter(({ block }) => block === undefined).map(({ letter }) => letter);
  const plain = withoutBlocks(context, x, source, letters);
  return plain === undefined ? undefined : withBlocks(context, plain, letters, target);
}

interface LayoutAxis {
  readonly letter: string;
  readonly block: number | undefined;
}

const axesOf = (layout: string): ReadonlyArray<LayoutAxis> =>
  [...layout.matchAll(/([A-Z])|(\d+)([a-z])/g)].map(([, letter, block, small = '']) => ({
    letter: letter ?? small.toUpperCase(),
    block: block === undefined ? undefined : Number(block),
  }));

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
function writeSpaceToBatchNd(context: CallContext, [given]: Operands): Written {
  const { attrs } = context;
  const blocks = attrs.ints('block_shape');
  const listed = attrs.pairs('paddings');
  const widths = context.dims(given).map((_, axis) => listed[axis - 1] ?? [0, 0]);
  const value = context.scalar(attrs.float('pad_value'), context.dtype(given));
  const x = pad(context, given, value, widths);
  const shape = context.shape(x);
  if (shape === undefined) return undefined;
  const [batch = 1, ...sizes] = shape;
  const count = blocks.length;
  const [spatial, rest] = [sizes.slice(0, count), sizes.slice(count)];
  const split = spatial.flatMap((size, i) => [size / (blocks[i] ?? 1), blocks[i] ?? 1]);
  const parts = reshapeTo(context, x, [batch, ...split, ...rest]);
  const axes = [
    ...blocks.map((_, i) => 2 + 2 * i),
    0,
    ...blocks.map((_, i) => 1 + 2 * i),
    ...rest.map((_, i) => 1 + 2 * count + i),
  ];
  return reshaped(context, transpose(context, parts, axes));
}

/** `nn.space_to_depth`: the channels are the second axis, and the block is read first. */
function writeSpaceToDepth(context: CallContext, [x]: Operands): Written {
  const { attrs } = context;
  const moved = viaPlainLayout(context, 'nn.space_to_depth', 2);
  if (moved !== undefined) return moved;
  if (attrs.text('mode') !== 'DCR') return context.fail('SpaceToDepth puts the block first');
  return context.node('SpaceToDepth', [x], { blocksize: int(attrs.int('block_size')) });
}
