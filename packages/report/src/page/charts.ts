/** Bar charts as SVG. */
import { h, svg } from './dom.ts';

export interface Bar {
  readonly label: string;
  readonly value: number | null;
  readonly text: string;
  /** Whether the other bars are compared with this one. */
  readonly isBase: boolean;
  /** The least and the greatest sample, drawn as a whisker. */
  readonly range?: { readonly low: number; readonly high: number } | undefined;
}

const WIDTH = 240;
const HEIGHT = 116;
const TOP = 20;
const BOTTOM = 20;
const GAP = 10;
const MARGIN = 8;
/** The approximate width of a letter, and the height of a row of texts. */
const [LETTER, ROW] = [6, 11];

const widthOf = (text: string): number => (text.length + 1) * LETTER;

/** The number of rows needed for texts to alternate between without overlapping. */
const rowsOf = (texts: ReadonlyArray<string>, step: number): number =>
  Math.max(1, Math.min(texts.length, Math.ceil(Math.max(...texts.map(widthOf)) / step)));

/** A text around a centre, within the bounds of the chart. */
function text(kind: 'label' | 'value', content: string, middle: number, y: number): SVGElement {
  const half = Math.min(widthOf(content), WIDTH) / 2;
  const x = Math.min(Math.max(middle, half), WIDTH - half);
  return svg('text', { class: kind, x, y }, content);
}

/** Vertical bars with values above and labels below; wide texts alternate between rows. */
export function barChart(title: string, bars: ReadonlyArray<Bar>): SVGSVGElement {
  const most = Math.max(
    ...bars.map((b) => Math.max(b.value ?? 0, b.range?.high ?? 0)),
    Number.MIN_VALUE,
  );
  const step = (WIDTH - 2 * MARGIN) / bars.length;
  const rows = rowsOf(
    bars.map(({ label }) => label),
    step,
  );
  const values = rowsOf(
    bars.map(({ text }) => text),
    step,
  );
  const above = (values - 1) * ROW;
  const chart = svg('svg', {
    class: 'chart bars',
    viewBox: `0 ${-above} ${WIDTH} ${HEIGHT + above + (rows - 1) * ROW}`,
    role: 'img',
    'aria-label': `${title}: ${bars.map((b) => `${b.label} ${b.text}`).join(', ')}`,
  });
  const base = HEIGHT - BOTTOM;
  bars.forEach((bar, i) => {
    const x = MARGIN + i * step + GAP / 2;
    const middle = MARGIN + (i + 0.5) * step;
    if (bar.value !== null) {
      const height = Math.max(1.5, (bar.value / most) * (base - TOP));
      const rank = bar.isBase ? 'first' : i === bars.length - 1 ? 'last' : 'middle';
      chart.append(
        svg('rect', {
          class: `bar ${rank}`,
          x,
          y: base - height,
          width: step - GAP,
          height,
          rx: 3,
        }),
      );
      // With several rows, texts are above all bars.
      const over = values === 1 ? topOf(bar, most, base) - 6 : TOP - 8 - (i % values) * ROW;
      chart.append(text('value', bar.text, middle, over));
      if (bar.range !== undefined) chart.append(whisker(bar.range, middle, most, base));
    }
    const y = HEIGHT - 5 + (i % rows) * ROW;
    chart.append(text('label', bar.label, middle, y));
  });
  chart.append(svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: base, y2: base }));
  return chart;
}

const topOf = (bar: Bar, most: number, base: number): number =>
  base - Math.max(1.5, (Math.max(bar.value ?? 0, bar.range?.high ?? 0) / most) * (base - TOP));

function whisker(
  { low, high }: { readonly low: number; readonly high: number },
  x: number,
  most: number,
  base: number,
): SVGElement {
  const y = (value: number): number => base - (value / most) * (base - TOP);
  return svg('line', { class: 'whisker', x1: x, x2: x, y1: y(low), y2: y(high) });
}

export function barCell(value: number, before: number, most: number): SVGSVGElement {
  const share = (v: number): number => (most === 0 ? 0 : (100 * v) / most);
  return svg(
    'svg',
    { class: 'chart cell', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': true },
    svg('rect', { class: 'track', x: 0, y: 0, width: 100, height: 6 }),
    svg('rect', { class: 'was', x: 0, y: 0, width: share(before), height: 6 }),
    svg('rect', { class: 'is', x: 0, y: 0, width: share(value), height: 6 }),
  );
}

export const figure = (
  title: HTMLElement,
  text: string,
  note: HTMLElement,
  chart: SVGSVGElement,
): HTMLElement =>
  h(
    'figure',
    { class: 'figure' },
    h(
      'figcaption',
      {},
      h('span', { class: 'figure-title' }, title),
      h('span', { class: 'figure-note' }, note),
      h('strong', {}, text),
    ),
    chart,
  );
