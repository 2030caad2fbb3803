/** The facts about operators for rewrites, as columns of the operator table. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';
import type { Decomposition } from './decomposition/decomposition.ts';

/**
 * The requirement for computing a call at compile time.
 *
 * - `by value`: the values of its arguments.
 * - `by type`: the type of its only argument.
 * - `removed`: it is removed instead, since it has no effect at inference.
 * - `annotation`: it is not computed, since it is a mark for passes.
 */
export type Foldable = 'by value' | 'by type' | 'removed' | 'annotation';

/**
 * The shapes that a pure reshape can give: `freely`, any of the same size, so that two reshapes
 * merge; or `partly`, some of them.
 */
export type Reshaping = 'freely' | 'partly';

/** `op(x, e) = x` where every element of `e` is `value`, and on either side if it commutes. */
export interface Neutral {
  readonly value: 0 | 1;
  readonly commutes: boolean;
}

/** The operator's own padding of its windows. */
export interface OwnPadding {
  /** The computation of the windows, which decides the value of padding. */
  readonly kind: 'convolution' | 'maximum' | 'mean';
  /** The attribute with the layout of the data. */
  readonly layout: string;
}

/** The least and the greatest number that a result can hold besides NaN, by the attributes. */
export type ResultRange = (attrs: Attrs) => readonly [least: number, most: number];

/** An operator that computes the same if the type of one argument is fully known. */
export interface ConcreteForm {
  readonly op: string;
  /** The argument that stays. */
  readonly kept: number | undefined;
  /** The argument of which only the type matters. */
  readonly dropped: number;
  readonly attrs: (shape: ReadonlyArray<number>, dtype: string) => Attrs;
  /** Whether the shape is an operand, after the argument that stays. */
  readonly takesShape?: boolean;
}

/** The facts for rewrites in a definition. */
export interface RewritingFacts {
  /** Default: by value. */
  readonly foldable?: Foldable;
  /** Whether the result has the elements of its only argument in the same order. Default: not. */
  readonly reshapes?: Reshaping;
  readonly neutral?: Neutral;
  readonly ownPadding?: OwnPadding;
  readonly concrete?: ConcreteForm;
  readonly range?: ResultRange;
  readonly decomposition?: Decomposition;
}

/** The requirement for computing a call at compile time. */
export const foldableColumn: Column<Foldable> = defineColumn('foldable');

/** The shapes that the operator can give its only argument, if it only reshapes. */
export const reshapesColumn: Column<Reshaping> = defineColumn('reshapes');

/** The operand that changes nothing. */
export const neutralColumn: Column<Neutral> = defineColumn('neutral');

/** The operator's own padding of its data; absent if it has none. */
export const ownPaddingColumn: Column<OwnPadding> = defineColumn('ownPadding');

/** The replacement of the operator if a type is known; absent if it needs no type. */
export const concreteColumn: Column<ConcreteForm> = defineColumn('concrete');

/** The call in simpler operators. */
export const decompositionColumn: Column<Decomposition> = defineColumn('decomposition');

/** The numbers that a result can hold besides NaN; absent if any. */
export const rangeColumn: Column<ResultRange> = defineColumn('range');
