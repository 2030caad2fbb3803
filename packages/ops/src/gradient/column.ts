/** The column `gradient`: how the gradient of a call's result is passed to its arguments. */
import { type Attrs, type Column, defineColumn, type Expr } from '@baton/ir';
import type { DefinitionSite } from '../definition/site.ts';

/**
 * A call whose result has the gradient `g`. A rule that reads an unknown size or rank makes the
 * gradient an error, and its result is discarded.
 */
export interface GradientSite<A> extends DefinitionSite<A> {
  /** The value of the call, which need not be computed again. */
  readonly result: Expr;
  /** The gradient of the result; a tuple for a tuple. */
  readonly g: Expr;
  /** The number of elements of an argument divided by that of the result. */
  readonly ratio: (index: number) => Expr;
  /** The axis of the result along which a vector argument of an elementwise operator varies. */
  readonly vectorAxis: (index: number) => number | undefined;
}

/**
 * The gradients of the arguments, a tuple for a tuple; `undefined` and missing ones are 0. Without
 * a list they are those of the operator's definition.
 */
export type GradientRule<A> = (
  site: GradientSite<A>,
) => ReadonlyArray<Expr | undefined> | undefined;

/**
 * The gradient of an operator: its vector-Jacobian product, or `'zero'` if it is 0 wherever it
 * exists. An operator that states none has the gradient of its definition; if it is elementwise,
 * the derivative of its scalar expression; if it only reshapes, the reshaped gradient.
 */
export type Gradient<A> = GradientRule<A> | 'zero';

/** How an operator treats operands that are known to be zeros or ones (TVM's GradCell). */
export type CellRole = 'sum' | 'product' | 'zeros' | 'ones';

/** The role of an operator if zeros and ones are not computed until they are needed. */
export const cellColumn: Column<CellRole> = defineColumn('cell');

export const gradientColumn: Column<Gradient<Attrs>> = defineColumn('gradient');
