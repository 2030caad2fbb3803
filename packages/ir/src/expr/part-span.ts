/**
 * Where an expression mentions its parts. A variable is one node however often it is used, as is a
 * graph binding: the span of the node is the place that made it. Who read the text of the expression
 * around it finds the place of a use, when a message asks.
 */
import type { Span, TextSpan } from '@baton/base';
import { childAt } from './children.ts';
import type { Expr } from './expr.ts';

/**
 * The place at which `parent` has its part `index`, as `childAt` counts; of a block, the place of
 * its result. Where that is not known, the place of `parent`.
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

/** What a chain of lets gives. */
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
