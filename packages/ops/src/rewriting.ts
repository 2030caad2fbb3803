/** The facts about operators for rewrites, as columns of the operator table. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';

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

/** The computation of windows that an operator pads itself, which decides the value of padding. */
export type OwnPadding = 'convolution' | 'maximum' | 'mean';

/** The least and the greatest number that a result can hold besides NaN, by the attributes. */
export type ResultRange = (attrs: Attrs) => readonly [least: number, most: number];

/** The facts for rewrites in a definition. */
export interface RewritingFacts {
  /** Default: by value. */
  readonly foldable?: Foldable;
  /** Whether the result has the elements of its only argument in the same order. Default: not. */
  readonly reshapes?: Reshaping;
  readonly ownPadding?: OwnPadding;
  readonly range?: ResultRange;
  /** The operator that computes the same faster, with a larger error. Default: none. */
  readonly faster?: string;
}

/** The requirement for computing a call at compile time. */
export const foldableColumn: Column<Foldable> = defineColumn('foldable');

/** The shapes that the operator can give its only argument, if it only reshapes. */
export const reshapesColumn: Column<Reshaping> = defineColumn('reshapes');

/** The operator's own padding of its data; absent if it has none. */
export const ownPaddingColumn: Column<OwnPadding> = defineColumn('ownPadding');

/** The numbers that a result can hold besides NaN; absent if any. */
export const rangeColumn: Column<ResultRange> = defineColumn('range');

/** The name of the operator that computes the same faster, with a larger error. */
export const fasterColumn: Column<string> = defineColumn('faster');
