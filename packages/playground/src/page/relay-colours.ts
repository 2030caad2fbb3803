/** The language of Relay in the colours of the page. */
import { relay } from '@baton/lezer-relay/codemirror';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

const STYLE = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--norm)' },
  { tag: tags.comment, color: 'var(--muted)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.meta, color: 'var(--muted)' },
  { tag: tags.number, color: 'var(--pool)' },
  { tag: tags.typeName, color: 'var(--element)' },
  { tag: tags.variableName, color: 'var(--ink)' },
  { tag: tags.definition(tags.variableName), color: 'var(--control)' },
  { tag: tags.function(tags.name), color: 'var(--accent)' },
]);

export const relayColours: Extension = [relay(), syntaxHighlighting(STYLE)];
