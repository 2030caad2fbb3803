/** Short forms for the tests of the text. */
import type { Diagnostic, TextSpan } from '@baton/base';
import type { Expr, IRModule } from '@baton/ir';
import { type ParseOptions, parseExpr, parseModule, printExpr, printModule } from '@baton/text';
import { ops } from './text-ops.ts';

const rendered = (diagnostics: ReadonlyArray<Diagnostic>): string =>
  diagnostics.map((d) => `${d.code}: ${d.message}`).join('\n');

/** The expression of a valid text. */
export function expr(text: string, options: Partial<ParseOptions> = {}): Expr {
  const result = parseExpr(text, { ops, ...options });
  if (result._tag === 'Left') throw new Error(`${text}\n${rendered(result.left)}`);
  return result.right;
}

/** The module of a valid text; the header is added. */
export function mod(text: string, options: Partial<ParseOptions> = {}): IRModule {
  const result = parseModule(`#[version = "0.0.5"]\n${text}`, { ops, ...options });
  if (result._tag === 'Left') throw new Error(`${text}\n${rendered(result.left)}`);
  return result.right;
}

/** The errors of a text. */
export function errors(
  text: string,
  parse: typeof parseExpr | typeof parseModule = parseExpr,
): ReadonlyArray<Diagnostic> {
  const result = parse(text, { ops });
  return result._tag === 'Left' ? result.left : [];
}

/** `CODE line:column-column`, for each error of a text. */
export const places = (text: string, parse?: typeof parseExpr | typeof parseModule) =>
  errors(text, parse).map((d) => {
    const span = textSpanOf(d);
    return `${d.code} ${span.line}:${span.column}-${span.endColumn}`;
  });

/** The place of a diagnostic, which for a text is a range of it. */
export function textSpanOf(d: Diagnostic): TextSpan {
  if (d.span?._tag !== 'TextSpan') throw new Error(`${d.code} has no place in the text`);
  return d.span;
}

/** An expression as text, without the header. */
export const shown = (e: Expr): string => printExpr(e, { ops, header: false, meta: 'section' });

/** A module as text, without the header. */
export const shownModule = (m: IRModule): string =>
  printModule(m, { header: false, meta: 'section' });
