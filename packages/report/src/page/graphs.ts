/** The graphs before and after, next to each other, searched together and linked by provenance. */
import { KINDS } from '@baton/drawing';
import type { PageModel } from './data.ts';
import { h } from './dom.ts';
import { counterparts, findRows, placeIndex } from './find.ts';
import { whole } from './format.ts';
import { makePane, type Pane } from './pane.ts';
import type { SceneRow } from './scene.ts';
import type { Tooltip } from './tooltip.ts';

/** A section, and a callback for when it is part of the page. */
export interface GraphSection {
  readonly element: HTMLElement;
  readonly start: () => void;
}

export function graphSection(model: PageModel, tooltip: Tooltip): GraphSection {
  const tallest = Math.max(model.before.height, model.after.height, STRIP_HEIGHT);
  const shared = { model, tallest, tooltip };
  const before: Pane = makePane({
    ...shared,
    title: 'Original',
    note: `${whole(model.nodes.before)} nodes`,
    drawing: model.before,
    select: (row) => select(row),
  });
  const after: Pane = makePane({
    ...shared,
    title: `After level ${model.level} and fusion`,
    note: `${whole(model.nodes.after)} nodes in ${whole(model.kernels.after)} kernels`,
    drawing: model.after,
    select: (row) => select(row),
  });
  const panes = [before, after] as const;
  const indexes = new Map(panes.map((pane) => [pane, placeIndex(pane.rows)]));
  const owner = new Map(panes.flatMap((pane) => pane.rows.map((row) => [row, pane] as const)));
  const status = h('p', { class: 'status', 'aria-live': 'polite' }, HINT);

  /** Marks a row and the rows with its origins in the other pane, and scrolls them into view. */
  const select = (row: SceneRow | undefined): void => {
    if (row === undefined) {
      for (const pane of panes) pane.mark('selected', []);
      status.textContent = HINT;
      return;
    }
    for (const pane of panes) {
      const own = owner.get(row) === pane;
      const found = own ? [row] : counterparts(row, indexes.get(pane) ?? new Map());
      pane.mark('selected', found);
      const [first] = found;
      if (!own && first !== undefined) pane.centre(first);
    }
    status.textContent = selectionText(row, model);
  };

  return {
    element: h(
      'section',
      { class: 'graphs', id: 'graphs' },
      h('h3', {}, 'Graphs'),
      h(
        'div',
        { class: 'toolbar' },
        searchBox(panes, model, (row) => {
          owner.get(row)?.centre(row);
          select(row);
        }),
        legend(model),
      ),
      h('div', { class: 'panes' }, before.element, after.element),
      status,
    ),
    start: () => {
      for (const pane of panes) pane.start();
    },
  };
}

/** Drawings up to this height do not fill their strip. */
const STRIP_HEIGHT = 4_000;

const HINT =
  'Drag or scroll to move, Ctrl and scroll to zoom. Click an operator to see what became of it on the other side.';

function selectionText(row: SceneRow, model: PageModel): string {
  const places = row.row.places.map((place) => model.texts[place] ?? '');
  const name = model.texts[row.row.op] ?? '';
  if (places.length === 0) return name;
  const listed = places.slice(0, 4).join(', ');
  const more = places.length > 4 ? ` and ${places.length - 4} more` : '';
  return `${name} comes from ${listed}${more}`;
}

/** Finds rows in both panes; Enter selects the next hit, Shift and Enter the previous one. */
function searchBox(
  panes: readonly [Pane, Pane],
  model: PageModel,
  go: (row: SceneRow) => void,
): HTMLElement {
  let hits: ReadonlyArray<SceneRow> = [];
  let at = 0;
  const count = h('output', { class: 'search-count' });
  const show = (): void => {
    const row = hits[at];
    count.textContent = row === undefined ? '' : `${at + 1} of ${hits.length}`;
    if (row !== undefined) go(row);
  };
  const input = h('input', {
    type: 'search',
    class: 'search',
    placeholder: 'Find an operator or an ONNX node',
    'aria-label': 'Find an operator or a node',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const search = (): void => {
    const found = panes.map((pane) => findRows(pane.rows, input.value, model));
    panes.forEach((pane, i) => {
      pane.mark('hit', found[i] ?? []);
    });
    hits = found.flat();
    at = 0;
    show();
    if (hits.length === 0 && input.value.trim() !== '') count.textContent = 'nothing found';
  };
  const step = (by: number): void => {
    if (hits.length === 0) return;
    at = (at + by + hits.length) % hits.length;
    show();
  };
  input.addEventListener('input', search);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') {
      input.value = '';
      search();
    }
  });
  return h(
    'div',
    { class: 'search-box' },
    input,
    count,
    h('button', { type: 'button', 'aria-label': 'previous hit', click: () => step(-1) }, '‹'),
    h('button', { type: 'button', 'aria-label': 'next hit', click: () => step(1) }, '›'),
  );
}

function legend(model: PageModel): HTMLElement {
  const used = new Set(
    [model.before, model.after].flatMap((d) => d.cards.flatMap((c) => c.rows.map((r) => r.kind))),
  );
  return h(
    'ul',
    { class: 'legend' },
    ...KINDS.flatMap((kind, i) =>
      used.has(i) ? [h('li', {}, h('span', { class: `dot kind-${kind.name}` }), kind.label)] : [],
    ),
    h('li', {}, h('span', { class: 'dot kernel' }), 'one box, many rows: a fused kernel'),
  );
}
