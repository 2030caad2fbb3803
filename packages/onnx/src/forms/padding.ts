/** Padding that is a node of its own, where an operator cannot have it inside. */
import type { CallContext, Operand } from '../operator-api/exporter.ts';

/** Images with `pads` cells of `filler` around their spatial axes: all befores, then all afters. */
export function around(
  { call }: CallContext,
  images: Operand,
  pads: ReadonlyArray<number>,
  filler: number,
): Operand {
  const rank = pads.length / 2;
  const sides = pads.slice(0, rank).map((before, axis) => [before, pads[rank + axis] ?? 0]);
  return call('nn.pad', [images, filler], { pad_width: [[0, 0], [0, 0], ...sides] });
}
