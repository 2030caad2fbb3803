/** The ablation: the effect of each level of optimization. */
import { type Bar, barChart, figure } from './charts.ts';
import type { AblationPoint, PageModel, Timed } from './data.ts';
import { h } from './dom.ts';
import { byteSize, duration, si, whole } from './format.ts';
import { changeNote } from './summary.ts';
import { term } from './terms.ts';

interface Measure {
  readonly term: string;
  readonly title: string;
  readonly read: (point: AblationPoint) => number | null;
  /** For a time, the least and the greatest sample. */
  readonly range?: (point: AblationPoint) => Timed | null;
  readonly print: (value: number) => string;
}

const MEASURES: ReadonlyArray<Measure> = [
  { term: 'nodes', title: 'Nodes', read: (p) => p.nodes, print: whole },
  { term: 'kernels', title: 'Kernels', read: (p) => p.kernels, print: whole },
  { term: 'FLOPs', title: 'FLOPs', read: (p) => p.flops, print: (v) => si(v) },
  { term: 'bytes moved', title: 'Bytes moved', read: (p) => p.bytesMoved, print: byteSize },
  {
    term: 'executor time',
    title: 'Executor time',
    read: (p) => p.run?.ms ?? null,
    range: (p) => p.run,
    print: duration,
  },
  {
    term: 'time to optimize',
    title: 'Time to optimize',
    read: (p) => p.optimize?.ms ?? null,
    range: (p) => p.optimize,
    print: duration,
  },
];

export function levelSection(model: PageModel): HTMLElement {
  return h(
    'section',
    { class: 'levels', id: 'levels' },
    h('h3', {}, term('levels', 'Levels')),
    h('dl', { class: 'level-docs' }, ...model.ablation.flatMap(levelDoc)),
    h(
      'div',
      { class: 'figures' },
      ...MEASURES.flatMap((measure) => measureFigure(measure, model.ablation)),
    ),
  );
}

/** A description of a level, with a note if it changed nothing. */
const levelDoc = ({ label, doc, sameAs }: AblationPoint): ReadonlyArray<HTMLElement> => [
  h('dt', {}, label),
  h(
    'dd',
    {},
    doc,
    ...(sameAs === null
      ? []
      : [
          h(
            'strong',
            {},
            ` Here the program is the same as ${sameAs === 'as it is' ? 'it came' : `at ${sameAs}`}, so it is not run again.`,
          ),
        ]),
  ),
];

function measureFigure(
  { term: word, title, read, range, print }: Measure,
  points: ReadonlyArray<AblationPoint>,
): ReadonlyArray<HTMLElement> {
  const bars: Bar[] = points.map((point) => {
    const value = read(point);
    const text = value === null ? 'not run' : print(value);
    return {
      label: point.label,
      value,
      text,
      isBase: point.isBase,
      range: range?.(point) ?? undefined,
    };
  });
  const measured = bars.filter((bar) => bar.value !== null);
  const [first, last] = [bars.find((bar) => bar.isBase), measured[measured.length - 1]];
  if (last === undefined || last.value === null) return [];
  const isOfAll = first?.value !== null && first?.value !== undefined;
  return [
    figure(
      term(word, title),
      last.text,
      isOfAll ? note(first, last, first.value, last.value) : h('span', {}),
      barChart(title, isOfAll ? bars : measured),
    ),
  ];
}

/** The change from the first bar to the last; empty if it is within the noise of both. */
function note(first: Bar, last: Bar, before: number, after: number): HTMLElement {
  const [a, b] = [first.range, last.range];
  if (a === undefined || b === undefined) return changeNote(before, after);
  const differs = b.low > a.high || b.high < a.low;
  return differs ? changeNote(before, after) : term('noise', 'within noise');
}
