/** Editor services of the worker: completions, and descriptions of tokens. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import type { Client } from './client.ts';

/** The extensions of an editor whose text the worker analyses. */
export const servicesOf = (client: Client): Extension => [
  closeBrackets(),
  autocompletion({ override: [(context) => completions(client, context)] }),
  hoverTooltip(async (view, position) => {
    const found = await client.call('hover', view.state.doc.toString(), position);
    if (found === undefined) return null;
    const { from, to, title, doc, type, facts, attributes } = found;
    const lines = [
      doc,
      type === undefined ? undefined : `→ ${type}`,
      ...facts.map(({ label, value }) => `${label}: ${value}`),
      ...attributes.map(
        ({ name, expects, doc: meaning }) =>
          `${name}: ${expects}${meaning === undefined ? '' : `. ${meaning}`}`,
      ),
    ];
    return { pos: from, end: to, create: () => ({ dom: box(title, lines) }) };
  }),
];

const KINDS: Readonly<Record<string, string>> = {
  operator: 'function',
  attribute: 'property',
  variable: 'variable',
  global: 'function',
  keyword: 'keyword',
  dtype: 'type',
  type: 'type',
  constructor: 'class',
};

async function completions(
  client: Client,
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const { state, pos, explicit } = context;
  if (!explicit && context.matchBefore(WORD) === null) return null;
  const { from, to, items } = await client.call('complete', state.doc.toString(), pos);
  return {
    from,
    to,
    validFor: WORD,
    options: items.map(
      ({ label, kind, insert, detail, doc }): Completion => ({
        label,
        type: KINDS[kind] ?? 'text',
        apply: insert,
        ...(detail === undefined ? {} : { detail }),
        ...(doc === undefined ? {} : { info: doc }),
      }),
    ),
  };
}

const WORD = /[%@]?[\w.]+$/;

function box(title: string, lines: ReadonlyArray<string | undefined>): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'baton-hover';
  for (const [i, text] of [title, ...lines].entries()) {
    if (text === undefined || text === '') continue;
    const line = document.createElement(i === 0 ? 'strong' : 'div');
    line.textContent = text;
    dom.append(line);
  }
  return dom;
}
