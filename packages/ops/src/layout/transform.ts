/** Tensors from one layout to another. */
import { type Memory, reshapeView, type Tensor, transposeView } from '@baton/tensor';
import { type Layout, lettersOf, parseLayout } from './layout.ts';

/**
 * The same elements in another layout of the same letters: a view if no block is split or merged,
 * otherwise at most one copy.
 */
export function transformLayout(t: Tensor, from: string, to: string, memory: Memory): Tensor {
  const letters = lettersOf(parseLayout(from) ?? []);
  return fromPlain(toPlain(t, from, letters, memory), letters, to, memory);
}

/** The tensor with one axis for each letter, in their order; from a plain layout it is itself. */
export function toPlain(t: Tensor, from: string, letters: string, memory: Memory): Tensor {
  if (from === letters) return t;
  const layout = parseLayout(from) ?? [];
  const order = [...letters].flatMap((letter) => axesOf(layout, letter));
  const sizes = [...letters].map((letter) =>
    axesOf(layout, letter).reduce((size, axis) => size * (t.shape[axis] as number), 1),
  );
  return reshapeView(transposeView(t, order), sizes, memory);
}

/** The tensor in a layout, from one axis for each letter. */
export function fromPlain(t: Tensor, letters: string, to: string, memory: Memory): Tensor {
  if (to === letters) return t;
  const layout = parseLayout(to) ?? [];
  const split: number[] = [];
  const source: number[] = [];
  [...letters].forEach((letter, at) => {
    const axes = axesOf(layout, letter);
    const blocks = axes.slice(1).map((axis) => layout[axis]?.block ?? 1);
    const inner = blocks.reduce((a, b) => a * b, 1);
    split.push((t.shape[at] as number) / inner, ...blocks);
    source.push(...axes);
  });
  const order = layout.map((_, axis) => source.indexOf(axis));
  return transposeView(reshapeView(t, split, memory), order);
}

/** The axes of a letter: the main one, then its blocks from the outermost in. */
function axesOf(layout: Layout, letter: string): ReadonlyArray<number> {
  const axes = layout.flatMap((axis, i) => (axis.letter === letter ? [i] : []));
  const isMain = (i: number) => layout[i]?.block === undefined;
  return [...axes.filter(isMain), ...axes.filter((i) => !isMain(i))];
}
