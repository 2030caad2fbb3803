/**
 * Layouts: `NCHW`, `NHWC`, and blocked ones such as `NCHW4c` or `OIHW4i16o`, where a lower-case
 * letter is a block of the axis named by its capital.
 */
import { type Dim, divideDims, multiplyDims } from '@baton/ir';

interface LayoutAxis {
  readonly letter: string;
  /** The size of a block; `undefined` for the main axis. */
  readonly block: number | undefined;
}

/** Outermost axis first. */
export type Layout = ReadonlyArray<LayoutAxis>;

/**
 * `undefined` unless each letter has one main axis, blocks have a size, and only letters with a
 * main axis have blocks.
 */
export function parseLayout(text: string): Layout | undefined {
  const axes: LayoutAxis[] = [];
  const token = /([A-Z])|(\d+)([a-z])/y;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, main, size, block] = match;
    if (main !== undefined) axes.push({ letter: main, block: undefined });
    else axes.push({ letter: (block ?? '').toUpperCase(), block: Number(size) });
  }
  const mains = axes.filter((axis) => axis.block === undefined).map((axis) => axis.letter);
  const valid =
    new Set(mains).size === mains.length &&
    axes.every((axis) => axis.block !== 0 && mains.includes(axis.letter));
  return valid ? axes : undefined;
}

/** `undefined` unless the layout has exactly these letters. */
export function parseLayoutOf(text: string, letters: string): Layout | undefined {
  const layout = parseLayout(text);
  if (layout === undefined) return undefined;
  const mains = layout.filter((axis) => axis.block === undefined).map((axis) => axis.letter);
  return mains.length === letters.length && mains.every((letter) => letters.includes(letter))
    ? layout
    : undefined;
}

/** The size of each letter's axis, from the dimensions in a layout. */
export const plainDims = (
  dims: ReadonlyArray<Dim>,
  layout: Layout,
  letters: string,
): ReadonlyArray<Dim> =>
  [...letters].map((letter) =>
    layout.reduce<Dim>(
      (size, axis, i) => (axis.letter === letter ? multiplyDims(size, dims[i] as Dim) : size),
      1,
    ),
  );

/** The dimensions in a layout, from each letter's size; `undefined` if a block does not divide. */
export function layoutDims(
  plain: ReadonlyArray<Dim>,
  letters: string,
  layout: Layout,
): ReadonlyArray<Dim> | undefined {
  const dims: Dim[] = [];
  for (const axis of layout) {
    const size = plain[letters.indexOf(axis.letter)] as Dim;
    const dim = axis.block ?? divideDims(size, blockSize(layout, axis.letter));
    if (dim === undefined) return undefined;
    dims.push(dim);
  }
  return dims;
}

/** The main axis of a letter in words: `axis 1 of \`weight\``. */
export const placeOfAxis = (layout: Layout, letter: string, argument: string): string =>
  `axis ${layout.findIndex((axis) => axis.letter === letter && axis.block === undefined)} of \`${argument}\``;

export const blockSize = (layout: Layout, letter: string): number =>
  layout.reduce((size, axis) => (axis.letter === letter ? size * (axis.block ?? 1) : size), 1);

export const lettersOf = (layout: Layout): string =>
  layout.flatMap((axis) => (axis.block === undefined ? [axis.letter] : [])).join('');
