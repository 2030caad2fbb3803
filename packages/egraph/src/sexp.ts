import { type Diagnostic, fail, type Result, type TextSpan, textSpan } from '@baton/base';
import { missingOperator, trailingText, unexpectedEnd } from './diagnostics.ts';
import { ok } from './result.ts';

/** A piece of an s-expression: a parenthesis or an atom. */
export interface Token {
  readonly text: string;
  readonly offset: number;
}

/** How a reader builds its value: both calls may refuse. */
export interface SexpAlgebra<A> {
  readonly atom: (token: Token) => A | Diagnostic;
  readonly list: (operator: Token, children: ReadonlyArray<A>) => A | Diagnostic;
}

/** The range that a token takes in `text`. */
export function tokenSpan(source: string, text: string, token: Token): TextSpan {
  const before = text.slice(0, token.offset).split('\n');
  const line = before.length;
  const column = (before[line - 1] ?? '').length + 1;
  return textSpan(source, line, column, line, column + token.text.length);
}

/** Splits a text into parentheses and atoms; `;` starts a comment. */
export function tokens(text: string): ReadonlyArray<Token> {
  const result: Token[] = [];
  const pattern = /;[^\n]*|[()]|[^\s();]+/g;
  for (const match of text.matchAll(pattern)) {
    if (!match[0].startsWith(';')) result.push({ text: match[0], offset: match.index });
  }
  return result;
}

const isDiagnostic = (value: unknown): value is Diagnostic =>
  typeof value === 'object' && value !== null && '_tag' in value && value._tag === 'Diagnostic';

/**
 * Reads one s-expression, of any depth.
 *
 * **Errors** `EGRAPH_UNEXPECTED_END`, `EGRAPH_TRAILING_TEXT`, `EGRAPH_MISSING_OPERATOR`, and
 * whatever the algebra refuses.
 */
export function readSexp<A>(source: string, text: string, algebra: SexpAlgebra<A>): Result<A> {
  const all = tokens(text);
  const spanOf = (token: Token): TextSpan => tokenSpan(source, text, token);
  const operators: Token[] = [];
  const pending: A[][] = [[]];
  let at = 0;
  for (; at < all.length; at++) {
    const token = all[at] as Token;
    let value: A | Diagnostic;
    if (token.text === '(') {
      const operator = all[at + 1];
      if (operator === undefined) break;
      if (operator.text === '(' || operator.text === ')' || operator.text.startsWith('?')) {
        return fail(missingOperator(operator.text, spanOf(operator)));
      }
      operators.push(operator);
      pending.push([]);
      at++;
      continue;
    }
    if (token.text === ')') {
      const operator = operators.pop();
      if (operator === undefined) return fail(trailingText(token.text, spanOf(token)));
      value = algebra.list(operator, pending.pop() ?? []);
    } else value = algebra.atom(token);
    if (isDiagnostic(value)) return fail(value);
    (pending[pending.length - 1] as A[]).push(value);
    if (operators.length === 0) break;
  }
  const extra = all[at + 1];
  const [result] = pending[0] ?? [];
  if (operators.length > 0 || result === undefined) {
    return fail(unexpectedEnd(spanOf({ text: '', offset: text.length })));
  }
  if (extra !== undefined) return fail(trailingText(extra.text, spanOf(extra)));
  return ok(result);
}
