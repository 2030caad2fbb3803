/** Converts answers of `@baton/editor` to the language server protocol. */
import type { Severity } from '@baton/base';
import {
  type Completion,
  type CompletionKind,
  hoverMarkdown,
  type Hover as RelayHover,
  type TextDiagnostic,
  type TextRange,
  type TextSymbol,
} from '@baton/editor';
import {
  type CompletionItem,
  CompletionItemKind,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentSymbol,
  type Hover,
  MarkupKind,
  type Range,
  SymbolKind,
} from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';

export const SOURCE = 'baton';

/** A range in lines and columns. */
export const rangeIn = (text: TextDocument, { from, to }: TextRange): Range => ({
  start: text.positionAt(from),
  end: text.positionAt(to),
});

const SEVERITIES: { readonly [S in Severity]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error,
  bug: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
  help: DiagnosticSeverity.Hint,
};

/** An error; notes with a range become links. */
export function diagnosticIn(text: TextDocument, d: TextDiagnostic): Diagnostic {
  const notes = d.related.filter(({ range }) => range === undefined).map((n) => n.message);
  const hint = d.hint === undefined ? [] : [`hint: ${d.hint}`];
  return {
    range: rangeIn(text, d),
    severity: SEVERITIES[d.severity],
    code: d.code,
    source: SOURCE,
    message: [d.message, ...notes, ...hint].join('\n'),
    relatedInformation: d.related.flatMap(({ message, range }) =>
      range === undefined
        ? []
        : [{ message, location: { uri: text.uri, range: rangeIn(text, range) } }],
    ),
  };
}

export const hoverIn = (text: TextDocument, hover: RelayHover): Hover => ({
  range: rangeIn(text, hover),
  contents: { kind: MarkupKind.Markdown, value: hoverMarkdown(hover) },
});

/** The icons of completions. */
const COMPLETION_KINDS: { readonly [K in CompletionKind]: CompletionItemKind } = {
  operator: CompletionItemKind.Function,
  attribute: CompletionItemKind.Property,
  value: CompletionItemKind.Value,
  variable: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  constructor: CompletionItemKind.Constructor,
  keyword: CompletionItemKind.Keyword,
  type: CompletionItemKind.Class,
  dtype: CompletionItemKind.TypeParameter,
};

/** A completion that replaces a range; `rank` is its index in the list. */
export const completionIn = (
  { label, kind, insert, detail, doc }: Completion,
  range: Range,
  rank: number,
): CompletionItem => ({
  label,
  kind: COMPLETION_KINDS[kind],
  sortText: String(rank).padStart(6, '0'),
  textEdit: { range, newText: insert },
  ...(detail === undefined ? {} : { detail }),
  ...(doc === undefined ? {} : { documentation: doc }),
});

const SYMBOL_KINDS: { readonly [K in TextSymbol['kind']]: SymbolKind } = {
  function: SymbolKind.Function,
  type: SymbolKind.Enum,
  constructor: SymbolKind.EnumMember,
  binding: SymbolKind.Variable,
};

/** A symbol with its children; symbols are at most two deep. */
export const symbolIn = (text: TextDocument, symbol: TextSymbol): DocumentSymbol => ({
  ...symbolAlone(text, symbol),
  children: symbol.children.map((child) => symbolAlone(text, child)),
});

const symbolAlone = (text: TextDocument, symbol: TextSymbol): DocumentSymbol => ({
  name: symbol.name,
  kind: SYMBOL_KINDS[symbol.kind],
  range: rangeIn(text, symbol),
  selectionRange: rangeIn(text, symbol.nameRange),
});
