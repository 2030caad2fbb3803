/** Operators that compute the gradients of pools, from the gradient of the result and the data. */
import type { Expr, OpInfo, RelationContext, Type } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { list, positiveInt } from '../attrs/codecs.ts';
import { type AttrProps, attrs, type TypedAttrs, withDefault } from '../attrs/schema.ts';
import { magnitude, ZERO } from '../bounds/bounds.ts';
import { symmetric } from '../bounds/rules.ts';
import { defineOp, type Facts } from '../define-op.ts';
import { f32 } from '../example-types.ts';
import type { GradientSite } from '../gradient/column.ts';
import type { AvgPoolOptions } from '../kernels/pool.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { hasShape, inDomain, known, sameDType, tensorArg } from '../relation/known.ts';
import { imageLayouts } from '../relayout/rules.ts';
import { type PoolAttrs, poolFlops, poolOptions, poolProps, poolType } from './pool.ts';

/** The attributes of the gradient of a max pool; an average pool has one more. */
export type PoolGradientAttrs = PoolAttrs & { readonly count_include_pad?: boolean };

export interface PoolGradient extends Required<Facts<'name' | 'doc' | 'numerics'>> {
  readonly more?: AttrProps;
  readonly kernel: (g: Tensor, x: Tensor, options: AvgPoolOptions, memory: Memory) => Tensor;
  /** The gradient with respect to `out_grad`, in which the operator is linear. */
  readonly gradient: (site: GradientSite<PoolGradientAttrs>) => Expr;
}

/** TVM writes a pool without dilation as an empty list. */
const props = { ...poolProps(2), dilation: withDefault(list(positiveInt, [0, 2]), [1, 1]) };

export function poolGradient({ more = {}, kernel, gradient, ...facts }: PoolGradient): OpInfo {
  const schema: TypedAttrs<PoolGradientAttrs> = attrs({ ...props, ...more });
  return defineOp({
    ...facts,
    signature: {
      source: `operators §6; Relay v0.14 ${facts.name}`,
      inputs: ['out_grad', 'data'],
      attrs: schema,
      relation: (args, given, context) => gradientType(args, dilated(given), context),
      examples: [
        {
          args: [f32(2, 3, 3, 2), f32(2, 3, 7, 5)],
          attrs: { pool_size: [2, 2], strides: [2, 2] },
          result: f32(2, 3, 7, 5),
        },
        {
          args: [f32(1, 4, 3, 3), f32(1, 7, 5, 3)],
          attrs: { pool_size: [2, 2], strides: [2, 2], padding: [1, 1, 0, 0], layout: 'NHWC' },
          result: f32(1, 7, 5, 3),
        },
      ],
    },
    kernel: (args, given, out) => {
      const { layout, out_layout: outLayout } = given;
      const g = toPlain(args.tensor(0), outLayout || layout, 'NCHW', out);
      const x = toPlain(args.tensor(1), layout, 'NCHW', out);
      const countIncludePad = given.count_include_pad ?? false;
      const options = { ...poolOptions(dilated(given), 2), countIncludePad };
      return fromPlain(kernel(g, x, options, out), 'NCHW', layout, out);
    },
    cost: ([g], _result, given) => (g === undefined ? 0 : poolFlops(g, given)),
    kind: 'reduction',
    bounds: ([g = ZERO], { attrs: { pool_size: size } }) =>
      symmetric(magnitude(g) * size.reduce((a, b) => a * b, 1)),
    gradient: (site) => [gradient({ ...site, attrs: dilated(site.attrs) }), undefined],
    layoutAttributes: imageLayouts,
  });
}

const dilated = <A extends { readonly dilation: ReadonlyArray<number> }>(given: A): A =>
  given.dilation.length === 0 ? { ...given, dilation: [1, 1] } : given;

function gradientType(
  args: ReadonlyArray<Type>,
  given: PoolAttrs,
  context: RelationContext,
): Type | undefined {
  const data = tensorArg(args, 1, context);
  const g = tensorArg(args, 0, context);
  if (data === undefined || g === undefined) return undefined;
  if (!inDomain(data.dtype, 'float', context)) return undefined;
  if (sameDType(data.dtype, g.dtype, '`out_grad`', context) === undefined) return undefined;
  const pooled = poolType([data.type], given, 2, context);
  const wanted = pooled?._tag === 'TensorType' ? known(pooled) : undefined;
  if (wanted === undefined) return undefined;
  if (!hasShape(g, '`out_grad`', wanted.shape, context, 'the pool of `data`')) return undefined;
  return context.resolve(data.type);
}
