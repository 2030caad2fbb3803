/** The scale equations of convolutions and matrix products, whose weights absorb a scale. */
import type { Type } from '@baton/ir';
import { axesOf, type LetterAxes, layoutAttr, letterAxes } from './layout.ts';
import type { ScaleMeeting, ScaleProduct, ScaleSite } from './scale-axis.ts';
import { dimsOf, productOf, sameFloat, staticDims } from './shape.ts';

/**
 * A convolution: the data's channels correspond to the weight's I axis, the result's channels to
 * its O axis. The O axis has all groups, so it corresponds to the result's channels for any number
 * of them; TVM has no rule for groups of several channels. The I axis belongs to one group: it
 * corresponds to the data's channels if there is only one group, and the O axis does if each
 * channel is a group. Layouts have no blocks at all, or blocks of all of C, I and O.
 */
export const convolutionScale: ScaleProduct = convolution(
  'O',
  (site) => site.attrs.groups !== 1 && !isDepthwise(site),
);

/** Like {@link convolutionScale}, for convolutions without a rule in TVM. */
export const convolution1dScale: ScaleProduct = convolution('O', () => true);

/** A transposed convolution: like {@link convolutionScale}, but the I axis has all groups. */
export const transposedConvolutionScale: ScaleProduct = convolution('I', () => true);

/**
 * `nn.dense`: the last axis of the data corresponds to the weight's second, the result's last to
 * its first.
 */
export const denseScale: ScaleProduct = {
  _tag: 'ScaleProduct',
  beyondTvm: () => false,
  input: (site) => matrixMeeting(site, lastAxis(site.args[0]), 1),
  output: (site) => matrixMeeting(site, lastAxis(site.result), 0),
};

/** `nn.matmul` and `nn.batch_matmul`: the shared axis, and the last axis of the result. */
export const matmulScale: ScaleProduct = {
  _tag: 'ScaleProduct',
  beyondTvm: () => true,
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

/** A convolution whose weight has the channels of all groups along the axis `whole`. */
function convolution(whole: 'I' | 'O', beyondTvm: ScaleProduct['beyondTvm']): ScaleProduct {
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
    const isPart = site.attrs.groups !== 1 && letter !== whole;
    if (isPart && (whole === 'I' || !isDepthwise(site))) return undefined;
    const weight = axesOf(letter === 'O' || isPart ? outputs : inputs);
    const tensor = letter === 'O' ? site.result : site.args[0];
    // Relay also accepts weights whose O axis belongs to the groups, with the rest along I.
    if (site.attrs.groups !== 1 && !sameSize(tensor, axesOf(channels), site.args[1], weight)) {
      return undefined;
    }
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

function sameSize(
  a: Type | undefined,
  axesOfA: ReadonlyArray<number>,
  b: Type | undefined,
  axesOfB: ReadonlyArray<number>,
): boolean {
  const places = staticDims(a, axesOfA);
  const others = staticDims(b, axesOfB);
  return places !== undefined && others !== undefined && productOf(places) === productOf(others);
}

/** Whether each group has one input channel and one output channel. */
function isDepthwise(site: ScaleSite): boolean {
  const weight = dimsOf(site.args[1]);
  const kernelLayout = layoutAttr(site.attrs, 'kernel_layout');
  const [inputs, outputs] = [letterAxes(kernelLayout, 'I'), letterAxes(kernelLayout, 'O')];
  if (weight === undefined || inputs === undefined || outputs === undefined) return false;
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
