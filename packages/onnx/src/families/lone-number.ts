/** Inputs that hold one number. */
import type { Expr } from '@baton/ir';
import { readNumber, shapeSize } from '@baton/tensor';
import type { NodeContext } from '../operator-api/importer.ts';

/** The number of a constant with one element, of any rank; `undefined` for all others. */
export function loneNumber(context: NodeContext, expr: Expr): number | undefined {
  const value = context.valueOf(expr);
  return value !== undefined && shapeSize(value.shape) === 1 ? readNumber(value, 0) : undefined;
}
