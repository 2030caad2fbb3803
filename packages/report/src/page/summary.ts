/** The head of the page, and the table of all models. */
import { barCell } from './charts.ts';
import type { Change, PageData, PageModel, Pair, Timed, Verdict } from './data.ts';
import { h } from './dom.ts';
import { byteSize, change, duration, si, whole } from './format.ts';
import { term } from './terms.ts';

export function pageHead(data: PageData): HTMLElement {
  const { models } = data;
  const sum = (read: (m: PageModel) => number): number => models.reduce((n, m) => n + read(m), 0);
  const became = (read: (m: PageModel) => Pair): string =>
    `${whole(sum((m) => read(m).before))} → ${whole(sum((m) => read(m).after))}`;
  const made = new Date(data.made);
  return h(
    'header',
    { class: 'page-head' },
    h(
      'div',
      { class: 'brand' },
      h('span', { class: 'wordmark' }, 'Baton'),
      h('span', { class: 'muted' }, 'optimization report'),
      h('span', { class: 'muted made' }, `${made.toISOString().slice(0, 10)} · ${data.machine}`),
    ),
    ...(models.length === 0
      ? []
      : [
          h(
            'h1',
            {},
            `${models.length === 1 ? (models[0]?.name ?? '') : `${models.length} models`}: `,
            h(
              'b',
              {},
              became((m) => m.nodes),
            ),
            ' ',
            term('nodes'),
            ', ',
            h(
              'b',
              {},
              became((m) => m.kernels),
            ),
            ' ',
            term('kernels'),
            h('span', { class: 'verdict-sentence' }, verdictSentence(models)),
          ),
          ...(data.headline === null ? [] : [h('p', { class: 'headline gain' }, data.headline)]),
          h('p', { class: 'headline' }, timeSentence(models)),
          ...worseLine(models),
        ]),
  );
}

/** The sentence about models that run faster, and models without a clear difference. */
function timeSentence(models: ReadonlyArray<PageModel>): string {
  const run = models.flatMap((m) => (m.run === null ? [] : [{ ...m, run: m.run }]));
  if (run.length === 0) return 'Nothing was run.';
  const isTime = ({ measure }: Change): boolean => measure === 'executor time';
  const faster = run.filter((m) => m.better.some(isTime));
  const same = run.filter((m) => !m.better.some(isTime) && !m.worse.some(isTime));
  const parts = [
    faster.length === 0
      ? ''
      : `Runs faster: ${faster
          .map((m) => `${m.name} (${change(m.run.before.ms, m.run.after.ms)})`)
          .join(', ')}.`,
    same.length === 0 ? '' : `No difference beyond noise: ${same.map((m) => m.name).join(', ')}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

function worseLine(models: ReadonlyArray<PageModel>): ReadonlyArray<HTMLElement> {
  const worse = models.flatMap((m) =>
    m.worse.map((c) => `${m.name}: ${c.measure} ${change(c.before, c.after)}`),
  );
  return worse.length === 0
    ? []
    : [h('p', { class: 'headline worse' }, `Worse: ${worse.join('; ')}.`)];
}

function verdictSentence(models: ReadonlyArray<PageModel>): string {
  const different = models.filter((m) => m.verdict === 'different').length;
  const checked = models.filter((m) => m.verdict !== 'not run').length;
  if (different > 0) {
    return `, and ${different} of ${checked} no longer ${different === 1 ? 'computes' : 'compute'} the same.`;
  }
  if (checked === 0) return '. What they compute was not compared.';
  if (checked < models.length) return `. ${checked} were compared and compute the same.`;
  return models.length === 1 ? ', and it computes the same.' : ', and every one computes the same.';
}

/** The table of models; `choose` receives the index of the chosen one. */
export function summaryTable(
  models: ReadonlyArray<PageModel>,
  choose: (at: number) => void,
): HTMLElement {
  const header = [
    'model',
    'nodes',
    'kernels',
    'FLOPs',
    'bytes moved',
    'parameters',
    'time to optimize',
    'executor time',
    'verdict',
  ];
  return h(
    'section',
    { class: 'summary' },
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'models' },
        h('thead', {}, h('tr', {}, ...header.map((name) => h('th', { scope: 'col' }, term(name))))),
        h('tbody', {}, ...models.map((model, at) => modelRow(model, () => choose(at)))),
      ),
    ),
  );
}

function modelRow(model: PageModel, choose: () => void): HTMLElement {
  return h(
    'tr',
    { 'data-model': model.name, click: choose },
    h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link' }, model.name)),
    pairCell(model.nodes, whole),
    pairCell(model.kernels, whole),
    pairCell(model.flops, (v) => si(v)),
    pairCell(model.bytesMoved, byteSize),
    pairCell(model.paramBytes, byteSize),
    h('td', {}, h('strong', {}, duration(model.optimize.ms)), spreadText(model.optimize)),
    model.run === null ? h('td', { class: 'muted' }, 'not run') : timeCell(model.run, model),
    h('td', {}, verdictChip(model.verdict)),
  );
}

function pairCell({ before, after }: Pair, print: (value: number) => string): HTMLElement {
  return h(
    'td',
    {},
    h('strong', {}, print(after)),
    changeNote(before, after),
    h('div', { class: 'was-text' }, `from ${print(before)}`),
    barCell(after, before, Math.max(before, after)),
  );
}

/** Like {@link pairCell}; a difference within the spread is shown as such. */
function timeCell(
  { before, after }: { readonly before: Timed; readonly after: Timed },
  { better, worse }: PageModel,
): HTMLElement {
  const differs = [...better, ...worse].some((c) => c.measure === 'executor time');
  return h(
    'td',
    {},
    h('strong', {}, duration(after.ms)),
    differs ? changeNote(before.ms, after.ms) : h('span', { class: 'change' }, 'within noise'),
    h('div', { class: 'was-text' }, `from ${duration(before.ms)}`),
    spreadText(after),
    barCell(after.ms, before.ms, Math.max(before.ms, after.ms)),
  );
}

/** The range from the least to the greatest sample. */
const spreadText = ({ low, high, samples }: Timed): HTMLElement =>
  h(
    'div',
    { class: 'was-text' },
    samples === 1 ? 'one sample' : `${duration(low)} to ${duration(high)}`,
  );

export const changeNote = (before: number, after: number): HTMLElement =>
  h(
    'span',
    { class: after > before && change(before, after) !== '' ? 'change worse' : 'change' },
    change(before, after),
  );

export const verdictChip = (verdict: Verdict): HTMLElement =>
  h('span', { class: `chip ${verdict.replace(' ', '-')}` }, verdict);

export function unreadableSection(unreadable: PageData['unreadable']): HTMLElement {
  return h(
    'section',
    { class: 'unreadable' },
    ...unreadable.map(({ name, lacks }) =>
      h(
        'div',
        {},
        h('h3', {}, `${name} could not be read`),
        h('ul', {}, ...lacks.map((text) => h('li', {}, h('pre', {}, text)))),
      ),
    ),
  );
}
