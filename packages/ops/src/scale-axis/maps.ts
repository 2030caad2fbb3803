/** The scale equations of operators through which a scale passes from their first argument. */
import { dimsEqual, multiplyDims } from '@baton/ir';
import { readNumber } from '@baton/tensor';
import { axesOf, layoutAttr, letterAxes } from './layout.ts';
import type {
  ScaleBias,
  ScaleConcatenation,
  ScaleMap,
  ScaleOrigin,
  ScaleSum,
} from './scale-axis.ts';
import { dimsOf } from './shape.ts';

export const multiplyScale: ScaleOrigin = { _tag: 'ScaleOrigin' };

export const sumScale: ScaleSum = { _tag: 'ScaleSum' };

export const biasScale: ScaleBias = {
  _tag: 'ScaleBias',
  axis: (site) => normalAxis(site.attrs.axis, dimsOf(site.result)?.length),
};

/** `nn.relu`, `nn.leaky_relu`: a positive scale changes no sign. */
export const rectifierScale: ScaleMap = {
  _tag: 'ScaleMap',
  needsPositive: true,
  beyondTvm: false,
  axes: (site) => dimsOf(site.result)?.map((_, axis) => axis),
};

/** Maximum over windows: a positive scale keeps the order. */
export const maxPoolScale: ScaleMap = pool(true);

/** Mean over windows: linear. */
export const avgPoolScale: ScaleMap = pool(false);

/** `nn.pad` with zeros, along unpadded axes. */
export const padScale: ScaleMap = {
  _tag: 'ScaleMap',
  needsPositive: false,
  beyondTvm: true,
  axes: (site) => {
    const value = site.constant(1);
    const isZero = value?.shape.length === 0 && readNumber(value, 0) === 0;
    const widths = site.attrs.pad_width;
    if (!isZero || site.attrs.pad_mode !== 'constant' || !Array.isArray(widths)) return undefined;
    return widths.map((pair, axis) =>
      Array.isArray(pair) && pair.every((width) => width === 0) ? axis : undefined,
    );
  },
};

export const transposeScale: ScaleMap = {
  _tag: 'ScaleMap',
  needsPositive: false,
  beyondTvm: true,
  axes: (site) => {
    const rank = dimsOf(site.result)?.length;
    const axes = site.attrs.axes;
    if (rank === undefined) return undefined;
    if (axes === null) return Array.from({ length: rank }, (_, axis) => rank - 1 - axis);
    return Array.isArray(axes) ? axes.map((axis) => normalAxis(axis, rank)) : undefined;
  },
};

/**
 * `reshape`: an axis of the result comes from the axis of the data with its size and the same
 * number of elements before it.
 */
export const reshapeScale: ScaleMap = {
  _tag: 'ScaleMap',
  needsPositive: false,
  beyondTvm: true,
  axes: (site) => {
    const from = dimsOf(site.args[0]);
    const to = dimsOf(site.result);
    if (from === undefined || to === undefined) return undefined;
    const before = (dims: typeof from, axis: number) => dims.slice(0, axis).reduce(multiplyDims, 1);
    return to.map((dim, axis) => {
      const leading = before(to, axis);
      const at = from.findIndex(
        (other, i) => dimsEqual(other, dim) && dimsEqual(before(from, i), leading),
      );
      return at < 0 ? undefined : at;
    });
  },
};

export const concatenateScale: ScaleConcatenation = {
  _tag: 'ScaleConcatenation',
  beyondTvm: true,
  axis: (site) => normalAxis(site.attrs.axis, dimsOf(site.result)?.length),
};

function pool(needsPositive: boolean): ScaleMap {
  return {
    _tag: 'ScaleMap',
    needsPositive,
    beyondTvm: true,
    axes: (site) => {
      const layout = layoutAttr(site.attrs, 'layout');
      const outLayout = layoutAttr(site.attrs, 'out_layout');
      const channels = letterAxes(layout, 'C');
      if (channels === undefined || (outLayout !== '' && outLayout !== layout)) return undefined;
      const along = axesOf(channels);
      return dimsOf(site.result)?.map((_, axis) => (along.includes(axis) ? axis : undefined));
    },
  };
}

function normalAxis(axis: unknown, rank: number | undefined): number | undefined {
  if (typeof axis !== 'number' || rank === undefined) return undefined;
  const normal = axis < 0 ? axis + rank : axis;
  return normal >= 0 && normal < rank ? normal : undefined;
}
