/** The reader of s-expressions. */
import {
  type Diagnostic,
  fail,
  ok,
  type Result,
  type SourceText,
  type TextSpan,
  textSpan,
} from '@baton/base';
import { missingOperator, trailingText, unexpectedEnd } from './diagnostics.ts';

/** The constructors of a reader's value: both may refuse. */
export interface SexpAlgebra<A> {
  readonly atom: (token: string, span: () => TextSpan) => A | Diagnostic;
  /** `depth` counts this list and the lists around it. */
  readonly list: (
    operator: string,
    children: ReadonlyArray<A>,
    span: () => TextSpan,
    depth: number,
  ) => A | Diagnostic;
}

interface OpenList<A> {
  /** Empty right after the parenthesis. */
  operator: string;
  /** The span of its parenthesis. */
  readonly span: () => TextSpan;
  readonly children: A[];
}

/**
 * Reads one s-expression, of any depth, from a range of a text that it must fill; `;` starts a
 * comment.
 *
 * **Errors** `EGRAPH_UNEXPECTED_END`, `EGRAPH_TRAILING_TEXT`, `EGRAPH_MISSING_OPERATOR`, and the
 * errors of the algebra.
 */
export function readSexp<A extends object>(
  source: SourceText,
  algebra: SexpAlgebra<A>,
  from = 0,
  to: number = source.text.length,
): Result<A> {
  const open: OpenList<A>[] = [];
  let result: A | undefined;
  for (const { 0: token, index } of source.text
    .slice(from, to)
    .matchAll(/;[^\n]*|[()]|[^\s();]+/g)) {
    if (token.startsWith(';')) continue;
    const span = (): TextSpan => spanOf(source, from + index, token.length);
    if (result) return fail(trailingText(token, span()));
    const list = open.at(-1);
    if (list?.operator === '') {
      if (/^[()?]/.test(token)) return fail(missingOperator(token, span()));
      list.operator = token;
      continue;
    }
    if (token === '(') {
      open.push({ operator: '', span, children: [] });
      continue;
    }
    let value: A | Diagnostic;
    if (token === ')') {
      if (!list) return fail(trailingText(token, span()));
      value = algebra.list(list.operator, list.children, list.span, open.length);
      open.pop();
    } else value = algebra.atom(token, span);
    if (isDiagnostic(value)) return fail(value);
    const outer = open.at(-1);
    if (outer) outer.children.push(value);
    else result = value;
  }
  return result ? ok(result) : fail(unexpectedEnd(spanOf(source, to, 0), open.at(-1)?.span()));
}

export function spanOf(source: SourceText, offset: number, length: number): TextSpan {
  const before = source.text.slice(0, offset).split('\n');
  const line = before.length;
  const column = (before.at(-1) ?? '').length + 1;
  return textSpan(source, line, column, line, column + length);
}

const isDiagnostic = (value: object): value is Diagnostic =>
  (value as Partial<Diagnostic>)._tag === 'Diagnostic';
