/** The column `gradient`: how a call's arguments take the gradient of its result. */
import { type Attrs, type Column, defineColumn, type Expr } from '@baton/ir';
import type { Calculus } from './calculus.ts';

/**
 * A call whose result has the gradient `g`.
 *
 * A size or a rank that is unknown when the rule asks for it makes the gradient an error, and the
 * rule's answer is not read.
 */
export interface GradientSite<A> extends Calculus {
  /** The values of the arguments. An operator's call has as many as the operator has inputs. */
  readonly args: readonly [Expr, Expr, Expr, Expr, Expr];
  readonly attrs: A;
  /** The value of the call, which is not computed again. */
  readonly result: Expr;
  /** The gradient of the result: of its type, a tuple for a tuple. */
  readonly g: Expr;
  /** The number of axes of an argument. */
  readonly rank: (index: number) => number;
  /** The sizes of an argument. */
  readonly sizes: (index: number) => ReadonlyArray<number>;
  /** The sizes of each tensor of an argument that is a tuple. */
  readonly fieldSizes: (index: number) => ReadonlyArray<ReadonlyArray<number>>;
  /** The sizes of the result. */
  readonly resultSizes: () => ReadonlyArray<number>;
  /** A number in the dtype of the first argument. */
  readonly number: (value: number) => Expr;
  /** Numbers in the dtype of the first argument. */
  readonly numbers: (values: ReadonlyArray<number>, shape: ReadonlyArray<number>) => Expr;
  /** The number of elements of an argument divided by the number of elements of the result. */
  readonly ratio: (index: number) => Expr;
  /** The axis along which an argument lies that is a vector of an elementwise operator. */
  readonly vectorAxis: (index: number) => number | undefined;
  /** Says why this call has no gradient. */
  readonly refuse: (reason: string) => ReadonlyArray<undefined>;
}

/** The gradients of the arguments, for a tuple a tuple; `undefined` is 0, as are missing ones. */
export type GradientRule<A> = (site: GradientSite<A>) => ReadonlyArray<Expr | undefined>;

/** A call as an expression of other operators, of which the gradient is taken. */
export interface GradientFormula<A> {
  /** The expression; `undefined` for a call that `rule` is for. */
  readonly as: (site: FormulaSite<A>) => Expr | undefined;
  /** The gradients of calls without an expression, and of those in which a size that it needs is unknown. */
  readonly rule?: GradientRule<A>;
}

/** A call as an expression of other operators; `undefined` for a call that has none. */
export type Definition<A> = (site: FormulaSite<A>) => Expr | undefined;

/** A call that is spelled out: it has no gradient yet. */
export type FormulaSite<A> = Omit<GradientSite<A>, 'g' | 'result'>;

/**
 * The gradient of an operator: the vector-Jacobian product, or a formula, or nothing because it is
 * 0 wherever it exists. An elementwise operator without a statement has the derivative of its scalar
 * expression, one that only reshapes its argument the reshaped gradient, and another has none.
 */
export type Gradient<A> = GradientRule<A> | GradientFormula<A> | 'zero';

/** What an operator gives for values that are known to be zeros or ones. */
export type CellRole = 'sum' | 'product' | 'zeros' | 'ones';

/** The part that an operator plays where zeros and ones are not computed until they are needed. */
export const cellColumn: Column<CellRole> = defineColumn('cell');

/** The gradient that the operator's definition states. */
export const gradientColumn: Column<Gradient<Attrs>> = defineColumn('gradient');

/** The operator in others, to the bit. */
export const definitionColumn: Column<Definition<Attrs>> = defineColumn('definition');
