/** The column `gradient`: how a call's arguments take the gradient of its result. */
import { type Attrs, type Column, defineColumn, type Expr } from '@baton/ir';
import type { DefinitionSite } from '../definition/site.ts';

/**
 * A call whose result has the gradient `g`.
 *
 * A size or a rank that is unknown when the rule asks for it makes the gradient an error, and the
 * rule's answer is not read.
 */
export interface GradientSite<A> extends DefinitionSite<A> {
  /** The value of the call, which is not computed again. */
  readonly result: Expr;
  /** The gradient of the result: of its type, a tuple for a tuple. */
  readonly g: Expr;
  /** The number of elements of an argument divided by the number of elements of the result. */
  readonly ratio: (index: number) => Expr;
  /** The axis along which an argument lies that is a vector of an elementwise operator. */
  readonly vectorAxis: (index: number) => number | undefined;
}

/**
 * The gradients of the arguments, for a tuple a tuple; `undefined` is 0, as are missing ones. Without a
 * list they are those of the operator's definition.
 */
export type GradientRule<A> = (
  site: GradientSite<A>,
) => ReadonlyArray<Expr | undefined> | undefined;

/**
 * The gradient of an operator: the vector-Jacobian product, or nothing because it is 0 wherever it
 * exists. An operator without a statement has the gradient of its definition; or if it is elementwise
 * the derivative of its scalar expression; or the reshaped gradient if it only reshapes its argument.
 */
export type Gradient<A> = GradientRule<A> | 'zero';

/** What an operator gives for values that are known to be zeros or ones. */
export type CellRole = 'sum' | 'product' | 'zeros' | 'ones';

/** The part that an operator plays where zeros and ones are not computed until they are needed. */
export const cellColumn: Column<CellRole> = defineColumn('cell');

/** The gradient that the operator states. */
export const gradientColumn: Column<Gradient<Attrs>> = defineColumn('gradient');
