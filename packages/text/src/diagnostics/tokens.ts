/** Texts that cannot be cut into tokens: `LEX_*` and numbers. */
import { type Diagnostic, diagnostic, type Span } from '@baton/base';
import { rangeHint } from '@baton/ir';

/** `# x`, or a character that no token starts with. */
export const unexpectedCharacters = (text: string, span: Span): Diagnostic =>
  diagnostic(
    'LEX_CHARACTER',
    `unexpected ${text.length === 1 ? 'character' : 'characters'} \`${visible(text)}\``,
    {
      span,
    },
  );

/** Invisible characters in a message, shown by their numbers. */
const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Z}]/gu, (c) => {
    const code = c.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });

/** `#` that starts neither `#[version = ".."]` nor `#[metadata]`. */
export const strayHash = (span: Span): Diagnostic =>
  diagnostic('LEX_HASH', '`#` may only start an attribute `#[...]`', {
    span,
    hint: 'write `//` for a comment',
  });

/** `%` or `@` without a name. */
export const missingName = (sigil: string, what: string, span: Span): Diagnostic =>
  diagnostic('LEX_NAME', `expected the name of a ${what} after \`${sigil}\``, { span });

export const unterminatedComment = (span: Span): Diagnostic =>
  diagnostic('LEX_COMMENT', 'this block comment is never closed', { span });

export const unterminatedString = (span: Span): Diagnostic =>
  diagnostic('LEX_STRING', 'this string is not closed on its line', { span });

export const unknownEscape = (written: string, span: Span): Diagnostic =>
  diagnostic('LEX_ESCAPE', `unknown escape \`${written}\``, {
    span,
    hint: String.raw`the escapes are \" \\ \n \t \r and \xHH`,
  });

export const nestedTooDeep = (limit: number, span: Span): Diagnostic =>
  diagnostic('PARSE_NESTING', `brackets nest deeper than ${limit}`, { span });

export const malformedNumber = (text: string, span: Span): Diagnostic =>
  diagnostic('LEX_NUMBER', `malformed number \`${text}\``, {
    span,
    hint: 'integers take i8 i16 i32 i64 u8 u16 u32 u64, floats f16 f (or f32) f64',
  });

export const numberOutOfRange = (text: string, dtype: string, span: Span): Diagnostic =>
  diagnostic('LITERAL_RANGE', `\`${text}\` is not representable in ${dtype}`, {
    span,
    hint: rangeHint(dtype),
  });
