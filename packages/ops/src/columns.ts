/** The basic facts that `defineOp` states about operators, as columns of the operator table. */
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

export type OpKind =
  | 'elementwise'
  | 'movement'
  | 'normalization'
  | 'other'
  | 'product'
  | 'reduction';

/** An argument of an example: a value, or a type for random values. */
export type ExampleArg = TensorType | Tensor | ReadonlyArray<TensorType | Tensor>;

export interface Example<A = Attrs> {
  readonly args: ReadonlyArray<ExampleArg>;
  readonly attrs?: Partial<A>;
  readonly result: TensorType | ReadonlyArray<TensorType>;
}

/** Absent if the operator cannot be computed. */
export const kernelColumn: Column<Kernel> = defineColumn('kernel');

export const costColumn: Column<CostModel> = defineColumn('cost');

export const fusionColumn: Column<FusionPattern> = defineColumn('fusion');

export const kindColumn: Column<OpKind> = defineColumn('kind');

export const examplesColumn: Column<ReadonlyArray<Example>> = defineColumn('examples');
