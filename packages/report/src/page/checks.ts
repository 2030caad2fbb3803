/** The sections on comparisons of the programs, and on time by operator. */
import { KINDS } from '@baton/drawing';
import { barCell } from './charts.ts';
import type { Check, PageModel, ProfileRow } from './data.ts';
import { h } from './dom.ts';
import { duration, whole } from './format.ts';
import { verdictChip } from './summary.ts';

export function checkSection(model: PageModel): HTMLElement {
  return h(
    'section',
    { class: 'checks', id: 'equivalence' },
    h('h3', {}, 'Equivalence'),
    h('div', { class: 'check-list' }, ...model.checks.map(checkRow)),
  );
}

const checkRow = ({ name, doc, verdict, detail }: Check): HTMLElement =>
  h(
    'div',
    { class: 'check', 'data-check': name },
    verdictChip(verdict),
    h(
      'div',
      {},
      h('strong', {}, name),
      h('div', { class: 'muted' }, doc),
      h('div', { class: 'check-detail' }, detail),
    ),
  );

const MAX_OPERATORS = 12;

/** The executor's time by operator, before and after; empty if nothing was run. */
export function profileSection({ profile }: PageModel): ReadonlyArray<HTMLElement> {
  if (profile.length === 0) return [];
  const shown = profile.slice(0, MAX_OPERATORS);
  const most = Math.max(...shown.map((row) => Math.max(row.ms.before, row.ms.after)));
  return [
    h(
      'section',
      { class: 'profile', id: 'time' },
      h('h3', {}, 'Executor time by operator'),
      h('div', { class: 'profile-list' }, ...shown.map((row) => profileRow(row, most))),
    ),
  ];
}

const profileRow = (row: ProfileRow, most: number): HTMLElement =>
  h(
    'div',
    { class: `profile-row kind-${KINDS[row.kind]?.name}` },
    h('span', { class: 'mono' }, row.op),
    barCell(row.ms.after, row.ms.before, most),
    h('span', {}, `${duration(row.ms.before)} → ${duration(row.ms.after)}`),
    h('span', { class: 'muted' }, `${whole(row.calls.before)} → ${whole(row.calls.after)} calls`),
  );
