/** Converts tensors between layouts. */
import type { Memory, Shape, Tensor } from '@baton/tensor';
import { type Move, moved, reshaped, transposed } from '../moves.ts';
import { type Layout, lettersOf, parseLayout } from './layout.ts';

/**
 * The tensor with one axis for each letter, in their order; a tensor in that layout is unchanged.
 */
export const toPlain = (t: Tensor, from: string, letters: string, memory: Memory): Tensor =>
  moved(t, movesToPlain(t.shape, from, letters), memory);

export const fromPlain = (t: Tensor, letters: string, to: string, memory: Memory): Tensor =>
  moved(t, movesFromPlain(t.shape, letters, to), memory);

/** The moves from one layout to another with the same letters, for a tensor of a shape. */
export function movesOfLayout(shape: Shape, from: string, to: string): ReadonlyArray<Move> {
  const letters = lettersOf(parseLayout(from) ?? []);
  return [
    ...movesToPlain(shape, from, letters),
    ...movesFromPlain(plainSizes(shape, from, letters), letters, to),
  ];
}

function plainSizes(shape: Shape, from: string, letters: string): Shape {
  const layout = parseLayout(from) ?? [];
  return [...letters].map((letter) =>
    axesOf(layout, letter).reduce((size, axis) => size * (shape[axis] as number), 1),
  );
}

function movesToPlain(shape: Shape, from: string, letters: string): ReadonlyArray<Move> {
  if (from === letters) return [];
  const layout = parseLayout(from) ?? [];
  const order = [...letters].flatMap((letter) => axesOf(layout, letter));
  return [transposed(order), reshaped(plainSizes(shape, from, letters))];
}

function movesFromPlain(shape: Shape, letters: string, to: string): ReadonlyArray<Move> {
  if (to === letters) return [];
  const layout = parseLayout(to) ?? [];
  const split: number[] = [];
  const source: number[] = [];
  [...letters].forEach((letter, at) => {
    const axes = axesOf(layout, letter);
    const blocks = axes.slice(1).map((axis) => layout[axis]?.block ?? 1);
    const inner = blocks.reduce((a, b) => a * b, 1);
    split.push((shape[at] as number) / inner, ...blocks);
    source.push(...axes);
  });
  return [reshaped(split), transposed(layout.map((_, axis) => source.indexOf(axis)))];
}

/** The axes of a letter: the main one, then its blocks from the outermost. */
function axesOf(layout: Layout, letter: string): ReadonlyArray<number> {
  const axes = layout.flatMap((axis, i) => (axis.letter === letter ? [i] : []));
  const isMain = (i: number) => layout[i]?.block === undefined;
  return [...axes.filter(isMain), ...axes.filter((i) => !isMain(i))];
}
