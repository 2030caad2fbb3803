/** The equations of convolutions and matrix products, which take a scale into their weight. */
import { axesOf, type LetterAxes, layoutAttr, letterAxes } from './layout.ts';
import type { ScaleMeeting, ScaleProduct, ScaleSite } from './scale-axis.ts';
import { dimsOf, productOf, sameFloat, staticDims } from './shape.ts';

/**
 * A convolution: the data's channels meet the weight's I axis, the result's channels its O axis.
 *
 * It holds for one group, and for a depthwise convolution (one channel a group), where both meet
 * the O axis. Layouts have no blocks at all, or blocks of all of C, I and O.
 */
export const convolutionScale: ScaleProduct = convolution(true, false);

/** As {@link convolutionScale}, for convolutions that TVM has no rule for. */
export const convolution1dScale: ScaleProduct = convolution(true, true);

/** A transposed convolution: as {@link convolutionScale}, for one group. */
export const transposedConvolutionScale: ScaleProduct = convolution(false, true);

/** `nn.dense`: the last axis of the data meets the weight's second, that of the result its first. */
export const denseScale: ScaleProduct = {
  _tag: 'ScaleProduct',
  beyondTvm: false,
  input: (site) => matrixMeeting(site, lastAxis(site.args[0]), 1),
  output: (site) => matrixMeeting(site, lastAxis(site.result), 0),
};

/** `nn.matmul` and `nn.batch_matmul`: the shared axis, and the last axis of the result. */
export const matmulScale: ScaleProduct = {
  _tag: 'ScaleProduct',
  beyondTvm: true,
  input: (site) => {
    const last = lastAxis(site.args[0]);
    const weightLast = lastAxis(site.args[1]);
    if (last === undefined || weightLast === undefined) return undefined;
    return matrixMeeting(
      site,
      site.attrs.transpose_a === true ? last - 1 : last,
      site.attrs.transpose_b === true ? weightLast : weightLast - 1,
    );
  },
  output: (site) => {
    const weightLast = lastAxis(site.args[1]);
    if (weightLast === undefined) return undefined;
    const weightAxis = site.attrs.transpose_b === true ? weightLast - 1 : weightLast;
    return matrixMeeting(site, lastAxis(site.result), weightAxis);
  },
};

function convolution(depthwiseToo: boolean, beyondTvm: boolean): ScaleProduct {
  const meeting = (
    site: ScaleSite,
    layout: string,
    letter: 'I' | 'O',
  ): ScaleMeeting | undefined => {
    if (!sameFloat([...site.args, site.result])) return undefined;
    const kernelLayout = layoutAttr(site.attrs, 'kernel_layout');
    const channels = letterAxes(layout, 'C');
    const inputs = letterAxes(kernelLayout, 'I');
    const outputs = letterAxes(kernelLayout, 'O');
    if (channels === undefined || inputs === undefined || outputs === undefined) return undefined;
    const blocks = [channels, inputs, outputs].filter((axes) => axes.block !== undefined).length;
    if (blocks !== 0 && blocks !== 3) return undefined;
    const depthwise = depthwiseToo && isDepthwise(site, inputs, outputs);
    if (site.attrs.groups !== 1 && !depthwise) return undefined;
    const met = letter === 'O' || site.attrs.groups !== 1 ? outputs : inputs;
    const weight = axesOf(met);
    const isKnown = blocks === 0 || staticDims(site.args[1], weight) !== undefined;
    return isKnown ? { tensor: axesOf(channels), weight } : undefined;
  };
  return {
    _tag: 'ScaleProduct',
    beyondTvm,
    input: (site) => meeting(site, layoutAttr(site.attrs, 'data_layout'), 'I'),
    output: (site) => {
      const layout = layoutAttr(site.attrs, 'out_layout') || layoutAttr(site.attrs, 'data_layout');
      return meeting(site, layout, 'O');
    },
  };
}

/** Whether each group has one input channel and one output channel. */
function isDepthwise(site: ScaleSite, inputs: LetterAxes, outputs: LetterAxes): boolean {
  const weight = dimsOf(site.args[1]);
  if (weight === undefined) return false;
  const sizeOf = (axes: LetterAxes): number | undefined =>
    productOf(axesOf(axes).flatMap((axis) => weight[axis] ?? []));
  return sizeOf(inputs) === 1 && sizeOf(outputs) === site.attrs.groups;
}

function matrixMeeting(
  site: ScaleSite,
  tensorAxis: number | undefined,
  weightAxis: number,
): ScaleMeeting | undefined {
  if (tensorAxis === undefined || tensorAxis < 0 || weightAxis < 0) return undefined;
  if (!sameFloat([...site.args, site.result])) return undefined;
  return { tensor: [tensorAxis], weight: [weightAxis] };
}

function lastAxis(type: ScaleSite['result'] | undefined): number | undefined {
  const dims = dimsOf(type);
  return dims === undefined || dims.length === 0 ? undefined : dims.length - 1;
}
