/** The public names of `@baton/editor`. */
export {
  type Completion,
  type CompletionKind,
  type Completions,
  completeAt,
} from './complete.ts';
export { definitionAt, referencesAt } from './definition.ts';
export type { AttributeFact, Fact } from './describe.ts';
export { diagnose, type RelatedPlace, type TextDiagnostic } from './diagnose.ts';
export { type DocumentOptions, openDocument, type RelayDocument, type Typing } from './document.ts';
export { format } from './format.ts';
export { type Hover, type HoverKind, hoverAt, hoverMarkdown } from './hover.ts';
export type { TextRange } from './range.ts';
export { symbolsOf, type TextSymbol } from './symbols.ts';
