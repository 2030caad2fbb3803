/** Axes of scales in a layout such as `NCHW`, or `NCHW4c` with blocked channels. */

import type { Attrs } from '@baton/ir';

/** The axes of one letter: the main axis, and the axis of its blocks if there are any. */
export interface LetterAxes {
  readonly main: number;
  readonly block: number | undefined;
}

/**
 * The axes of an upper-case `letter` in a layout; `undefined` if the layout has none, or has its
 * blocks before its main axis.
 */
export function letterAxes(layout: string, letter: string): LetterAxes | undefined {
  const letters = layout.replace(/[0-9]/g, '');
  const main = letters.indexOf(letter);
  const block = letters.indexOf(letter.toLowerCase());
  if (main < 0 || (block >= 0 && block < main)) return undefined;
  return { main, block: block < 0 ? undefined : block };
}

export const axesOf = (axes: LetterAxes): ReadonlyArray<number> =>
  axes.block === undefined ? [axes.main] : [axes.main, axes.block];

export function layoutAttr(attrs: Attrs, name: string): string {
  const value = attrs[name];
  return typeof value === 'string' ? value : '';
}
