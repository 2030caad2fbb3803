/** The gradients of convolutions and transposed convolutions, which are convolutions again. */
import type { Attrs, Expr } from '@baton/ir';
import { paddingPairs } from '../relation/window.ts';
import type { GradientSite } from './column.ts';

export interface ConvolutionAttrs {
  readonly strides: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly groups: number;
  readonly data_layout: string;
  readonly kernel_layout: string;
  readonly out_layout: string;
  readonly out_dtype: string;
}

/** The two operators for a number of spatial axes, and the plain layouts of their operands. */
interface Names {
  readonly forward: string;
  readonly transposed: string;
  readonly letters: string;
}

interface Plain {
  readonly x: Expr;
  readonly w: Expr;
  readonly g: Expr;
  readonly xSizes: ReadonlyArray<number>;
  readonly wSizes: ReadonlyArray<number>;
  readonly gSizes: ReadonlyArray<number>;
}

/**
 * `y = x ⋆ w`: the gradient of `x` is the transposed convolution of `g`, that of `w` the
 * correlation of both.
 */
export function convolutionGradient(
  site: GradientSite<ConvolutionAttrs>,
): ReadonlyArray<Expr | undefined> {
  const names = namesOf(site);
  const plain = plainOf(site, names.letters, 'OI');
  const [outputs = 0, inputs = 0] = plain.wSizes;
  const isMultiplied = inputs * site.attrs.groups !== plain.xSizes[1];
  if (isMultiplied) {
    // A depthwise weight (C, m, ...) is reshaped to (C · m, 1, ...).
    const filters = [outputs * inputs, 1, ...plain.wSizes.slice(2)];
    const own = { ...plain, w: site.reshape(plain.w, filters), wSizes: filters };
    const [dx, dw] = ofConvolution(site, own, names);
    return back(site, dx, site.reshape(dw, plain.wSizes), names.letters, 'OI');
  }
  const [dx, dw] = ofConvolution(site, plain, names);
  return back(site, dx, dw, names.letters, 'OI');
}

/** `y = x ⋆ᵀ w`: the same with `x` and `g` swapped. */
export function transposedGradient(
  site: GradientSite<ConvolutionAttrs>,
): ReadonlyArray<Expr | undefined> {
  const names = namesOf(site);
  const plain = plainOf(site, names.letters, 'IO');
  const { x, w, g, xSizes, wSizes, gSizes } = plain;
  const { strides, padding, dilation, groups } = site.attrs;
  const dx = site.op(names.forward, [g, w], { strides, padding, dilation, groups });
  const grown = site.crop(
    dx,
    xSizes.map(() => 0),
    xSizes,
  );
  const dw = weightGradient(site, g, x, { inputs: gSizes, outputs: xSizes, weight: wSizes }, names);
  return back(site, grown, dw, names.letters, 'IO');
}

function ofConvolution(
  site: GradientSite<ConvolutionAttrs>,
  { x, w, g, xSizes, wSizes, gSizes }: Plain,
  names: Names,
): readonly [Expr, Expr] {
  const { strides, padding, dilation, groups } = site.attrs;
  const shared = { strides, padding, dilation, groups };
  const missing = unreached(site.attrs, { xSizes, wSizes, gSizes });
  const dx = site.op(names.transposed, [g, w], { ...shared, output_padding: missing });
  const sizes = { inputs: xSizes, outputs: gSizes, weight: wSizes };
  return [dx, weightGradient(site, x, g, sizes, names)];
}

/**
 * Correlates the data with the gradient of the result: a convolution with batches as channels,
 * strides and dilation swapped, and each group computed separately.
 */
function weightGradient(
  site: GradientSite<ConvolutionAttrs>,
  x: Expr,
  g: Expr,
  sizes: {
    readonly inputs: ReadonlyArray<number>;
    readonly outputs: ReadonlyArray<number>;
    readonly weight: ReadonlyArray<number>;
  },
  names: Names,
): Expr {
  const { strides, padding, dilation, groups } = site.attrs;
  const [batch = 0, channels = 0, ...spatial] = sizes.inputs;
  const places = spatial.map((_, i) => i);
  const perGroup = channels / groups;
  const parted = site.reshape(x, [batch, groups, perGroup, ...spatial]);
  const turned = site.transpose(parted, [2, 1, 0, ...places.map((i) => i + 3)]);
  const data = site.reshape(turned, [perGroup, groups * batch, ...spatial]);
  const windows = site.transpose(g, [1, 0, ...places.map((i) => i + 2)]);
  const all = site.op(names.forward, [data, windows], {
    strides: dilation,
    dilation: strides,
    padding,
    groups,
  });
  const kernel = sizes.weight.slice(2);
  const weight = site.transpose(all, [1, 0, ...places.map((i) => i + 2)]);
  const used = [sizes.outputs[1] ?? 0, perGroup, ...kernel];
  return site.crop(
    weight,
    used.map(() => 0),
    used,
  );
}

/**
 * The gradient of a weight's gradient, which is linear in the gradient of the result and in the
 * data: a convolution, and a transposed one. The attributes name the layouts of all three.
 */
export function weightGradientGradients(site: GradientSite<ConvolutionAttrs>): ReadonlyArray<Expr> {
  const { attrs, args, sizes, op } = site;
  const { data_layout: ofGrad, kernel_layout: ofData, out_layout: ofWeight } = attrs;
  if (/[0-9]/.test(ofGrad + ofData + ofWeight)) site.refuse('its layouts have blocks');
  const [g, x] = [inLayout(site, args[0], ofGrad, 'NCHW'), inLayout(site, args[1], ofData, 'NCHW')];
  const w = inLayout(site, gradientOf(site), ofWeight, 'OIHW');
  const { strides, padding, dilation, groups } = attrs;
  const shared = { strides, padding, dilation, groups };
  const missing = unreached(attrs, {
    xSizes: ordered(sizes(1), ofData, 'NCHW'),
    wSizes: ordered(site.resultSizes(), ofWeight, 'OIHW'),
    gSizes: ordered(sizes(0), ofGrad, 'NCHW'),
  });
  const dg = op('nn.conv2d', [x, w], shared);
  const dx = op('nn.conv2d_transpose', [g, w], { ...shared, output_padding: missing });
  return [inLayout(site, dg, 'NCHW', ofGrad), inLayout(site, dx, 'NCHW', ofData)];
}

/** The elements at the end of each axis that no window reads. */
const unreached = (
  { strides, padding, dilation }: ConvolutionAttrs,
  { xSizes, wSizes, gSizes }: Pick<Plain, 'xSizes' | 'wSizes' | 'gSizes'>,
): ReadonlyArray<number> =>
  paddingPairs(padding, strides.length).map(([before, after], i) => {
    const reach = ((gSizes[i + 2] ?? 1) - 1) * (strides[i] ?? 1) + span(wSizes, dilation, i);
    return (xSizes[i + 2] ?? 0) + before + after - reach;
  });

const span = (
  weight: ReadonlyArray<number>,
  dilation: ReadonlyArray<number>,
  axis: number,
): number => ((weight[axis + 2] ?? 1) - 1) * (dilation[axis] ?? 1) + 1;

const SPATIAL = ['', 'W', 'HW', 'DHW'];

function namesOf({ attrs: { strides } }: GradientSite<ConvolutionAttrs>): Names {
  const forward = `nn.conv${strides.length}d`;
  return { forward, transposed: `${forward}_transpose`, letters: `NC${SPATIAL[strides.length]}` };
}

function plainOf(
  site: GradientSite<ConvolutionAttrs>,
  letters: string,
  channels: 'OI' | 'IO',
): Plain {
  const { data_layout: layout, kernel_layout: kernel, out_layout: out } = site.attrs;
  const weight = channels + letters.slice(2);
  const isPlain = layout === letters && kernel === weight && (out === '' || out === layout);
  if (!isPlain && /[0-9]/.test(layout + kernel + out)) {
    site.refuse('its layouts have blocks');
  }
  const { args, sizes, resultSizes } = site;
  const [x, w] = args;
  return {
    x: inLayout(site, x, layout, letters),
    w: inLayout(site, w, kernel, weight),
    g: inLayout(site, gradientOf(site), out || layout, letters),
    xSizes: ordered(sizes(0), layout, letters),
    wSizes: ordered(sizes(1), kernel, weight),
    gSizes: ordered(resultSizes(), out || layout, letters),
  };
}

/** The gradient of the result, in the dtype of the data. */
const gradientOf = ({ g, args: [x], attrs, op }: GradientSite<ConvolutionAttrs>): Expr =>
  attrs.out_dtype === '' ? g : op('cast_like', [g, x]);

function back(
  site: GradientSite<ConvolutionAttrs>,
  dx: Expr,
  dw: Expr,
  letters: string,
  channels: 'OI' | 'IO',
): ReadonlyArray<Expr> {
  const { data_layout: layout, kernel_layout: kernel } = site.attrs;
  return [
    inLayout(site, dx, letters, layout),
    inLayout(site, dw, channels + letters.slice(2), kernel),
  ];
}

function inLayout(site: GradientSite<unknown>, a: Expr, from: string, to: string): Expr {
  if (from === to) return a;
  const attrs: Attrs = { src_layout: from, dst_layout: to };
  return site.op('layout_transform', [a], attrs);
}

const ordered = (sizes: ReadonlyArray<number>, from: string, to: string): ReadonlyArray<number> =>
  [...to].map((letter) => sizes[from.indexOf(letter)] ?? 0);
