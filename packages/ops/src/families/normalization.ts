/** Normalizations with a scale `gamma` and a shift `beta` for each channel. */
import type { OpInfo, RelationContext, Type } from '@baton/ir';
import type { Memory, Tensor } from '@baton/tensor';
import { bool, float, int } from '../attrs/codecs.ts';
import { type AttrsOf, attrs, withDefault } from '../attrs/schema.ts';
import { defineOp, type Facts, type Signature } from '../define-op.ts';
import { axesAfter } from '../definition/axes.ts';
import { type Definition, define, type FormulaCase } from '../definition/column.ts';
import type { FactSite } from '../definition/site.ts';
import { f32 } from '../example-types.ts';
import type { KernelArgs } from '../kernel.ts';
import type { Affine } from '../kernels/normalization.ts';
import type { HoleNames } from '../pattern/names.ts';
import { channelData } from '../relation/channels.ts';
import { inDomain, type KnownTensor } from '../relation/known.ts';

export const normalizationProps = (axis: number) =>
  ({
    axis: withDefault(int, axis),
    epsilon: withDefault(float, 1e-5),
    center: withDefault(bool, true),
    scale: withDefault(bool, true),
  }) as const;

export type NormalizationAttrs = AttrsOf<ReturnType<typeof normalizationProps>>;

export function affineOf(args: KernelArgs, attrs: NormalizationAttrs): Affine {
  return {
    axis: args.axis(0, attrs.axis),
    gamma: attrs.scale ? args.tensor(1) : undefined,
    beta: attrs.center ? args.tensor(2) : undefined,
    epsilon: attrs.epsilon,
  };
}

export type NormalizationNames = 'data' | 'gamma' | 'beta' | keyof NormalizationAttrs;

/** The data normalized over the axes `over` by its own mean and variance. */
const STANDARD =
  '%1 = mean(%0, axis=?over, keepdims=True); %2 = (%0 - %1) / sqrt(variance(%0, %1, axis=?over, keepdims=True) + ?epsilon);';
const SCALE = 'expand_dims(?gamma, axis=1, num_newaxis=?after)';
const SHIFT = 'expand_dims(?beta, axis=1, num_newaxis=?after)';

/**
 * Definitions that normalize the formula `of` over some axes, then scale and shift along the
 * channels as the attributes require. `result` is a formula of the normalized value, `%2`.
 */
export const standardized = <
  A extends NormalizationAttrs,
  const L extends string = never,
  const D extends string = '?data',
  const R extends string = '%2',
>(
  over: (site: FactSite<A>) => ReadonlyArray<number>,
  parts: {
    readonly of?: D;
    readonly result?: R;
    readonly let?: Readonly<Record<L, (site: FactSite<A>) => ReadonlyArray<number>>>;
  } = {},
): ReadonlyArray<FormulaCase<A, Exclude<HoleNames<D | R>, L> | NormalizationNames>> => {
  const lets = { ...parts.let, over, after: axesAfter };
  const normalized = `%0 = ${parts.of ?? '?data'}; ${STANDARD} ${parts.result ?? '%2'}`;
  return [
    define(normalized, { let: lets, where: { center: false, scale: false } }),
    define(`${normalized} * ${SCALE}`, { let: lets, where: { center: false, scale: true } }),
    define(`${normalized} + ${SHIFT}`, { let: lets, where: { center: true, scale: false } }),
    define(`${normalized} * ${SCALE} + ${SHIFT}`, {
      let: lets,
      where: { center: true, scale: true },
    }),
  ].flat();
};

export interface Normalization extends Facts<'name' | 'doc' | 'onnx' | 'relayout'> {
  readonly axis: number;
  readonly kernel: (x: Tensor, affine: Affine, memory: Memory) => Tensor;
  readonly definition: Definition<NormalizationAttrs, NormalizationNames>;
}

/** Floats with vectors along the axis `axis`; `result` is the type of the result. */
export const normalizing = <const I extends string>(
  vectors: ReadonlyArray<I>,
  axis: number,
  result: (data: KnownTensor, axis: number, context: RelationContext) => Type,
): Omit<Signature<NormalizationAttrs, I | 'data'>, 'source' | 'examples'> => ({
  inputs: ['data', ...vectors],
  attrs: attrs(normalizationProps(axis)),
  relation: (args, given, context) => {
    const found = channelData(args, given.axis, vectors, context);
    if (found === undefined || !inDomain(found.data.dtype, 'float', context)) return undefined;
    return result(found.data, found.axis, context);
  },
});

export const normalization = ({ kernel, axis, ...facts }: Normalization): OpInfo =>
  defineOp({
    ...facts,
    signature: {
      source: 'operators §7',
      ...normalizing(['gamma', 'beta'], axis, ({ type }, _axis, { resolve }) => resolve(type)),
      examples: [
        { args: [f32(2, 3, 3), f32(3), f32(3)], result: f32(2, 3, 3) },
        { args: [f32(2, 5, 3), f32(5), f32(5)], attrs: { axis: -2 }, result: f32(2, 5, 3) },
      ],
    },
    kernel: (args, attrs, out) => kernel(args.tensor(0), affineOf(args, attrs), out),
    kind: 'normalization',
  });
