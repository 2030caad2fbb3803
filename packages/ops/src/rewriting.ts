/** The facts about operators for rewrites, as columns of the operator table. */
import { type Attrs, type Column, defineColumn } from '@baton/ir';
import type { LayoutAttributes, RelayoutRule } from './relayout/relayout.ts';
import type { StaticForm } from './static-form.ts';

/**
 * The requirement for computing a call at compile time.
 *
 * - `by value`: the values of its arguments.
 * - `by type`: the type of its only argument.
 * - `removed`: it is removed instead, since it has no effect at inference.
 * - `annotation`: it is not computed, since it is a mark for passes.
 */
export type Foldable = 'by value' | 'by type' | 'removed' | 'annotation';

/** The computation of windows that an operator pads itself, which decides the value of padding. */
export type OwnPadding = 'convolution' | 'maximum' | 'mean';

/** The least and the greatest number that a result can hold besides NaN, by the attributes. */
export type ResultRange = (attrs: Attrs) => readonly [least: number, most: number];

/**
 * `op(x, concatenate((v, w))) = concatenate((op(x, v), op(x, w)))`: products of the same data are one
 * product. The second arguments lie one behind the other along `axis`, and the results along the
 * only axis whose size changes.
 */
export interface Joining {
  /** The axis of the second argument, of this rank; `undefined` if the call does not join. */
  readonly axis: (attrs: Attrs, rank: number) => number | undefined;
  /** The attribute that may state the size of the joined axis. */
  readonly size?: string;
  /** Attributes that may state other sizes of the second argument. */
  readonly restated?: ReadonlyArray<string>;
}

/**
 * What an operator does with numbers of a narrower floating-point type.
 *
 * - `always`: it computes in the narrow type, where it is much faster: convolutions and products.
 * - `follow`: it computes in the narrow type if its arguments are narrow.
 * - `never`: its results would lose too much: exponentials, and sums of many terms.
 * - `stated`: it takes narrow arguments, and its result has the type that its attributes state.
 */
export type Precision = 'always' | 'follow' | 'never' | 'stated';

/** The precision of a call, by its attributes and the largest number of the narrow type. */
export type PrecisionRule = (attrs: Attrs, largest: number) => Precision;

/**
 * The part of an operator where the numbers of a program are quantized.
 *
 * - `convolution`, `layer`, `product`: products of two arguments, both of which are quantized; the
 *   first two are those that may be left out.
 * - `sum`, `factor`: sums and products of elements; `joined`: tensors one behind the other.
 * - `maximum`, `mean`: pools; `end`: a mean after which nothing is quantized.
 * - `rectifier`, `bound`, `movement`: what takes the quantization of its argument over.
 * - `hint`: it states the type to compute in; `mark`: it quantizes.
 */
export type Quantizing =
  | 'convolution'
  | 'layer'
  | 'product'
  | 'sum'
  | 'factor'
  | 'joined'
  | 'maximum'
  | 'mean'
  | 'end'
  | 'rectifier'
  | 'bound'
  | 'movement'
  | 'hint'
  | 'mark';

/** The facts for rewrites in a definition. */
export interface RewritingFacts {
  /** How another layout passes through. Default: by the scalar expression, or not at all. */
  readonly relayout?: RelayoutRule;
  /** The attributes that name layouts. Default: none. */
  readonly layoutAttributes?: LayoutAttributes;
  /** Default: by value. */
  readonly foldable?: Foldable;
  readonly ownPadding?: OwnPadding;
  readonly range?: ResultRange;
  /** The operator that computes the same faster, with a larger error. Default: none. */
  readonly faster?: string;
  /** The operator that takes some operands as attributes. Default: none. */
  readonly staticForm?: StaticForm;
  /** How calls on the same data join. Default: they do not. */
  readonly joining?: Joining;
  /** Default: always for products, never for what is smooth or has effects, else follow. */
  readonly precision?: Precision | PrecisionRule;
  /** Its part where numbers are quantized. Default: none, it computes on floats. */
  readonly quantizing?: Quantizing;
}

/** The requirement for computing a call at compile time. */
export const foldableColumn: Column<Foldable> = defineColumn('foldable');

/** The operator's own padding of its data; absent if it has none. */
export const ownPaddingColumn: Column<OwnPadding> = defineColumn('ownPadding');

/** The numbers that a result can hold besides NaN; absent if any. */
export const rangeColumn: Column<ResultRange> = defineColumn('range');

/** The name of the operator that computes the same faster, with a larger error. */
export const fasterColumn: Column<string> = defineColumn('faster');

/** How calls on the same data join; absent if they do not. */
export const joiningColumn: Column<Joining> = defineColumn('joining');

/** What the operator does with numbers of a narrower floating-point type. */
export const precisionColumn: Column<PrecisionRule> = defineColumn('precision');

/** The operator's part where numbers are quantized; absent if it has none. */
export const quantizingColumn: Column<Quantizing> = defineColumn('quantizing');

/** The operator that takes some operands as attributes; absent if there is none. */
export const staticFormColumn: Column<StaticForm> = defineColumn('staticForm');
