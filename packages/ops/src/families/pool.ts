/** Pools over sliding windows, over entire images, and to a given size (adaptive). */
import { type Dim, isStaticDim, type OpInfo, type RelationContext, type Type } from '@baton/ir';
import { type DType, isBig, type Memory, type Shape, type Tensor, tensor } from '@baton/tensor';
import { bool, either, list, naturalInt, orNone, positiveInt, text } from '../attrs/codecs.ts';
import { type AttrsOf, attrs, withDefault } from '../attrs/schema.ts';
import { interpolated } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts, type Formless, type Signature } from '../define-op.ts';
import type { Definition } from '../definition/column.ts';
import {
  adaptiveAvgDefinition,
  adaptiveMaxDefinition,
  avgPoolDefinition,
  globalPoolDefinition,
  maxPoolDefinition,
  ofFloats,
} from '../definition/windows.ts';
import { f32 } from '../example-types.ts';
import type { GradientRule } from '../gradient/column.ts';
import {
  countedCells,
  type PoolOptions,
  slide,
  slideEvenly,
  slidingWindows,
  type WindowFold,
} from '../kernels/pool.ts';
import { reduceKept, sizeAlong } from '../kernels/reduce.ts';
import { parseLayout, plainDims } from '../layout/layout.ts';
import { repeated, SPATIAL_AXES, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { meanOfWindowsOnIntegers, sameOnIntegers } from '../on-integers/rules.ts';
import { dimsInLayout, layoutAttr, SPATIAL, typeInLayout } from '../relation/in-layout.ts';
import { tensorArg } from '../relation/known.ts';
import { hasElements } from '../relation/nothing-to-take.ts';
import { paddingLengths, paddingLists, windowAxes, windowDims } from '../relation/window.ts';
import { imageLayouts, onImages } from '../relayout/rules.ts';
import { type Fold, GREATEST, SUM, WIDE_SUM } from '../scalar/folds.ts';

export interface Pool extends Facts<'name'>, Partial<Facts<'quantizing'>> {
  readonly rank: SpatialRank;
}

/** What the pools of entire images, and those to a size, select or average. */
interface Pooling {
  readonly isMean: boolean;
  readonly facts: Formless<'bounds' | 'onIntegers'>;
}

const MAXIMA: Pooling = {
  isMean: false,
  facts: { kind: 'reduction', numerics: 'exact', onIntegers: sameOnIntegers },
};

const MEANS: Pooling = {
  isMean: true,
  facts: {
    kind: 'reduction',
    numerics: 'smooth',
    bounds: interpolated,
    onIntegers: meanOfWindowsOnIntegers,
  },
};

export const poolProps = (rank: SpatialRank) => {
  const sizes = list(positiveInt, [rank]);
  return {
    pool_size: sizes,
    strides: withDefault(sizes, repeated(1, rank)),
    dilation: withDefault(sizes, repeated(1, rank)),
    padding: withDefault(list(naturalInt, paddingLengths(rank)), repeated(0, rank)),
    layout: withDefault(text, `NC${SPATIAL[rank]}`),
    out_layout: withDefault(text, ''),
    ceil_mode: withDefault(bool, false),
  } as const;
};

export type PoolAttrs = AttrsOf<ReturnType<typeof poolProps>>;

const pooling = (
  rank: SpatialRank,
  source: string,
): Omit<Signature<PoolAttrs, 'data'>, 'attrs'> => ({
  source,
  inputs: ['data'],
  relation: (args, given, context) => poolType(args, given, rank, context),
  examples: windowExamples(rank),
});

/** What the pools of windows have in common. */
const ofWindows = (name: string, rank: SpatialRank) =>
  ({
    cost: (_args: unknown, result: Type, given: PoolAttrs) => poolFlops(result, given),
    layoutAttributes: imageLayouts,
    ...(rank === 2 && { gradient: byOperator(`${name}_grad`) }),
  }) as const;

export const maxPooling = ({ name, rank, ...facts }: Pool): OpInfo =>
  defineOp({
    name,
    ...facts,
    doc: `The largest element of each window; padding counts as the smallest value, NaN wins; ${SPATIAL_AXES[rank]}.`,
    signature: {
      ...pooling(rank, 'operators §6; ONNX MaxPool-11'),
      attrs: attrs(poolProps(rank)),
    },
    form: {
      _tag: 'Window',
      windows: (attrs, shape, dtype) =>
        isPlain(attrs, rank) ? sliding(GREATEST(dtype), attrs, shape, rank) : undefined,
      ownPadding: 'maximum',
    },
    kernel: (args, attrs, out) =>
      inPlain(args.tensor(0), attrs, rank, out, (x) =>
        slide(x, sliding(GREATEST(x.dtype), attrs, x.shape, rank), out),
      ),
    definition: ofFloats(maxPoolDefinition),
    sampled: { as: 'pool', rank, of: 'max' },
    ...ofWindows(name, rank),
  });

export const avgPooling = ({ name, rank, ...facts }: Pool): OpInfo =>
  defineOp({
    name,
    ...facts,
    doc: `The mean of each window, without padding unless \`count_include_pad\`; ${SPATIAL_AXES[rank]}.`,
    signature: {
      ...pooling(rank, 'operators §6; ONNX AveragePool-11'),
      attrs: attrs({ ...poolProps(rank), count_include_pad: withDefault(bool, false) }),
    },
    form: {
      _tag: 'Window',
      // The sums of 64-bit integers have no bounds.
      windows: (attrs, shape, dtype) =>
        isPlain(attrs, rank) && !isBig(dtype) ? slidingMean(attrs, shape, dtype, rank) : undefined,
      ownPadding: 'mean',
    },
    kernel: (args, attrs, out) =>
      inPlain(args.tensor(0), attrs, rank, out, (x) =>
        slide(x, slidingMean(attrs, x.shape, x.dtype, rank), out),
      ),
    definition: ofFloats(avgPoolDefinition),
    sampled: { as: 'pool', rank, of: 'avg' },
    ...ofWindows(name, rank),
  });

/** The gradient of a pool of images is an operator. */
const byOperator =
  (name: string): GradientRule<PoolAttrs> =>
  ({ op, g, args: [x], attrs: given }) => [op(name, [g, x], { ...given })];

export interface GlobalPool
  extends Facts<'name' | 'doc' | 'scaleAxis'>,
    Partial<Facts<'quantizing'>> {}

/** Spatial axes stay, with size 1. */
export const globalMaxPooling = (spec: GlobalPool): OpInfo => globalPooling(spec, MAXIMA);

/** Spatial axes stay, with size 1. */
export const globalAvgPooling = (spec: GlobalPool): OpInfo => globalPooling(spec, MEANS);

const globalPooling = (spec: GlobalPool, { isMean, facts }: Pooling): OpInfo => {
  const { bounds, onIntegers } = facts;
  const fold = isMean ? SUM : GREATEST;
  return defineOp({
    ...spec,
    ...(bounds && { bounds }),
    ...(onIntegers && { onIntegers }),
    // Like other pools.
    fusion: 'out_elemwise_fusable',
    signature: globalSignature,
    form: {
      _tag: 'Reduce',
      fold,
      axes: (attrs) => (isPlain(attrs, 2) ? [2, 3] : undefined),
      isMean,
    },
    kernel: (args, attrs, out) =>
      inPlain(args.tensor(0), attrs, 2, out, (x) => {
        const axes = [2, 3];
        const divisor = isMean ? sizeAlong(x, axes) : undefined;
        return reduceKept(x, { fold: fold(x.dtype), axes, divisor }, out);
      }),
    definition: (site) => globalPoolDefinition(site, isMean ? 'mean' : 'max'),
    sampled: 'nn.global_avg_pool2d',
    layoutAttributes: imageLayouts,
  });
};

const globalSignature: Signature<Layouts, 'data'> = {
  source: 'operators §6',
  inputs: ['data'],
  attrs: attrs({ layout: withDefault(text, 'NCHW'), out_layout: withDefault(text, '') }),
  relation: (args, given, context) => pooledType(args, given, 2, context, () => [1, 1]),
  examples: [
    { args: [f32(2, 3, 7, 5)], result: f32(2, 3, 1, 1) },
    { args: [f32(2, 7, 5, 3)], attrs: { layout: 'NHWC' }, result: f32(2, 1, 1, 3) },
  ],
};

const isPlain = ({ layout, out_layout: out }: Layouts, rank: SpatialRank): boolean =>
  layout === `NC${SPATIAL[rank]}` && (out === '' || out === layout);

const sliding = (fold: Fold, attrs: PoolAttrs, shape: Shape, rank: SpatialRank): WindowFold => ({
  fold,
  ...slidingWindows(shape, poolOptions(attrs, rank)),
});

/** The sums of windows, divided by their counts. */
function slidingMean(
  attrs: PoolAttrs & { readonly count_include_pad: boolean },
  shape: Shape,
  dtype: DType,
  rank: SpatialRank,
): WindowFold {
  const sums = sliding(WIDE_SUM(dtype), attrs, shape, rank);
  const options = { ...poolOptions(attrs, rank), countIncludePad: attrs.count_include_pad };
  const { counts: windows } = sums.windows;
  const counts = countedCells(shape.slice(2), windows, options);
  const isEven = counts.length > 0 && counts.every((count) => count === counts[0]);
  const divisor = isEven
    ? tensor(counts.slice(0, 1), [], 'float64')
    : tensor(counts, windows, 'float64');
  return { ...sums, divisor };
}

const adaptiveProps = (rank: SpatialRank) =>
  ({
    output_size: withDefault(orNone(either(positiveInt, list(positiveInt, [1, rank]))), null),
    layout: withDefault(text, `NC${SPATIAL[rank]}`),
    out_layout: withDefault(text, ''),
  }) as const;

type AdaptiveAttrs = AttrsOf<ReturnType<typeof adaptiveProps>>;

export const adaptiveMaxPooling = (spec: Pool): OpInfo =>
  adaptivePooling(spec, 'The largest element', MAXIMA, ofFloats(adaptiveMaxDefinition));

export const adaptiveAvgPooling = (spec: Pool): OpInfo =>
  adaptivePooling(spec, 'The mean', MEANS, ofFloats(adaptiveAvgDefinition));

function adaptivePooling(
  { name, rank }: Pool,
  what: string,
  { isMean, facts }: Pooling,
  definition: Definition<Layouts>,
): OpInfo {
  const fold = isMean ? WIDE_SUM : GREATEST;
  const letters = `NC${SPATIAL[rank]}`;
  return defineOp({
    name,
    doc: `${what} of each of \`output_size\` windows, which cover ${SPATIAL_AXES[rank]} evenly.`,
    signature: adaptive(rank),
    ...facts,
    kernel: (args, attrs, out) => {
      const layout = parseLayout(attrs.out_layout || attrs.layout) ?? [];
      const size = plainDims(out.shape, layout, letters).slice(2).filter(isStaticDim);
      return inPlain(args.tensor(0), attrs, rank, out, (x) =>
        slideEvenly(x, size, { fold: fold(x.dtype), isMean }, out),
      );
    },
    definition,
    sampled: { as: 'pool to a size', rank },
    relayout: onImages,
    layoutAttributes: imageLayouts,
  });
}

const adaptive = (rank: SpatialRank): Signature<AdaptiveAttrs> => ({
  source: 'operators §6; PyTorch adaptive pooling',
  inputs: ['data'],
  attrs: attrs(adaptiveProps(rank)),
  relation: (args, given, context) => {
    const size = adaptiveSize(given.output_size, rank);
    return pooledType(args, given, rank, context, (spatial) => {
      if (size === undefined) return spatial;
      return hasElements(spatial, size, context) ? size : undefined;
    });
  },
  examples: adaptiveExamples(rank),
});

const adaptiveSize = (
  size: number | ReadonlyArray<number> | null,
  rank: number,
): ReadonlyArray<number> | undefined => {
  if (size === null) return undefined;
  if (typeof size === 'number') return repeated(size, rank);
  return size.length === rank ? size : repeated(size[0] ?? 1, rank);
};

export const poolOptions = (attrs: PoolAttrs, rank: number): PoolOptions => ({
  poolSize: attrs.pool_size,
  strides: attrs.strides,
  padding: paddingLists(attrs.padding, rank),
  dilation: attrs.dilation,
  ceilMode: attrs.ceil_mode,
});

export const poolFlops = (result: Type, attrs: PoolAttrs): number =>
  elementCount(result) * attrs.pool_size.reduce((a, b) => a * b, 1);

export function poolType(
  args: ReadonlyArray<Type>,
  attrs: PoolAttrs,
  rank: SpatialRank,
  context: RelationContext,
): Type | undefined {
  const windows = windowAxes({ ...attrs, kernel: attrs.pool_size });
  const rounding = attrs.ceil_mode ? 'ceil' : 'floor';
  return pooledType(args, attrs, rank, context, (spatial) =>
    windowDims(spatial, windows, rounding, context),
  );
}

type Layouts = Pick<PoolAttrs, 'layout' | 'out_layout'>;

function pooledType(
  args: ReadonlyArray<Type>,
  attrs: Layouts,
  rank: SpatialRank,
  context: RelationContext,
  pooled: (spatial: ReadonlyArray<Dim>) => ReadonlyArray<Dim> | undefined,
): Type | undefined {
  const letters = `NC${SPATIAL[rank]}`;
  const layout = layoutAttr('layout', attrs.layout, letters, context);
  const outLayout = layoutAttr('out_layout', attrs.out_layout || attrs.layout, letters, context);
  if (layout === undefined || outLayout === undefined) return undefined;
  const data = tensorArg(args, 0, context);
  if (data === undefined) return undefined;
  const dims = dimsInLayout(data, '`data`', layout, attrs.layout, letters, context);
  if (dims === undefined) return undefined;
  const places = pooled(dims.slice(2));
  if (places === undefined) return undefined;
  return typeInLayout([...dims.slice(0, 2), ...places], letters, outLayout, data.dtype, context);
}

/** Runs a kernel of (N, C, spatial...) on data in any layout. */
function inPlain(
  data: Tensor,
  { layout, out_layout: out }: Layouts,
  rank: SpatialRank,
  memory: Memory,
  kernel: (x: Tensor) => Tensor,
): Tensor {
  const letters = `NC${SPATIAL[rank]}`;
  return fromPlain(kernel(toPlain(data, layout, letters, memory)), letters, out || layout, memory);
}

const IMAGES = { 1: [2, 3, 7], 2: [2, 3, 7, 5], 3: [1, 2, 5, 7, 3] } as const;

function windowExamples(rank: SpatialRank): ReadonlyArray<Example<PoolAttrs>> {
  const [batch, channels, ...spatial] = IMAGES[rank];
  const windows = { pool_size: repeated(2, rank), strides: repeated(2, rank) };
  const more = spatial.map((size) => Math.ceil(size / 2));
  const less = spatial.map((size) => Math.floor(size / 2));
  return [
    {
      args: [f32(batch, channels, ...spatial)],
      attrs: windows,
      result: f32(batch, channels, ...less),
    },
    {
      args: [f32(batch, channels, ...spatial)],
      attrs: { ...windows, padding: [...repeated(1, rank), ...repeated(0, rank)] },
      result: f32(batch, channels, ...more),
    },
    {
      args: [f32(batch, ...spatial, channels)],
      attrs: { ...windows, layout: `N${SPATIAL[rank]}C`, ceil_mode: true },
      result: f32(batch, ...more, channels),
    },
  ];
}

/** Images pooled to a size, to single elements, and to their own size. */
function adaptiveExamples(rank: SpatialRank): ReadonlyArray<Example<AdaptiveAttrs>> {
  const [batch, channels, ...spatial] = IMAGES[rank];
  const size = spatial.map((_, axis) => 3 - axis);
  const image = f32(batch, channels, ...spatial);
  return [
    { args: [image], attrs: { output_size: size }, result: f32(batch, channels, ...size) },
    {
      args: [f32(batch, ...spatial, channels)],
      attrs: { output_size: [1], layout: `N${SPATIAL[rank]}C` },
      result: f32(batch, ...repeated(1, rank), channels),
    },
    { args: [image], result: image },
  ];
}
