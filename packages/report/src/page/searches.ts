/** The searches of networks, next to the figures of Tensat and TASO. */
import type { Search } from './data.ts';
import { h } from './dom.ts';
import { term } from './terms.ts';

export function searchSection(searches: ReadonlyArray<Search>): HTMLElement {
  const [first] = searches;
  const names = [...(first?.costs ?? []).map(({ cost }) => cost), 'Tensat', 'TASO'];
  const header = names.flatMap((name) => [
    h('th', { scope: 'col' }, term(`by ${name}`, name), ', s'),
    h('th', { scope: 'col' }, 'gain'),
  ]);
  return h(
    'section',
    { class: 'summary searches', id: 'searches' },
    h('h3', {}, term('searches', 'Searches')),
    h(
      'div',
      { class: 'scroll' },
      h(
        'table',
        { class: 'models' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'network'), ...header)),
        h('tbody', {}, ...searches.map(searchRow)),
      ),
    ),
  );
}

function searchRow({ network, costs, tensat, taso }: Search): HTMLElement {
  const cells = [...costs, tensat, taso].flatMap(({ seconds, gain }) => [
    h('td', {}, seconds.toFixed(2)),
    h('td', {}, `${gain.toFixed(1)} %`),
  ]);
  return h('tr', {}, h('th', { scope: 'row' }, network), ...cells);
}
