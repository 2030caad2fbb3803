/** The ablation: what each level of optimization gives. */
import { type Bar, barChart, figure } from './charts.ts';
import type { AblationPoint, PageModel } from './data.ts';
import { h } from './dom.ts';
import { byteSize, change, duration, si, whole } from './format.ts';

interface Measure {
  readonly title: string;
  readonly read: (point: AblationPoint) => number | null;
  readonly print: (value: number) => string;
}

const MEASURES: ReadonlyArray<Measure> = [
  { title: 'Nodes', read: (p) => p.nodes, print: whole },
  { title: 'Kernels after fusion', read: (p) => p.kernels, print: whole },
  { title: 'FLOPs', read: (p) => p.flops, print: (v) => si(v) },
  { title: 'Bytes moved', read: (p) => p.bytesMoved, print: byteSize },
  { title: 'Executor time', read: (p) => p.runMs, print: duration },
  { title: 'Time to optimize', read: (p) => p.optimizeMs, print: duration },
];

/** A chart for each measure, over the levels. */
export function levelSection(model: PageModel): HTMLElement {
  return h(
    'section',
    { class: 'levels', id: 'levels' },
    h('h3', {}, 'Levels'),
    h(
      'div',
      { class: 'figures' },
      ...MEASURES.flatMap((measure) => measureFigure(measure, model.ablation)),
    ),
  );
}

function measureFigure(
  { title, read, print }: Measure,
  points: ReadonlyArray<AblationPoint>,
): ReadonlyArray<HTMLElement> {
  const bars: Bar[] = points.map((point, i) => {
    const value = read(point);
    const text = value === null ? 'not run' : print(value);
    return { label: point.label, value, text, isBase: i === 0 };
  });
  const measured = bars.filter((bar) => bar.value !== null);
  const [first, last] = [bars[0], measured[measured.length - 1]];
  if (last === undefined || last.value === null) return [];
  const isOfAll = first?.value !== null && first?.value !== undefined;
  return [
    figure(
      title,
      last.text,
      isOfAll ? change(first.value, last.value) : '',
      barChart(title, isOfAll ? bars : measured),
    ),
  ];
}
