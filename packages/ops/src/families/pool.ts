/** Pools over sliding windows, over whole images, and to a given size. */
import {
  type Dim,
  describeDim,
  isStaticDim,
  type OpInfo,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import type { Memory, Shape, Tensor } from '@baton/tensor';
import { bool, either, list, naturalInt, orNone, positiveInt, text } from '../attrs/codecs.ts';
import { attrs, withDefault } from '../attrs/schema.ts';
import type { BoundsRule } from '../bounds/bounds.ts';
import { interpolated } from '../bounds/rules.ts';
import type { Example } from '../columns.ts';
import { elementCount, perInputElement } from '../cost.ts';
import { defineOp } from '../define-op.ts';
import { dimMismatch, wrongRank } from '../diagnostics.ts';
import type { AvgPoolOptions, PoolOptions } from '../kernels/pool.ts';
import { blockSize, layoutDims, parseLayout, plainDims } from '../layout/layout.ts';
import { repeated, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import type { Numerics } from '../numerics.ts';
import { report, tensorArg } from '../relation/known.ts';
import { hasElements } from '../relation/nothing-to-take.ts';
import {
  layoutAttr,
  paddingLengths,
  paddingLists,
  SPATIAL,
  windowAxes,
  windowDims,
} from '../relation/window.ts';
import type { ScaleAxis } from '../scale-axis/scale-axis.ts';

interface PoolFacts {
  readonly name: string;
  readonly rank: SpatialRank;
  readonly doc: string;
  readonly source: string;
  readonly scaleAxis: ScaleAxis | 'none';
  readonly examples: ReadonlyArray<Example<PoolExample>>;
}

interface PoolExample {
  readonly pool_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly layout: string;
  readonly out_layout: string;
  readonly ceil_mode: boolean;
}

/** A maximum over windows; its kernel sees (N, C, spatial...). */
export interface MaxPool extends PoolFacts {
  readonly kernel: (x: Tensor, options: PoolOptions, memory: Memory) => Tensor;
}

/** A mean over windows; its kernel sees (N, C, spatial...). */
export interface AvgPool extends PoolFacts {
  readonly kernel: (x: Tensor, options: AvgPoolOptions, memory: Memory) => Tensor;
}

interface PoolAttrs {
  readonly pool_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly layout: string;
  readonly out_layout: string;
  readonly ceil_mode: boolean;
}

/** The attributes of every windowed pool. */
const poolProps = (rank: SpatialRank) => {
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

/** A maximum over sliding windows. */
export function maxPooling(spec: MaxPool): OpInfo {
  const { kernel, rank, ...facts } = spec;
  return defineOp({
    ...facts,
    inputs: ['data'],
    attrs: attrs(poolProps(rank)),
    relation: (args, attrs, context) => poolType(args, attrs, rank, context),
    kernel: (args, attrs, out) =>
      inPlain(args.tensor(0), attrs, rank, (x) => kernel(x, poolOptions(attrs, rank), out), out),
    cost: (_args, result, attrs) => poolFlops(result, attrs),
    fusion: 'out_elemwise_fusable',
    kind: 'reduction',
    domain: 'any',
    numerics: 'exact',
    sampled: { as: 'pool', rank, of: 'max' },
    ownPadding: { kind: 'maximum', layout: 'layout' },
  });
}

/** A mean over sliding windows. */
export function avgPooling(spec: AvgPool): OpInfo {
  const { kernel, rank, ...facts } = spec;
  return defineOp({
    ...facts,
    inputs: ['data'],
    attrs: attrs({ ...poolProps(rank), count_include_pad: withDefault(bool, false) }),
    relation: (args, attrs, context) => poolType(args, attrs, rank, context),
    kernel: (args, attrs, out) =>
      inPlain(
        args.tensor(0),
        attrs,
        rank,
        (x) =>
          kernel(x, { ...poolOptions(attrs, rank), countIncludePad: attrs.count_include_pad }, out),
        out,
      ),
    cost: (_args, result, attrs) => poolFlops(result, attrs),
    fusion: 'out_elemwise_fusable',
    kind: 'reduction',
    domain: 'any',
    numerics: 'smooth',
    bounds: interpolated,
    sampled: { as: 'pool', rank, of: 'avg' },
    ownPadding: { kind: 'mean', layout: 'layout' },
  });
}

/** The particulars of a pool over the whole image. */
export interface GlobalPool {
  readonly name: string;
  readonly doc: string;
  readonly kernel: (x: Tensor, memory: Memory) => Tensor;
  readonly numerics: Numerics;
  readonly bounds?: BoundsRule<unknown>;
  readonly scaleAxis: ScaleAxis | 'none';
  readonly examples: ReadonlyArray<Example<{ readonly layout: string }>>;
}

/** A pool over all of an image, which keeps spatial axes of size 1. */
export function globalPooling(spec: GlobalPool): OpInfo {
  const { kernel, ...facts } = spec;
  return defineOp({
    ...facts,
    source: 'operators §6',
    inputs: ['data'],
    attrs: attrs({ layout: withDefault(text, 'NCHW'), out_layout: withDefault(text, '') }),
    relation: (args, attrs, context) => pooledType(args, attrs, 2, context, () => [1, 1]),
    kernel: (args, attrs, out) => inPlain(args.tensor(0), attrs, 2, kernel, out),
    cost: perInputElement,
    fusion: 'out_elemwise_fusable',
    sampled: 'a whole image',
    kind: 'reduction',
    domain: 'any',
  });
}

/** The particulars of a pool to a given size. */
export interface AdaptivePool {
  readonly name: string;
  readonly rank: SpatialRank;
  readonly doc: string;
  readonly kernel: (x: Tensor, outputSize: Shape, memory: Memory) => Tensor;
  readonly numerics: Numerics;
  readonly bounds?: BoundsRule<unknown>;
  readonly examples: ReadonlyArray<
    Example<{ readonly output_size: ReadonlyArray<number>; readonly layout: string }>
  >;
}

/** A pool whose windows fit the size of the result. */
export function adaptivePooling(spec: AdaptivePool): OpInfo {
  const { kernel, rank, ...facts } = spec;
  const letters = `NC${SPATIAL[rank]}`;
  return defineOp({
    ...facts,
    source: 'operators §6; PyTorch adaptive pooling',
    inputs: ['data'],
    attrs: attrs({
      output_size: withDefault(orNone(either(positiveInt, list(positiveInt, [1, rank]))), null),
      layout: withDefault(text, letters),
      out_layout: withDefault(text, ''),
    }),
    relation: (args, attrs, context) => {
      const size = adaptiveSize(attrs.output_size, rank);
      return pooledType(args, attrs, rank, context, (spatial) => {
        if (size === undefined) return spatial;
        return hasElements(spatial, size, context) ? size : undefined;
      });
    },
    kernel: (args, attrs, out) => {
      const layout = parseLayout(attrs.out_layout || attrs.layout) ?? [];
      const size = plainDims(out.shape, layout, letters).slice(2).filter(isStaticDim);
      return inPlain(args.tensor(0), attrs, rank, (x) => kernel(x, size, out), out);
    },
    cost: perInputElement,
    fusion: 'out_elemwise_fusable',
    sampled: { as: 'pool to a size', rank },
    kind: 'reduction',
    domain: 'any',
    scaleAxis: 'none',
  });
}

const adaptiveSize = (
  size: number | ReadonlyArray<number> | null,
  rank: number,
): ReadonlyArray<number> | undefined => {
  if (size === null) return undefined;
  if (typeof size === 'number') return repeated(size, rank);
  return size.length === rank ? size : repeated(size[0] ?? 1, rank);
};

const poolOptions = (attrs: PoolAttrs, rank: number): PoolOptions => ({
  poolSize: attrs.pool_size,
  strides: attrs.strides,
  padding: paddingLists(attrs.padding, rank),
  dilation: attrs.dilation,
  ceilMode: attrs.ceil_mode,
});

/** One operation for each cell of each window. */
const poolFlops = (result: Type, attrs: PoolAttrs): number =>
  elementCount(result) * attrs.pool_size.reduce((a, b) => a * b, 1);

function poolType(
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

interface Layouts {
  readonly layout: string;
  readonly out_layout: string;
}

/** The type of a pool whose spatial dimensions become `pooled`. */
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
  if (data.shape.length !== layout.length) {
    const expected = `rank ${layout.length} (${attrs.layout})`;
    return report(context, wrongRank('`data`', expected, data.shape.length));
  }
  const [batch, channels, ...spatial] = plainDims(data.shape, layout, letters);
  const places = pooled(spatial);
  if (places === undefined || batch === undefined || channels === undefined) return undefined;
  const shape = layoutDims([batch, channels, ...places], letters, outLayout);
  if (shape !== undefined) return tensorType(shape, data.dtype);
  const multiple = `a multiple of ${blockSize(outLayout, 'C')}`;
  return report(context, dimMismatch('the channels', multiple, describeDim(channels)));
}

/** Runs a kernel of (N, C, spatial...) on data in another layout. */
function inPlain(
  data: Tensor,
  attrs: Layouts,
  rank: SpatialRank,
  kernel: (x: Tensor, memory: Memory) => Tensor,
  memory: Memory,
): Tensor {
  const letters = `NC${SPATIAL[rank]}`;
  const layout = attrs.layout;
  const plain =
    layout === letters ? data : toPlain(data, parseLayout(layout) ?? [], letters, memory);
  const out = attrs.out_layout || layout;
  const pooled = kernel(plain, memory);
  return out === letters ? pooled : fromPlain(pooled, letters, parseLayout(out) ?? [], memory);
}
