/** Operators that resize images. */
import {
  anyDim,
  type Dim,
  type Expr,
  isAnyDim,
  isStaticDim,
  multiplyDims,
  type OpInfo,
  type RelationContext,
  type Type,
  tensorType,
} from '@baton/ir';
import {
  cast,
  type DType,
  fromNumbers,
  isFloat,
  type Shape,
  type Tensor,
  toNumbers,
  zeros,
} from '@baton/tensor';
import {
  dtypeOrEmpty,
  either,
  float,
  int,
  list,
  oneOf,
  orNone,
  positiveInt,
  text,
} from '../attrs/codecs.ts';
import { type AttrsOf, attrs, withDefault } from '../attrs/schema.ts';
import type { Example } from '../columns.ts';
import { elementCount } from '../cost.ts';
import { defineOp, type Facts } from '../define-op.ts';
import type { DefinitionSite } from '../definition/site.ts';
import { byMatrices } from '../definition/windows.ts';
import { badAttr, badExtent } from '../diagnostics.ts';
import type { InterpolatedAxis } from '../form/form.ts';
import type { KernelArgs, Out } from '../kernel.ts';
import { type ResizeMethod, type ResizeOptions, resize, resizeTaps } from '../kernels/resize.ts';
import { layoutDims, parseLayout, plainDims } from '../layout/layout.ts';
import { SPATIAL_AXES, type SpatialRank } from '../layout/spatial.ts';
import { fromPlain, toPlain } from '../layout/transform.ts';
import { dimsInLayout, layoutAttr, SPATIAL } from '../relation/in-layout.ts';
import { inDomain, report, tensorArg } from '../relation/known.ts';
import { toldRegion } from '../relay-text.ts';
import { imageLayouts } from '../relayout/rules.ts';

export const resizeProps = (rank: SpatialRank) =>
  ({
    size: either(positiveInt, list(positiveInt, [1, rank])),
    roi: withDefault(orNone(list(float, [2 * rank])), null),
    layout: withDefault(text, `NC${SPATIAL[rank]}`),
    method: withDefault(oneOf('linear', 'nearest_neighbor', 'cubic'), 'linear'),
    coordinate_transformation_mode: withDefault(
      oneOf(
        'half_pixel',
        'align_corners',
        'asymmetric',
        'pytorch_half_pixel',
        'tf_half_pixel_for_nn',
        'tf_crop_and_resize',
      ),
      'half_pixel',
    ),
    rounding_method: withDefault(
      oneOf('round', 'floor', 'ceil', 'round_prefer_floor', 'round_prefer_ceil'),
      'round',
    ),
    cubic_alpha: withDefault(float, -0.5),
    cubic_exclude: withDefault(int, 0),
    extrapolation_value: withDefault(float, 0),
    out_dtype: withDefault(orNone(dtypeOrEmpty), null),
  }) as const;

type ResizeAttrs = AttrsOf<ReturnType<typeof resizeProps>>;

export interface Resize extends Facts<'name'> {
  readonly rank: SpatialRank;
  readonly examples: ReadonlyArray<Example<ResizeAttrs>>;
}

export function resizing(spec: Resize): OpInfo {
  const { rank, examples, ...facts } = spec;
  return defineOp({
    ...facts,
    doc: `Data with ${SPATIAL_AXES[rank]} at another size: by nearest-neighbour, linear or cubic interpolation.`,
    signature: {
      examples,
      source: 'operators §6; Relay v0.14 image.resize; ONNX Resize-13',
      relayText: { told: toldRegion(rank) },
      attrs: attrs(resizeProps(rank)),
      relation: (args, attrs, context) => {
        const isCrop = attrs.coordinate_transformation_mode === 'tf_crop_and_resize';
        if (isCrop && attrs.roi === null) {
          return report(context, badAttr('roi', 'tf_crop_and_resize needs it'));
        }
        const size = sizesOf(attrs.size, rank);
        return resizedType(
          args,
          attrs.layout,
          rank,
          context,
          attrs.out_dtype || undefined,
          () => size,
        );
      },
    },
    ...resizes(rank, (given: ResizeAttrs) => ({ ...given, options: optionsOf(given) })),
    layoutAttributes: imageLayouts,
    sampled: { as: 'resize', rank },
  });
}

/** How a call resizes its image. */
interface Resizing {
  readonly layout: string;
  /** The starts of the spatial axes, then their ends. */
  readonly roi?: ReadonlyArray<number> | null;
  /** The dtype that the data is cast to before; empty or absent for its own. */
  readonly out_dtype?: DType | '' | null;
  readonly options: ResizeOptions;
}

/** The facts of an operator that resizes the spatial axes of its first argument. */
export const resizes = <A>(rank: SpatialRank, resizingOf: (attrs: A) => Resizing) =>
  ({
    kernel: (args: KernelArgs, attrs: A, out: Out): Tensor => {
      const { layout, roi, out_dtype: dtype, options } = resizingOf(attrs);
      const letters = `NC${SPATIAL[rank]}`;
      const data = dtype ? cast(args.tensor(0), dtype, out) : args.tensor(0);
      const plain = toPlain(data, layout, letters, out);
      const shape = plainDims(out.shape, parseLayout(layout) ?? [], letters).slice(2);
      const axes = shape.filter(isStaticDim).map((size, i) => {
        const part = [roi?.[i] ?? 0, roi?.[i + rank] ?? 1] as const;
        return { axis: i + 2, size, roi: part };
      });
      return fromPlain(resize(plain, axes, options, out), letters, layout, out);
    },
    form: {
      _tag: 'Interpolate',
      axes: (attrs: A, shape: Shape, result: Shape) =>
        interpolatedAxes(resizingOf(attrs), rank, shape, result),
    },
    cost: (_args: unknown, result: Type, attrs: A): number =>
      elementCount(result) * TAPS[resizingOf(attrs).options.method] * 2 * rank,
    definition: (site: DefinitionSite<A>): Expr | undefined => {
      const { out_dtype: dtype, ...resizing } = resizingOf(site.attrs);
      if (dtype && !isFloat(dtype)) return undefined;
      const resized = resizeDefinition(site, resizing);
      return dtype && resized ? site.op('cast', [resized], { dtype }) : resized;
    },
  }) as const;

/**
 * The taps of a resize in a layout without blocks; `undefined` if a coordinate is outside of the
 * image.
 */
function interpolatedAxes(
  { layout, roi, out_dtype: dtype, options }: Resizing,
  rank: SpatialRank,
  shape: Shape,
  result: Shape,
): ReadonlyArray<InterpolatedAxis> | undefined {
  const axes = [...SPATIAL[rank]].map((letter, i) => {
    const axis = layout.indexOf(letter);
    const part = [roi?.[i] ?? 0, roi?.[i + rank] ?? 1] as const;
    return { axis, taps: resizeTaps(shape[axis] ?? 0, result[axis] ?? 0, part, options) };
  });
  const isPlain = !dtype && layout.length === shape.length;
  const isInside = axes.every(({ taps }) => taps.every(({ isOutside }) => !isOutside));
  return isPlain && isInside ? axes : undefined;
}

const optionsOf = (attrs: ResizeAttrs): ResizeOptions => ({
  method: attrs.method,
  coordinates: attrs.coordinate_transformation_mode,
  rounding: attrs.rounding_method,
  cubicAlpha: attrs.cubic_alpha,
  cubicExclude: attrs.cubic_exclude !== 0,
  extrapolation: attrs.extrapolation_value,
});

/**
 * A resize as products with a matrix along each axis (the resized identity), with the values
 * outside of the image. The rounding of integers is not covered.
 */
function resizeDefinition(
  site: Omit<DefinitionSite<unknown>, 'attrs'>,
  { layout, roi, options }: Resizing,
): Expr | undefined {
  if (!isFloat(site.dtype(0))) return undefined;
  const spatial = [...'DHW'].filter((letter) => layout.includes(letter));
  const partOf = (axis: number) => [roi?.[axis] ?? 0, roi?.[axis + spatial.length] ?? 1] as const;
  const inside = byMatrices(site, layout, layout, (size, count, axis) => {
    const identity = Array.from({ length: size * size }, (_, i) => Number(i % (size + 1) === 0));
    const rows = fromNumbers(identity, [size, size], 'float64');
    const along = [{ axis: 0, size: count, roi: partOf(axis) }];
    return [...toNumbers(resize(rows, along, { ...options, extrapolation: 0 }))];
  });
  if (options.coordinates !== 'tf_crop_and_resize' || options.extrapolation === 0) return inside;
  const [from, to] = [site.sizes(0), site.resultSizes()];
  const isSpatial = [...layout].map((letter) => spatial.includes(letter));
  const nothing = zeros(
    from.map((size, axis) => (isSpatial[axis] ? size : 1)),
    'float64',
  );
  const along = spatial.map((letter, i) => {
    const axis = layout.indexOf(letter);
    return { axis, size: to[axis] ?? 0, roi: partOf(i) };
  });
  const outside = resize(nothing, along, options);
  return site.plus(inside, site.numbers([...toNumbers(outside)], outside.shape));
}

export const TAPS: { readonly [M in ResizeMethod]: number } = {
  nearest_neighbor: 1,
  linear: 2,
  cubic: 4,
};

export function resizedType(
  args: ReadonlyArray<Type>,
  layoutName: string,
  rank: SpatialRank,
  context: RelationContext,
  dtype: DType | undefined,
  sizes: (spatial: ReadonlyArray<Dim>) => ReadonlyArray<Dim>,
): Type | undefined {
  const letters = `NC${SPATIAL[rank]}`;
  const layout = layoutAttr('layout', layoutName, letters, context);
  const data = tensorArg(args, 0, context);
  if (layout === undefined || data === undefined) return undefined;
  if (!inDomain(data.dtype, 'number', context)) return undefined;
  const dims = dimsInLayout(data, '`data`', layout, layoutName, letters, context);
  if (dims === undefined) return undefined;
  const [batch = 1, channels = 1, ...spatial] = dims;
  if (spatial.includes(0)) return report(context, badExtent('the image', 'it has no places'));
  const shape = layoutDims([batch, channels, ...sizes(spatial)], letters, layout);
  return shape && tensorType(shape, dtype ?? data.dtype);
}

export function scaledDim(dim: Dim, scale: number): Dim {
  if (typeof dim === 'number') return Math.round(dim * scale);
  return Number.isInteger(scale) && !isAnyDim(dim) ? multiplyDims(dim, scale) : anyDim;
}

const sizesOf = (size: number | ReadonlyArray<number>, rank: number): ReadonlyArray<number> => {
  const list = typeof size === 'number' ? [size] : size;
  return list.length === rank ? list : new Array<number>(rank).fill(list[0] ?? 1);
};
