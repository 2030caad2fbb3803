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
  /** The operator that computes the same faster, with a larger error. Default: none. */
  readonly faster?: string;
  /** The operator that takes some operands as attributes. Default: none. */
  readonly staticForm?: StaticForm;
  /** Default: always for products, never for what is smooth or has effects, else follow. */
  readonly precision?: Precision | PrecisionRule;
  /** Its part where numbers are quantized. Default: none, it computes on floats. */
  readonly quantizing?: Quantizing;
}

/** The requirement for computing a call at compile time. */
export const foldableColumn: Column<Foldable> = defineColumn('foldable');

/** The name of the operator that computes the same faster, with a larger error. */
export const fasterColumn: Column<string> = defineColumn('faster');

/** What the operator does with numbers of a narrower floating-point type. */
export const precisionColumn: Column<PrecisionRule> = defineColumn('precision');

/** The operator's part where numbers are quantized; absent if it has none. */
export const quantizingColumn: Column<Quantizing> = defineColumn('quantizing');

/** The operator that takes some operands as attributes; absent if there is none. */
export const staticFormColumn: Column<StaticForm> = defineColumn('staticForm');
