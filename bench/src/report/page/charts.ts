/** Bar charts, drawn by hand. */
import { h, svg } from './dom.ts';

/** One bar. */
export interface Bar {
  readonly label: string;
  /** `null`: nothing was measured. */
  readonly value: number | null;
  readonly text: string;
  /** What the others are compared with. */
  readonly isBase: boolean;
}

const WIDTH = 240;
const HEIGHT = 116;
const TOP = 20;
const BOTTOM = 20;
const GAP = 10;

/** Upright bars side by side, each with its value above and its label below. */
export function barChart(title: string, bars: ReadonlyArray<Bar>): SVGSVGElement {
  const most = Math.max(...bars.map((b) => b.value ?? 0), Number.MIN_VALUE);
  const step = WIDTH / bars.length;
  const chart = svg('svg', {
    class: 'chart bars',
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${title}: ${bars.map((b) => `${b.label} ${b.text}`).join(', ')}`,
  });
  const base = HEIGHT - BOTTOM;
  bars.forEach((bar, i) => {
    const x = i * step + GAP / 2;
    const middle = (i + 0.5) * step;
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
        svg('text', { class: 'value', x: middle, y: base - height - 6 }, bar.text),
      );
    }
    chart.append(svg('text', { class: 'label', x: middle, y: HEIGHT - 5 }, bar.label));
  });
  chart.append(svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: base, y2: base }));
  return chart;
}

/** A bar as long as `value` is large, over a pale one for what was there before. */
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

/** A chart under its title, with the figure that matters. */
export const figure = (
  title: string,
  text: string,
  note: string,
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
