/** The public names of `@baton/text`. */
export { formatText } from './format.ts';
export { decodeModule, type FromJsonOptions, MAX_JSON_DEPTH } from './json/decode.ts';
export { type EncodeOptions, encodeModule } from './json/encode.ts';
export { fromJson, toJson } from './json/json.ts';
export type { JsonModule } from './json/schema.ts';
export {
  CONSTANT_KEY,
  constantTable,
  type MetaEntry,
  type MetaInput,
  type MetaItem,
  type MetaTable,
} from './meta/meta.ts';
export { type ModelForm, modelForm } from './model-form.ts';
export type { Mention, Notes, Visible } from './parse/notes.ts';
export {
  type ParseOptions,
  parseExpr,
  parseModule,
  readText,
  type TextReading,
} from './parse.ts';
export { importStd, mergeModules } from './prelude/import.ts';
export type { StdFile } from './prelude/texts.ts';
export { printType } from './print/types.ts';
export { type PrintOptions, printExpr, printModule } from './print.ts';
export { type RelayText, relayTextColumn } from './relay-text.ts';
export { lex, MAX_DIAGNOSTICS, MAX_NESTING } from './tokens/lexer.ts';
export {
  endOffsetOf,
  offsetOf,
  type TokenKind,
  type Tokens,
  tokenText,
} from './tokens/tokens.ts';
export { type RelayWords, relayWords } from './words.ts';
