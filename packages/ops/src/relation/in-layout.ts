/** Tensors in layouts that attributes name. */
import { type Dim, type DTypeTerm, type RelationContext, type Type, tensorType } from '@baton/ir';
import { badAttr, dimMismatch, wrongRank } from '../diagnostics.ts';
import { blockSize, type Layout, layoutDims, parseLayoutOf, plainDims } from '../layout/layout.ts';
import { type KnownTensor, report } from './known.ts';

export const SPATIAL: { readonly [rank in 1 | 2 | 3]: string } = { 1: 'W', 2: 'HW', 3: 'DHW' };

/** A layout attribute of exactly these letters; reports anything else. */
export function layoutAttr(
  name: string,
  text: string,
  letters: string,
  context: RelationContext,
): Layout | undefined {
  return (
    parseLayoutOf(text, letters) ??
    report(context, badAttr(name, `"${text}" is no layout of the axes ${letters}`))
  );
}

/** The dimensions of a tensor in a layout, one for each letter; reports another rank. */
export function dimsInLayout(
  tensor: KnownTensor,
  what: string,
  layout: Layout,
  text: string,
  letters: string,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const { length: rank } = layout;
  if (tensor.shape.length === rank) return plainDims(tensor.shape, layout, letters);
  return report(context, wrongRank(what, `rank ${rank} (${text})`, tensor.shape.length));
}

/** The type of (N, C, spatial...) in a layout; reports channels that its blocks do not divide. */
export function typeInLayout(
  dims: ReadonlyArray<Dim>,
  letters: string,
  layout: Layout,
  dtype: DTypeTerm,
  context: RelationContext,
): Type | undefined {
  const shape = layoutDims(dims, letters, layout);
  if (shape !== undefined) return tensorType(shape, dtype);
  const multiple = `a multiple of ${blockSize(layout, 'C')}`;
  return report(context, dimMismatch('the channels', multiple, dims[1] as Dim));
}
