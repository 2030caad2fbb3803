/** The script of the page, which reads its data and draws the page. */
import { checkSection, profileSection } from './checks.ts';
import type { PageData, PageModel } from './data.ts';
import { h } from './dom.ts';
import { graphSection } from './graphs.ts';
import { levelSection } from './levels.ts';
import { passSection } from './passes.ts';
import { searchSection } from './searches.ts';
import { pageHead, summaryTable, unreadableSection, verdictChip } from './summary.ts';
import { termSection } from './terms.ts';
import { makeTooltip, type Tooltip } from './tooltip.ts';

function start(): void {
  const page = document.getElementById('page');
  const text = document.getElementById('data')?.textContent;
  if (page === null || text === undefined || text === null) return;
  // The page and its data are written together by one program.
  const data = JSON.parse(text) as PageData;
  const tooltip = makeTooltip();
  const shown = h('main', { class: 'model' });
  const show = (at: number): void => {
    const model = data.models[at];
    if (model === undefined) return;
    page.querySelectorAll('tr[data-model]').forEach((row, i) => {
      row.classList.toggle('chosen', i === at);
    });
    tooltip.hide();
    showModel(shown, model, tooltip);
  };
  page.append(
    pageHead(data),
    summaryTable(data.models, (at) => {
      location.hash = `model-${at + 1}`;
    }),
    ...(data.unreadable.length === 0 ? [] : [unreadableSection(data.unreadable)]),
    shown,
    ...(data.searches.length === 0 ? [] : [searchSection(data.searches)]),
    termSection(),
  );
  addEventListener('hashchange', () => show(chosen(data)));
  show(chosen(data));
}

/** The model whose index is in the address, or else the first. */
function chosen({ models }: PageData): number {
  const [, number] = /^#model-(\d+)$/.exec(location.hash) ?? [];
  const at = Number(number) - 1;
  return at in models ? at : 0;
}

function showModel(into: HTMLElement, model: PageModel, tooltip: Tooltip): void {
  const began = performance.now();
  const graphs = graphSection(model, tooltip);
  into.replaceChildren(
    h(
      'div',
      { class: 'model-head' },
      h('h2', {}, model.name),
      verdictChip(model.verdict),
      h(
        'span',
        { class: 'muted' },
        `as it came and fused, against optimized at level ${model.level} and fused`,
      ),
    ),
    levelSection(model),
    graphs.element,
    passSection(model),
    ...profileSection(model),
    checkSection(model),
  );
  graphs.start();
  into.dataset.drawMs = (performance.now() - began).toFixed(1);
}

start();
