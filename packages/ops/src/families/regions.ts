/** Operators on regions of images. */
import { type Dim, type RelationContext, type Type, tensorType } from '@baton/ir';
import { fromNumbers, type Tensor } from '@baton/tensor';
import { hull, ZERO } from '../bounds/bounds.ts';
import type { Facts } from '../define-op.ts';
import { badExtent } from '../diagnostics.ts';
import { layoutDims, parseLayout, plainDims } from '../layout/layout.ts';
import { hasRank, hasShape, inDomain, report, sameDType, tensorArg } from '../relation/known.ts';

export const takesRegions = {
  inputs: ['data', 'rois'],
  kind: 'reduction',
  domain: [undefined, [0, 8]],
  bounds: ([data = ZERO]) => hull([ZERO, data]),
} as const satisfies Facts<'kind' | 'domain' | 'bounds'> & { readonly inputs: unknown };

/** Example regions of the only image: at integer coordinates, and between them. */
export const someRegions: Tensor = fromNumbers(
  [0, 0, 0, 4, 5, 0, 1.5, 2.25, 3.75, 3, 0, 3, 2, 1, 1],
  [3, 5],
  'float32',
);

export function regionsType(
  args: ReadonlyArray<Type>,
  layoutName: string,
  size: ReadonlyArray<number>,
  context: RelationContext,
): Type | undefined {
  const [data, regions] = [tensorArg(args, 0, context), tensorArg(args, 1, context)];
  if (data === undefined || regions === undefined) return undefined;
  if (!hasRank(data, '`data`', [4], context) || !hasRank(regions, '`rois`', [2], context)) {
    return undefined;
  }
  if (!inDomain(data.dtype, 'float', context)) return undefined;
  if (sameDType(data.dtype, regions.dtype, '`rois`', context) === undefined) return undefined;
  const [count] = regions.shape as readonly [Dim];
  if (!hasShape(regions, '`rois`', [count, 5], context)) return undefined;
  const layout = parseLayout(layoutName) ?? [];
  const [batch, channels, ...places] = plainDims(data.shape, layout, 'NCHW');
  if (places.includes(0)) return report(context, badExtent('the image', 'it has no places'));
  if (batch === 0 && count !== 0) {
    return report(context, badExtent('the batch', 'it has no image of a region'));
  }
  const shape = layoutDims([count, channels as Dim, ...size], 'NCHW', layout);
  return shape && tensorType(shape, data.dtype);
}
