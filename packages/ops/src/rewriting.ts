/** Facts about operators for rewrites, as columns of the operator table. */
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
 * How an operator computes with a narrower floating-point type.
 *
 * - `always`: it computes in the narrow type, where it is much faster: convolutions and products.
 * - `follow`: it computes in the narrow type if its arguments are narrow.
 * - `never`: its results would lose too much: exponentials, and sums of many terms.
 * - `stated`: it accepts narrow arguments, and its attributes state the type of its result.
 */
export type Precision = 'always' | 'follow' | 'never' | 'stated';

/** The precision of a call, by its attributes and the largest number of the narrow type. */
export type PrecisionRule = (attrs: Attrs, largest: number) => Precision;

/**
 * The role of an operator if the numbers of a program are quantized.
 *
 * - `convolution`, `layer`, `product`: products of two arguments, both of which are quantized; the
 *   first two can be excluded.
 * - `sum`, `factor`: sums and products of elements; `joined`: concatenations.
 * - `maximum`, `mean`: pools; `end`: a mean after which nothing is quantized.
 * - `rectifier`, `bound`, `movement`: operators that keep the quantization of their argument.
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
  /**
   * Default: always for products, never for smooth operators and those with effects, else follow.
   */
  readonly precision?: Precision | PrecisionRule;
  /** Its role if numbers are quantized. Default: none, it computes on floats. */
  readonly quantizing?: Quantizing;
}

export const foldableColumn: Column<Foldable> = defineColumn('foldable');

export const fasterColumn: Column<string> = defineColumn('faster');

export const precisionColumn: Column<PrecisionRule> = defineColumn('precision');

export const quantizingColumn: Column<Quantizing> = defineColumn('quantizing');

export const staticFormColumn: Column<StaticForm> = defineColumn('staticForm');
