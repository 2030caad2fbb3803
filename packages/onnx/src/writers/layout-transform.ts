/** `layout_transform`: axes are split into blocks, exchanged, and merged. */
import { formula } from '../forms/formula.ts';
import type { CallContext, OnnxExporter, Operand } from '../operator-api/exporter.ts';

export const layoutTransform: OnnxExporter = formula('layout_transform', (context, x) => {
  const source = axesOf(context.attrs.text('src_layout'));
  const target = axesOf(context.attrs.text('dst_layout'));
  const letters = source.filter(({ block }) => block === undefined).map(({ letter }) => letter);
  const plain = withoutBlocks(context, x, source, letters);
  return plain === undefined ? undefined : withBlocks(context, plain, letters, target);
});

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
  return context.call('reshape', [transposed(context, x, axes)], { newshape: sizes, allowzero: 1 });
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
  const split = context.call('reshape', [x], {
    newshape: parts.map(({ size }) => size),
    allowzero: 1,
  });
  const axes = target.map(({ letter, block }) =>
    parts.findIndex((part) => part.letter === letter && part.block === block),
  );
  return transposed(context, split, axes);
}

const transposed = (context: CallContext, x: Operand, axes: ReadonlyArray<number>): Operand =>
  axes.every((axis, i) => axis === i) ? x : context.call('transpose', [x], { axes });
