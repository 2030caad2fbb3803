/** Colours of Relay text, token by token. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

const KEYWORDS = /^(def|let|fn|if|else|match|type|extern|free_var|ref|ref_read|ref_write|Tensor)\b/;

const MODE = StreamLanguage.define({
  token(stream) {
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^"([^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^#\[[^\]]*\]/)) return 'meta';
    if (stream.match(/^%[\w.]+/)) return 'variableName';
    if (stream.match(/^@[\w.]+/)) return 'definition';
    if (stream.match(/^-?\d[\w.+-]*/)) return 'number';
    if (stream.match(KEYWORDS)) return 'keyword';
    if (stream.match(/^(bool|b?float\d+|u?int\d+)\b/)) return 'typeName';
    if (stream.match(/^[A-Za-z_][\w.]*/)) return 'operator';
    stream.next();
    return null;
  },
  tokenTable: {
    definition: tags.definition(tags.variableName),
    operator: tags.function(tags.name),
  },
});

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

/** The language of an editor. */
export const relayLanguage: Extension = [MODE, syntaxHighlighting(STYLE)];
