/** Axes and letters of layouts. */
import type { Dim, Type } from '@baton/ir';
import { lettersOf, parseLayout } from '../layout/layout.ts';
import { dimsOf } from '../scale-axis/shape.ts';
import type { Relayed, RelayoutSite } from './relayout.ts';

/** An old and a new layout; the old one has one axis for each letter. */
export interface Lettered extends Relayed {
  /** The letters of the old axes. */
  readonly letters: ReadonlyArray<string>;
  /** The letters of the new axes, lower-case for blocks. */
  readonly now: ReadonlyArray<string>;
}

/** The layouts of a tensor with its letters; `undefined` if the old layout has blocks. */
export function lettered(relayed: Relayed | undefined): Lettered | undefined {
  const [before, now] = [parseLayout(relayed?.from ?? ''), parseLayout(relayed?.to ?? '')];
  if (relayed === undefined || before === undefined || now === undefined) return undefined;
  if (before.some((axis) => axis.block !== undefined)) return undefined;
  const names = now.map(({ letter, block }) =>
    block === undefined ? letter : letter.toLowerCase(),
  );
  return { ...relayed, letters: [...lettersOf(before)], now: names };
}

export const ofFirst = (site: RelayoutSite): Lettered | undefined => lettered(site.inputs[0]);

export const isSplit = ({ now }: Lettered, letter: string): boolean =>
  now.includes(letter.toLowerCase());

/** An old axis as a non-negative number. */
export const plainAxis = ({ letters }: Lettered, axis: number): number =>
  axis < 0 ? axis + letters.length : axis;

/** The new index of an axis; `undefined` if it has blocks. */
export function axisNow(layout: Lettered, axis: number): number | undefined {
  const letter = layout.letters[plainAxis(layout, axis)];
  if (letter === undefined || isSplit(layout, letter)) return undefined;
  return layout.now.indexOf(letter);
}

/** The new indices of axes; `undefined` if one of them has blocks. */
export function axesNow(
  layout: Lettered,
  axes: ReadonlyArray<number>,
): ReadonlyArray<number> | undefined {
  const found = axes.map((axis) => axisNow(layout, axis));
  return found.every((axis) => axis !== undefined) ? found : undefined;
}

/** The layouts without some letters, none of which has blocks; `undefined` if they are the same. */
export function without(layout: Lettered, gone: ReadonlyArray<string>): Relayed | undefined {
  const left = (text: string): string =>
    [...text].filter((letter) => !gone.includes(letter)).join('');
  const [from, to] = [left(layout.from), left(layout.to)];
  return from === to ? undefined : { from, to };
}

export const rankOf = (type: Type | undefined): number | undefined => dimsOf(type)?.length;

/**
 * The layout of a tensor that broadcasts along one in `layout`: a block of an axis of size 1 has
 * size 1, and a scalar has none. `undefined` if the size of a split axis is unknown.
 */
export function broadcastAlong(
  layout: Lettered,
  dims: ReadonlyArray<Dim>,
): Relayed | 'as it was' | undefined {
  if (dims.length === 0) return 'as it was';
  const missing = layout.letters.length - dims.length;
  let { to } = layout;
  for (const [i, letter] of layout.letters.entries()) {
    if (!isSplit(layout, letter)) continue;
    const dim = i < missing ? 1 : dims[i - missing];
    if (typeof dim !== 'number') return undefined;
    if (dim === 1)
      to = to.replace(new RegExp(`[0-9]+${letter.toLowerCase()}`, 'g'), `1${letter.toLowerCase()}`);
  }
  return { from: layout.from, to };
}
