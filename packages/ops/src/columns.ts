/** The facts that `defineOp` states about operators, as columns of the operator table. */
import { type Attrs, type Column, defineColumn, type TensorType } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { CostModel } from './cost.ts';
import type { Kernel } from './kernel.ts';

/**
 * How an operator may be fused:
 * [operators, pattern codes](https://batonjs.github.io/baton/spec/operators#pattern-codes).
 */
export type FusionPattern =
  | 'elemwise'
  | 'broadcast'
  | 'injective'
  | 'comm_reduce'
  | 'out_elemwise_fusable'
  | 'tuple'
  | 'opaque';

/** The kind of an operator's work, for the colours of drawings and the groups of summaries. */
export type OpKind =
  | 'elementwise'
  | 'movement'
  | 'normalization'
  | 'other'
  | 'product'
  | 'reduction';

/** An argument of an example: a type, for any values of it, or the values. */
export type ExampleArg = TensorType | Tensor | ReadonlyArray<TensorType | Tensor>;

/** A valid call of an operator, and the type of its result. */
export interface Example<A = Attrs> {
  readonly args: ReadonlyArray<ExampleArg>;
  readonly attrs?: Partial<A>;
  readonly result: TensorType | ReadonlyArray<TensorType>;
}

/** The kernel of the operator; absent if it cannot be computed. */
export const kernelColumn: Column<Kernel> = defineColumn('kernel');

/** The cost of a call of the operator. */
export const costColumn: Column<CostModel> = defineColumn('cost');

/** How the operator may be fused. */
export const fusionColumn: Column<FusionPattern> = defineColumn('fusion');

/** The kind of the operator's work. */
export const kindColumn: Column<OpKind> = defineColumn('kind');

/** Valid calls, for documentation and tests. */
export const examplesColumn: Column<ReadonlyArray<Example>> = defineColumn('examples');
