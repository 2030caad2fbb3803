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

/** How a reader builds its value: both calls may refuse. */
export interface SexpAlgebra<A> {
  readonly atom: (token: string, span: () => TextSpan) => A | Diagnostic;
  /** `depth` counts the lists around this one, and itself. */
  readonly list: (
    operator: string,
    children: ReadonlyArray<A>,
    span: () => TextSpan,
    depth: number,
  ) => A | Diagnostic;
}

/** A list that has not ended yet. */
interface OpenList<A> {
  readonly operator: string;
  readonly span: () => TextSpan;
  readonly children: A[];
}

/**
 * Reads one s-expression, of any depth; `;` starts a comment.
 *
 * **Errors** `EGRAPH_UNEXPECTED_END`, `EGRAPH_TRAILING_TEXT`, `EGRAPH_MISSING_OPERATOR`, and
 * whatever the algebra refuses.
 */
export function readSexp<A extends object>(
  source: string,
  text: string,
  algebra: SexpAlgebra<A>,
): Result<A> {
  const named: SourceText = { name: source, text };
  const spanOf = (offset: number, length: number): TextSpan => {
    const before = text.slice(0, offset).split('\n');
    const line = before.length;
    const column = (before.at(-1) ?? '').length + 1;
    return textSpan(named, line, column, line, column + length);
  };
  const open: OpenList<A>[] = [];
  let afterParenthesis = false;
  let result: A | undefined;
  for (const { 0: token, index } of text.matchAll(/;[^\n]*|[()]|[^\s();]+/g)) {
    if (token.startsWith(';')) continue;
    const span = (): TextSpan => spanOf(index, token.length);
    if (result !== undefined) return fail(trailingText(token, span()));
    if (afterParenthesis) {
      if (/^[()?]/.test(token)) return fail(missingOperator(token, span()));
      open.push({ operator: token, span, children: [] });
      afterParenthesis = false;
      continue;
    }
    afterParenthesis = token === '(';
    if (afterParenthesis) continue;
    let value: A | Diagnostic;
    if (token === ')') {
      const list = open.pop();
      if (list === undefined) return fail(trailingText(token, span()));
      value = algebra.list(list.operator, list.children, list.span, open.length + 1);
    } else value = algebra.atom(token, span);
    if (isDiagnostic(value)) return fail(value);
    const outer = open.at(-1);
    if (outer === undefined) result = value;
    else outer.children.push(value);
  }
  return result === undefined ? fail(unexpectedEnd(spanOf(text.length, 0))) : ok(result);
}

const isDiagnostic = (value: object): value is Diagnostic =>
  '_tag' in value && value._tag === 'Diagnostic';
