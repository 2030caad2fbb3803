/** Pools as expressions over the elements of their windows. */
import type { Expr } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import { paddingPairs } from '../relation/window.ts';
import type { DefinitionCode } from './column.ts';
import type { DefinitionSite } from './site.ts';

interface Layouts {
  readonly layout: string;
  readonly out_layout: string;
}

export interface WindowedAttrs extends Layouts {
  readonly pool_size: ReadonlyArray<number>;
  readonly strides: ReadonlyArray<number>;
  readonly dilation: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
}

/** Restricts a definition to floats: integers have no infinity, and their means are rounded. */
export const ofFloats =
  <A>(code: (site: DefinitionSite<A>) => Expr): DefinitionCode<A> =>
  (site) =>
    isFloat(site.dtype(0)) ? code(site) : undefined;

export function maxPoolDefinition(site: DefinitionSite<WindowedAttrs>): Expr {
  const x = site.args[0];
  const padded = padWith(site, x, Number.NEGATIVE_INFINITY);
  return inOutLayout(
    site,
    cellsOf(site, padded).reduce((peak, cell) => site.op('maximum', [cell, peak])),
  );
}

/**
 * The elements of `g`, shaped like the data, at the maxima of the windows: the gradient of the
 * gradient of a max pool.
 */
export function atMaxima(site: DefinitionSite<WindowedAttrs> & { readonly g: Expr }): Expr {
  const own: DefinitionSite<WindowedAttrs> = {
    ...site,
    sizes: () => site.sizes(1),
    resultSizes: () => site.sizes(0),
  };
  const data = cellsOf(own, padWith(own, site.args[1], Number.NEGATIVE_INFINITY));
  const given = cellsOf(own, padWith(own, site.g, 0));
  let [peak, chosen] = [data[0], given[0]];
  for (const [i, cell] of data.slice(1).entries()) {
    const isGreater = site.op('greater', [cell, peak]);
    chosen = site.op('where', [isGreater, given[i + 1] ?? chosen, chosen]);
    peak = site.op('maximum', [cell, peak]);
  }
  return inOutLayout(site, chosen);
}

interface DilationAttrs {
  readonly strides: ReadonlyArray<number>;
  readonly dilations: ReadonlyArray<number>;
  readonly padding: ReadonlyArray<number>;
  readonly data_layout: string;
  readonly kernel_layout: string;
  readonly out_dtype: string;
}

/** The maximum over each window of data plus weight. */
export function dilationDefinition(given: DefinitionSite<DilationAttrs>): Expr {
  const { attrs, op, sizes, reshape } = given;
  const { kernel_layout: kernelLayout, out_dtype: dtype } = attrs;
  const along = (letter: string): number => sizes(1)[kernelLayout.indexOf(letter)] ?? 1;
  const [channels, ...window] = [along('I'), along('H'), along('W')];
  const site: DefinitionSite<WindowedAttrs> = {
    ...given,
    attrs: {
      ...attrs,
      pool_size: window,
      dilation: attrs.dilations,
      layout: attrs.data_layout,
      out_layout: '',
    },
  };
  const [x, w] = [0, 1].map((i) => {
    const arg = given.args[i] as Expr;
    return dtype === '' ? arg : op('cast', [arg], { dtype });
  }) as [Expr, Expr];
  const isLast = kernelLayout === 'HWI';
  const count = window.reduce((a, b) => a * b, 1);
  const weights = reshape(w, isLast ? [count, channels] : [channels, count]);
  const sums = cellsOf(site, padWith(site, x, 0)).map((cell, k) => {
    const cut = { begin: [k], end: [k + 1], axes: [isLast ? 0 : 1] };
    const one = reshape(
      op('strided_slice', [weights], cut),
      isLast ? [channels] : [channels, 1, 1],
    );
    return given.plus(cell, one);
  });
  return sums.reduce((peak, sum) => op('maximum', [sum, peak]));
}

export function avgPoolDefinition(
  site: DefinitionSite<WindowedAttrs & { readonly count_include_pad: boolean }>,
): Expr {
  const x = site.args[0];
  const total = cellsOf(site, padWith(site, x, 0)).reduce(site.plus);
  const ones = site.op('ones_like', [x]);
  const counted = site.attrs.count_include_pad
    ? padBy(site, padBy(site, ones, statedWidths(site), 1), furtherWidths(site), 0)
    : padWith(site, ones, 0);
  const counts = cellsOf(site, counted).reduce(site.plus);
  return inOutLayout(site, site.over(total, site.op('maximum', [counts, site.number(1)])));
}

export const globalPoolDefinition = (
  site: DefinitionSite<Layouts>,
  reduction: 'max' | 'mean',
): Expr =>
  inOutLayout(
    site,
    site.op(reduction, [site.args[0]], { axis: [...spatialAxes(site)], keepdims: true }),
  );

/** The product with a matrix of means along each spatial axis. */
export const adaptiveAvgDefinition = (site: DefinitionSite<Layouts>): Expr =>
  byMatrices(site, site.attrs.layout, site.attrs.out_layout, (size, windows) =>
    Array.from({ length: windows }, (_, i) => {
      const [first, end] = cellsOfWindow(i, size, windows);
      const share = 1 / Math.max(end - first, 1);
      return Array.from({ length: size }, (__, k) => (k >= first && k < end ? share : 0));
    }).flat(),
  );

/** The maximum of each window, one axis at a time. */
export function adaptiveMaxDefinition(site: DefinitionSite<Layouts>): Expr {
  const { layout } = site.attrs;
  const out = site.attrs.out_layout || layout;
  const [from, to] = [site.sizes(0), site.resultSizes()];
  const spatial = [...'DHW'].filter((letter) => layout.includes(letter));
  const pooled = spatial.reduce((whole, letter) => {
    const axis = layout.indexOf(letter);
    const [size, windows] = [from[axis] ?? 0, to[out.indexOf(letter)] ?? 0];
    const peaks = Array.from({ length: windows }, (_, i) => {
      const [first, end] = cellsOfWindow(i, size, windows);
      const cut = { begin: [first], end: [end], axes: [axis] };
      const cells = site.op('strided_slice', [whole], cut);
      return site.op('max', [cells], { axis: [axis], keepdims: true });
    });
    return site.op('concatenate', [site.items(...peaks)], { axis });
  }, site.args[0]);
  return inOutLayout(site, pooled);
}

/** A window of an adaptive pool: its first index, and the index past its end. */
const cellsOfWindow = (i: number, size: number, windows: number): readonly [number, number] => [
  Math.floor((i * size) / windows),
  Math.ceil(((i + 1) * size) / windows),
];

/** An operator that is linear in images, as a product with a matrix along each spatial axis. */
export function byMatrices(
  site: Omit<DefinitionSite<unknown>, 'attrs'>,
  layout: string,
  outLayout: string,
  matrixOf: (size: number, count: number, axis: number) => ReadonlyArray<number>,
): Expr {
  const out = outLayout || layout;
  if (/[0-9]/.test(layout + out)) site.refuse('its layouts have blocks');
  const spatial = [...'DHW'].filter((letter) => layout.includes(letter));
  const [from, to] = [site.sizes(0), site.resultSizes()];
  const matrices = spatial.map((letter, axis) => {
    const [size, count] = [from[layout.indexOf(letter)] ?? 0, to[out.indexOf(letter)] ?? 0];
    return site.numbers(matrixOf(size, count, axis), [count, size]);
  });
  const small = (text: string): string => [...text].map(pooledLetter).join('');
  const labels = [layout, ...spatial.map((letter) => `${pooledLetter(letter)}${letter}`)];
  const equation = `${labels.join(',')}->${small(out)}`;
  return site.op('einsum', [site.items(site.args[0], ...matrices)], { equation });
}

const pooledLetter = (letter: string): string =>
  letter === 'N' || letter === 'C' ? letter : letter.toLowerCase();

type Widths = ReadonlyArray<readonly [number, number]>;

/** The axes of the spatial letters of a layout, in the order D, H, W. */
const spatialAxes = ({ attrs: { layout } }: DefinitionSite<Layouts>): ReadonlyArray<number> =>
  [...'DHW'].map((letter) => layout.indexOf(letter)).filter((axis) => axis >= 0);

function windowCounts(site: DefinitionSite<WindowedAttrs>): ReadonlyArray<number> {
  const layout = site.attrs.out_layout || site.attrs.layout;
  const sizes = site.resultSizes();
  return [...'DHW'].filter((l) => layout.includes(l)).map((l) => sizes[layout.indexOf(l)] ?? 0);
}

/** The padding before, and after up to the end of the last window. */
function reachedWidths(site: DefinitionSite<WindowedAttrs>): Widths {
  const { attrs } = site;
  const pads = paddingPairs(attrs.padding, attrs.pool_size.length);
  const axes = spatialAxes(site);
  return windowCounts(site).map((count, i) => {
    const before = pads[i]?.[0] ?? 0;
    const cells = (attrs.dilation[i] ?? 1) * ((attrs.pool_size[i] ?? 1) - 1) + 1;
    const reach = (count - 1) * (attrs.strides[i] ?? 1) + cells;
    return [before, Math.max(reach - before - (site.sizes(0)[axes[i] ?? 0] ?? 0), 0)];
  });
}

const statedWidths = ({ attrs }: DefinitionSite<WindowedAttrs>): Widths =>
  paddingPairs(attrs.padding, attrs.pool_size.length);

/** How far the last window extends past the stated padding. */
const furtherWidths = (site: DefinitionSite<WindowedAttrs>): Widths => {
  const stated = statedWidths(site);
  return reachedWidths(site).map(([, after], i) => [0, Math.max(after - (stated[i]?.[1] ?? 0), 0)]);
};

const padWith = (site: DefinitionSite<WindowedAttrs>, x: Expr, value: number): Expr =>
  padBy(site, x, reachedWidths(site), value);

function padBy(site: DefinitionSite<WindowedAttrs>, x: Expr, widths: Widths, value: number): Expr {
  if (widths.every(([before, after]) => before === 0 && after === 0)) return x;
  const axes = spatialAxes(site);
  const all = [...site.attrs.layout].map((_, axis) => widths[axes.indexOf(axis)] ?? [0, 0]);
  return site.op('nn.pad', [x, site.number(value)], { pad_width: all.map((pair) => [...pair]) });
}

/** For each position in a window, the elements there over all windows. */
function cellsOf(site: DefinitionSite<WindowedAttrs>, padded: Expr): [Expr, ...Expr[]] {
  const { pool_size: size, strides, dilation } = site.attrs;
  const counts = windowCounts(site);
  const axes = [...spatialAxes(site)];
  let places: ReadonlyArray<ReadonlyArray<number>> = [[]];
  for (const [i, cells] of size.entries()) {
    places = places.flatMap((lead) =>
      Array.from({ length: cells }, (_, k) => [...lead, k * (dilation[i] ?? 1)]),
    );
  }
  // A window has at least one cell.
  return places.map((begin) =>
    site.op('strided_slice', [padded], {
      begin: [...begin],
      end: begin.map((from, i) => from + ((counts[i] ?? 1) - 1) * (strides[i] ?? 1) + 1),
      strides: [...strides],
      axes,
    }),
  ) as [Expr, ...Expr[]];
}

function inOutLayout({ attrs, op }: DefinitionSite<Layouts>, y: Expr): Expr {
  const { layout, out_layout: out } = attrs;
  if (out === '' || out === layout) return y;
  return op('layout_transform', [y], { src_layout: layout, dst_layout: out });
}
