/** The description of a drawing's row next to the pointer. */
import { KINDS, type Row } from '@baton/drawing';
import type { PageModel } from './data.ts';
import { h } from './dom.ts';

/** The most origins listed; the others are counted. */
const MAX_LISTED = 8;

export interface Tooltip {
  readonly show: (row: Row, model: PageModel, x: number, y: number) => void;
  readonly hide: () => void;
}

export function makeTooltip(): Tooltip {
  const box = h('div', { class: 'tooltip', role: 'tooltip', hidden: true });
  document.body.append(box);
  return {
    show: (row, model, x, y) => {
      box.replaceChildren(...describe(row, model));
      box.hidden = false;
      const { width, height } = box.getBoundingClientRect();
      const left = x + 16 + width > innerWidth ? Math.max(8, x - width - 16) : x + 16;
      const top = y + 16 + height > innerHeight ? Math.max(8, y - height - 16) : y + 16;
      box.style.left = `${left}px`;
      box.style.top = `${top}px`;
    },
    hide: () => {
      box.hidden = true;
    },
  };
}

/** The lines about a row: its name, its types, its attributes, and its origins. */
function describe(row: Row, model: PageModel): ReadonlyArray<HTMLElement> {
  const text = (at: number): string => model.texts[at] ?? '';
  const lines: HTMLElement[] = [
    h(
      'div',
      { class: 'tooltip-head' },
      h('span', { class: `dot kind-${KINDS[row.kind]?.name}` }),
      h('strong', {}, text(row.op)),
      h('span', { class: 'muted' }, text(row.note)),
    ),
  ];
  const facts: (readonly [string, ReadonlyArray<string>])[] = [
    ['result', [text(row.type)]],
    ['arguments', text(row.inputs).split('\n')],
    ['attributes', [text(row.attrs)]],
    ['comes from', listed(row.places.map(text))],
  ];
  for (const [name, values] of facts) {
    const shown = values.filter((value) => value !== '');
    if (shown.length === 0) continue;
    lines.push(
      h('dl', {}, h('dt', {}, name), h('dd', {}, ...shown.map((value) => h('div', {}, value)))),
    );
  }
  return lines;
}

const listed = (places: ReadonlyArray<string>): ReadonlyArray<string> =>
  places.length <= MAX_LISTED
    ? places
    : [...places.slice(0, MAX_LISTED), `and ${places.length - MAX_LISTED} more`];
