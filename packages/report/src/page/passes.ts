/** The section on passes: a chart of nodes, FLOPs, bytes and time, with details under each row. */
import type { CallGroup } from '@baton/drawing';
import { barCell } from './charts.ts';
import type { PageModel, PassStep } from './data.ts';
import { h } from './dom.ts';
import { byteSize, duration, si, whole } from './format.ts';
import { changeNote } from './summary.ts';
import { explanation, term } from './terms.ts';

/** The passes of the highest level, in the order in which they ran, with fusion at the end. */
export function passSection(model: PageModel): HTMLElement {
  const most = {
    nodes: largest(model.passes, (p) => Math.max(p.nodes.before, p.nodes.after)),
    flops: largest(model.passes, (p) => Math.max(p.flops.before, p.flops.after)),
    bytes: largest(model.passes, (p) => Math.max(p.bytesMoved.before, p.bytesMoved.after)),
    ms: largest(model.passes, (p) => p.ms),
  };
  return h(
    'section',
    { class: 'passes', id: 'passes' },
    h('h3', {}, 'Passes'),
    h(
      'p',
      { class: 'muted' },
      'In the order in which they ran, before fusion. Some passes make a program larger so that a later one can make it smaller: only the result counts. The time is that of one run.',
    ),
    h(
      'div',
      { class: 'pass-head', 'aria-hidden': true },
      ...['pass', 'nodes', 'FLOPs', 'bytes moved', 'time', 'calls'].map((t) => h('span', {}, t)),
    ),
    ...model.passes.map((step) => passRow(step, most, model)),
  );
}

interface Scales {
  readonly nodes: number;
  readonly flops: number;
  readonly bytes: number;
  readonly ms: number;
}

const largest = (steps: ReadonlyArray<PassStep>, read: (step: PassStep) => number): number =>
  steps.reduce((most, step) => Math.max(most, read(step)), 0);

function passRow(step: PassStep, most: Scales, model: PageModel): HTMLElement {
  const { nodes, flops, bytesMoved } = step;
  return h(
    'details',
    { class: step.changed ? 'pass' : 'pass unchanged', 'data-pass': step.name },
    h(
      'summary',
      {},
      h('span', { class: 'pass-name' }, step.name),
      cell(whole(nodes.after), changeNote(nodes.before, nodes.after), [
        nodes.after,
        nodes.before,
        most.nodes,
      ]),
      cell(si(flops.after), changeNote(flops.before, flops.after), [
        flops.after,
        flops.before,
        most.flops,
      ]),
      cell(byteSize(bytesMoved.after), changeNote(bytesMoved.before, bytesMoved.after), [
        bytesMoved.after,
        bytesMoved.before,
        most.bytes,
      ]),
      cell(duration(step.ms), h('span', { class: 'change' }), [step.ms, 0, most.ms]),
      h('span', { class: 'pass-calls' }, ...callCounts(step)),
    ),
    h('div', { class: 'pass-detail' }, ...detail(step, model)),
  );
}

const cell = (
  text: string,
  note: HTMLElement,
  [value, before, most]: readonly [number, number, number],
): HTMLElement =>
  h(
    'span',
    { class: 'pass-cell' },
    h('span', { class: 'pass-value' }, text),
    note,
    barCell(value, before, most),
  );

const total = (groups: ReadonlyArray<CallGroup>): number =>
  groups.reduce((sum, group) => sum + group.count, 0);

function callCounts({ removed, added, rewritten }: PassStep): ReadonlyArray<HTMLElement> {
  const counts = [
    ['removed', '−', total(removed)],
    ['added', '+', total(added)],
    ['rewritten', '~', total(rewritten)],
  ] as const;
  const shown = counts.filter(([, , count]) => count > 0);
  return shown.length === 0
    ? [h('span', { class: 'muted' }, 'none')]
    : shown.map(([name, sign, count]) =>
        h('span', { class: `count ${name}`, title: name }, `${sign}${whole(count)}`),
      );
}

function detail(step: PassStep, model: PageModel): ReadonlyArray<HTMLElement> {
  const fused =
    step.kernels.after === step.kernels.before
      ? []
      : [
          h(
            'p',
            { class: 'fact' },
            `${whole(step.kernels.before)} kernels became ${whole(step.kernels.after)}.`,
          ),
        ];
  const groups = [
    groupTable('Removed', step.removed, model),
    groupTable('Added', step.added, model),
    groupTable('Took in others', step.rewritten, model),
    countTable(step),
  ].flat();
  const nothing = step.changed ? [] : [h('p', { class: 'muted' }, 'It changed nothing.')];
  return [
    h('p', { class: 'doc' }, step.doc),
    ...fused,
    ...nothing,
    ...(groups.length === 0 ? [] : [h('div', { class: 'groups' }, ...groups)]),
  ];
}

/** The counters of the pass. */
function countTable({ counts }: PassStep): ReadonlyArray<HTMLElement> {
  if (counts.length === 0) return [];
  return [
    h(
      'div',
      { class: 'group' },
      h('h5', {}, term('cases', 'Cases')),
      ...counts.map(([row, count]) =>
        h(
          'div',
          { class: 'group-line' },
          h('span', { class: 'group-count' }, whole(count)),
          h('span', { class: 'mono', title: explanation(row.replace(/: .*$/, '')) }, row),
        ),
      ),
    ),
  ];
}

function groupTable(
  title: string,
  groups: ReadonlyArray<CallGroup>,
  model: PageModel,
): ReadonlyArray<HTMLElement> {
  if (groups.length === 0) return [];
  return [
    h('div', { class: 'group' }, h('h5', {}, title), ...groups.map((g) => groupLine(g, model))),
  ];
}

/** One operator, with the origins of its calls below. */
function groupLine(group: CallGroup, model: PageModel): HTMLElement {
  const line = [
    h('span', { class: 'group-count' }, whole(group.count)),
    h('span', { class: 'mono' }, group.op),
    ...(group.into === '' ? [] : [h('span', { class: 'muted' }, `→ ${group.into}`)]),
  ];
  const places = group.places
    .map((call) => call.map((place) => model.texts[place] ?? '').join(', '))
    .filter((text) => text !== '');
  if (places.length === 0) return h('div', { class: 'group-line' }, ...line);
  const left = group.count - group.places.length;
  return h(
    'details',
    { class: 'group-places' },
    h('summary', { class: 'group-line' }, ...line),
    h(
      'ul',
      {},
      ...places.map((text) => h('li', {}, text)),
      ...(left > 0 ? [h('li', { class: 'muted' }, `and ${whole(left)} more`)] : []),
    ),
  );
}
