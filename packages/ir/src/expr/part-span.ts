/**
 * The places at which an expression mentions its parts. A variable or a graph binding is one node
 * for all its uses, and its span is the place that made it. When a message needs the place of a
 * use, the parser of the surrounding text finds it.
 */
import type { Span, TextSpan } from '@baton/base';
import { childAt } from './children.ts';
import type { Expr } from './expr.ts';

/**
 * The place at which `parent` mentions its part `index`, as `childAt` counts; for a block, the
 * place of its result. If that is unknown, the place of `parent`.
 *
 * **Complexity** linear in the source text up to the expression's end.
 */
export function partSpan(parent: Expr, index: number): Span | undefined {
  const whole = parent.span;
  const part = resultOf(childAt(parent, index));
  if (part === undefined) return whole;
  if (whole?._tag !== 'TextSpan') return whole ?? part.span;
  if (part._tag !== 'Var' && isWithin(part.span, whole)) return part.span;
  return whole.source.mentionOf?.(parent, index, whole) ?? whole;
}

/** The result of a chain of lets. */
export function resultOf(expr: Expr | undefined): Expr | undefined {
  let result = expr;
  while (result?._tag === 'Let') result = result.body;
  return result;
}

function isWithin(part: Span | undefined, whole: TextSpan): boolean {
  if (part?._tag !== 'TextSpan' || part.source !== whole.source) return false;
  const isAfter = part.line - whole.line || part.column - whole.column;
  const isBefore = whole.endLine - part.endLine || whole.endColumn - part.endColumn;
  return isAfter >= 0 && isBefore >= 0;
}
