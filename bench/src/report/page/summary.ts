/** The head of the page and the table of all models. */
import { barCell } from './charts.ts';
import type { PageData, PageModel, Pair, Verdict } from './data.ts';
import { h } from './dom.ts';
import { byteSize, change, duration, si, whole } from './format.ts';

/** The head: what this is, and its result in one sentence. */
export function pageHead(data: PageData): HTMLElement {
  const { models } = data;
  const sum = (read: (m: PageModel) => number): number => models.reduce((n, m) => n + read(m), 0);
  const nodes = sum((m) => m.nodes.before);
  const kernels = sum((m) => m.kernels.after);
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
            h('b', {}, whole(nodes)),
            ' nodes became ',
            h('b', {}, whole(kernels)),
            ' kernels',
            h('span', { class: 'verdict-sentence' }, verdictSentence(models)),
          ),
        ]),
  );
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

/** The table of models; `choose` is told the position of the one to show. */
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
    'optimize',
    'executor',
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
        h('thead', {}, h('tr', {}, ...header.map((name) => h('th', { scope: 'col' }, name)))),
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
    h('td', {}, h('strong', {}, duration(model.optimizeMs))),
    model.runMs === null ? h('td', { class: 'muted' }, 'not run') : pairCell(model.runMs, duration),
    h('td', {}, verdictChip(model.verdict)),
  );
}

/** What there is now, how that compares, and what there was. */
function pairCell({ before, after }: Pair, print: (value: number) => string): HTMLElement {
  return h(
    'td',
    {},
    h('strong', {}, print(after)),
    h('span', { class: 'change' }, change(before, after)),
    h('div', { class: 'was-text' }, `from ${print(before)}`),
    barCell(after, before, Math.max(before, after)),
  );
}

/** A verdict in its colour. */
export const verdictChip = (verdict: Verdict): HTMLElement =>
  h('span', { class: `chip ${verdict.replace(' ', '-')}` }, verdict);

/** Models that could not be read, with what they lack. */
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
