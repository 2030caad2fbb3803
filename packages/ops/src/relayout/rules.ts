/** The relayout rules of families of operators. */
import type { Attrs, Type } from '@baton/ir';
import { letterAxes } from '../scale-axis/layout.ts';
import { dimsOf } from '../scale-axis/shape.ts';
import {
  axesNow,
  axisNow,
  broadcastAlong,
  isSplit,
  type Lettered,
  lettered,
  ofFirst,
  plainAxis,
  rankOf,
  without,
} from './letters.ts';
import type {
  LayoutAttributes,
  Relayed,
  Relayout,
  RelayoutRule,
  RelayoutSite,
} from './relayout.ts';

/**
 * Elementwise operators: all arguments take the layout with the most axes among the available ones;
 * smaller ones broadcast, a scalar stays.
 */
export const alike: RelayoutRule = ({ args, results, inputs, attrs }) => {
  const rank = rankOf(results[0]);
  const known = inputs.map(lettered).filter((layout) => layout?.letters.length === rank);
  const chosen = known.reduce<Lettered | undefined>(
    (best, layout) => (best && layout && layout.now.length <= best.now.length ? best : layout),
    undefined,
  );
  if (chosen === undefined) return undefined;
  const taken = args.map((type) => broadcastAlong(chosen, dimsOf(type) ?? []));
  if (!taken.every((layout) => layout !== undefined)) return undefined;
  return {
    inputs: taken.map((layout) => (layout === 'as it was' ? undefined : layout)),
    outputs: results.map(() => chosen),
    attrs,
  };
};

/** Operators on the elements of their first argument, the only one whose layout matters. */
export const likeFirst: RelayoutRule = (site) => {
  const first = ofFirst(site);
  return first && { ...ofRank(site, first, 1), attrs: site.attrs };
};

/** Operators with an attribute `axis`, one axis or several: the letters of the axes stay. */
export const keepsAxis: RelayoutRule = (site) => {
  const first = ofFirst(site);
  const { axis } = site.attrs;
  if (first === undefined || axis === null || axis === undefined) return undefined;
  const now = Array.isArray(axis) ? axesNow(first, axis.map(Number)) : axisNow(first, Number(axis));
  if (now === undefined) return undefined;
  return { ...ofRank(site, first), attrs: { ...site.attrs, axis: now } };
};

/** Operators like {@link keepsAxis} with a special first axis: it must stay the first. */
export const keepsAxisOfBatch: RelayoutRule = (site) => {
  const first = ofFirst(site);
  return first?.letters[0] === first?.now[0] ? keepsAxis(site) : undefined;
};

/** The layout for all arguments and results of its rank, up to argument `count`. */
function ofRank(
  { args, results }: RelayoutSite,
  layout: Lettered,
  count = args.length,
): Pick<Relayout, 'inputs' | 'outputs'> {
  const rank = layout.letters.length;
  return {
    inputs: args.map((type, i) => (i < count && rankOf(type) === rank ? layout : undefined)),
    outputs: results.map((type) => (rankOf(type) === rank ? layout : undefined)),
  };
}

/**
 * Reductions: the letters of the reduced axes stay, and are dropped from the result without
 * `keepdims`.
 */
export const reduced: RelayoutRule = (site) => {
  const first = ofFirst(site);
  return first && reducedOver(site, first, reducedAxes(site.attrs, first));
};

/** Reductions whose result is an index: it stays if the reduced axes keep their order. */
export const reducedToPlace: RelayoutRule = (site) => {
  const first = ofFirst(site);
  const gone = first && reducedAxes(site.attrs, first);
  const now = gone && axesNow(first, gone);
  if (first === undefined || gone === undefined || now === undefined) return undefined;
  const isInOrder = now.every((axis, i) => i === 0 || (now[i - 1] as number) < axis);
  return isInOrder ? reducedOver(site, first, gone) : undefined;
};

function reducedOver(
  site: RelayoutSite,
  first: Lettered,
  gone: ReadonlyArray<number>,
): Relayout | undefined {
  const axis = axesNow(first, gone);
  if (axis === undefined) return undefined;
  const letters = gone.map((at) => first.letters[at] as string);
  const left = site.attrs.keepdims === true ? first : without(first, letters);
  return {
    // A given mean broadcasts along the data.
    inputs: site.args.map((type) => (rankOf(type) === first.letters.length ? first : undefined)),
    outputs: [left],
    attrs: { ...site.attrs, axis: [...axis].sort((a, b) => a - b), exclude: false },
  };
}

function reducedAxes({ axis, exclude }: Attrs, layout: Lettered): ReadonlyArray<number> {
  const all = layout.letters.map((_, i) => i);
  if (axis === null || axis === undefined) return all;
  const listed = (Array.isArray(axis) ? axis : [axis]).map((at) => plainAxis(layout, Number(at)));
  return all.filter((at) => listed.includes(at) !== (exclude === true));
}

/** `transpose`: the result is unchanged; its axes are read from other positions. */
export const transposed: RelayoutRule = (site) => {
  const first = ofFirst(site);
  if (first === undefined) return undefined;
  const { axes } = site.attrs;
  const order = Array.isArray(axes) ? axes.map(Number) : first.letters.map((_, i) => i).reverse();
  const now = axesNow(first, order);
  return now && { inputs: [first], outputs: [undefined], attrs: { ...site.attrs, axes: now } };
};

/** `squeeze`: the letters of the dropped axes are dropped from the result. */
export const squeezed: RelayoutRule = (site) => {
  const first = ofFirst(site);
  const dims = dimsOf(site.args[0]);
  if (first === undefined || !dims?.every((dim) => typeof dim === 'number')) return undefined;
  const { axis } = site.attrs;
  const gone = Array.isArray(axis)
    ? axis.map((at) => plainAxis(first, Number(at)))
    : dims.flatMap((dim, at) => (dim === 1 ? [at] : []));
  const now = axesNow(first, gone);
  if (now === undefined) return undefined;
  const letters = gone.map((at) => first.letters[at] as string);
  return {
    inputs: [first],
    outputs: [without(first, letters)],
    attrs: { ...site.attrs, axis: now },
  };
};

/** Operators with an attribute `axes`, by default the leading axes. */
export const keepsAxes: RelayoutRule = (site) => {
  const first = ofFirst(site);
  if (first === undefined) return undefined;
  const { axes, begin } = site.attrs;
  const count = Array.isArray(begin) ? begin.length : first.letters.length;
  const listed = Array.isArray(axes)
    ? axes.map(Number)
    : first.letters.slice(0, count).map((_, i) => i);
  const now = axesNow(first, listed);
  return now && { ...ofRank(site, first), attrs: { ...site.attrs, axes: now } };
};

/**
 * Operators with an attribute `pad_width`: the widths move with their axes; blocks are not padded.
 */
export const padded: RelayoutRule = (site) => {
  const first = ofFirst(site);
  const { pad_width: widths } = site.attrs;
  if (first === undefined || !Array.isArray(widths)) return undefined;
  const nothing = [0, 0];
  const isPadded = (at: number): boolean => `${widths[at]}` !== `${nothing}`;
  if (first.letters.some((letter, at) => isSplit(first, letter) && isPadded(at))) return undefined;
  const now = first.now.map((letter) => widths[first.letters.indexOf(letter)] ?? nothing);
  return { ...ofRank(site, first, 1), attrs: { ...site.attrs, pad_width: now } };
};

export const convolved: RelayoutRule = ({ attrs, wanted }) => {
  if (wanted === undefined || wanted === attrs) return undefined;
  const relayed = (name: string, otherwise = name): Relayed => ({
    from: `${attrs[name] || attrs[otherwise]}`,
    to: `${wanted[name] || wanted[otherwise]}`,
  });
  return {
    inputs: [relayed('data_layout'), relayed('kernel_layout')],
    outputs: [relayed('out_layout', 'data_layout')],
    attrs: wanted,
  };
};

/** Operators on images with an attribute `layout`: in the wanted one, or in the data's. */
export const onImages: RelayoutRule = (site) => {
  const { attrs, wanted, inputs } = site;
  const [given] = inputs;
  const own = `${attrs.layout}`;
  const taken = given?.from === own ? given.to : own;
  const to = wanted === undefined ? taken : `${wanted.layout}`;
  const hasOutLayout = attrs.out_layout !== undefined && attrs.out_layout !== '';
  const layout = { from: own, to };
  const now = lettered(layout);
  if (to === own || hasOutLayout || now === undefined) return undefined;
  if (now.letters.some((letter) => isSplit(now, letter) && letter !== 'C')) return undefined;
  return { inputs: [layout], outputs: [layout], attrs: { ...(wanted ?? attrs), layout: to } };
};

export const imageLayouts: LayoutAttributes = { names: ['layout'] };

/** A plain weight has the layout `weightLetters`. */
export const convolutionLayouts = (weightLetters: string): LayoutAttributes => ({
  names: ['data_layout', 'kernel_layout', 'out_layout'],
  partner: (data, attrs, args) => {
    const spatial = weightLetters.slice(2);
    if (data === `NC${spatial}`) return weightLetters;
    if (data !== `N${spatial}C`) return undefined;
    return isDepthwise(attrs, args) ? `${spatial}OI` : `${spatial}IO`;
  },
});

/** Whether each channel of the data has its own filters. */
function isDepthwise(attrs: Attrs, [data]: ReadonlyArray<Type>): boolean {
  const axis = letterAxes(`${attrs.data_layout}`, 'C')?.main;
  const channels = axis === undefined ? undefined : dimsOf(data)?.[axis];
  return attrs.groups !== 1 && attrs.groups === channels;
}
