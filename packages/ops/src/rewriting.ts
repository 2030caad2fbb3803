/** The facts about operators that rewrites ask for, as columns of the operator table. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';
import type { Decomposition } from './decomposition/decomposition.ts';

/**
 * What it takes to compute a call at compile time.
 *
 * - `by value`: the values of its arguments.
 * - `by type`: the type of its only argument.
 * - `removed`: it is not computed but removed, since it does nothing at inference.
 * - `annotation`: it is not computed, since it is a mark that passes read.
 */
export type Foldable = 'by value' | 'by type' | 'removed' | 'annotation';

/**
 * What shapes an operator gives that does nothing but reshape: any of the same size, so that two of
 * them are one; or some.
 */
export type Reshaping = 'freely' | 'partly';

/** `op(x, e) = x` where every element of `e` is `value`, and on either side if it commutes. */
export interface Neutral {
  readonly value: 0 | 1;
  readonly commutes: boolean;
}

/** How an operator of windows pads its data by itself. */
export interface OwnPadding {
  /** What the windows compute: it decides what padding counts as. */
  readonly kind: 'convolution' | 'maximum' | 'mean';
  /** The attribute that names the axes of the data. */
  readonly layout: string;
}

/** The operator that computes the same where the type of one argument is known in full. */
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

/** The facts that rewrites ask for, as a definition states them. */
export interface RewritingFacts {
  /** Default: by value. */
  readonly foldable?: Foldable;
  /** The result has the elements of its only argument in the same order. Default: it has not. */
  readonly reshapes?: Reshaping;
  readonly neutral?: Neutral;
  readonly ownPadding?: OwnPadding;
  readonly concrete?: ConcreteForm;
  readonly decomposition?: Decomposition;
}

/** What it takes to compute a call at compile time. */
export const foldableColumn: Column<Foldable> = defineColumn('foldable');

/** How the operator gives its only argument another shape, where it does nothing else. */
export const reshapesColumn: Column<Reshaping> = defineColumn('reshapes');

/** The operand that changes nothing. */
export const neutralColumn: Column<Neutral> = defineColumn('neutral');

/** How the operator pads its data by itself; absent where it does not. */
export const ownPaddingColumn: Column<OwnPadding> = defineColumn('ownPadding');

/** What the operator becomes where a type is known; absent where it asks for no type. */
export const concreteColumn: Column<ConcreteForm> = defineColumn('concrete');

/** The call in simpler operators. */
export const decompositionColumn: Column<Decomposition> = defineColumn('decomposition');
