/** What programs to generate. */
import type { OpTable } from '@baton/ir';
import type { DType } from '@baton/tensor';

/** A theme that programs dwell on, so that the passes that care about it have something to do. */
export type Focus =
  | 'scale-chains'
  | 'scale-inputs'
  | 'scale-results'
  | 'constants'
  | 'batch-norm'
  | 'bias'
  | 'padding'
  | 'casts'
  | 'movement'
  | 'arith'
  | 'like'
  | 'duplicates'
  | 'dead'
  | 'unused-functions'
  | 'fusable'
  | 'normal-form';

/**
 * Which operators programs are made of: `exact`: those that give the same bits in any order of
 * evaluation, as long as the inputs are small multiples of 1/8. `smooth`: those that have no
 * jumps. `any`: all.
 */
export type NumericKind = 'exact' | 'smooth' | 'any';

/** What programs to generate. */
export interface ProgramOptions {
  /**
   * The operators to generate calls of.
   * @defaultValue `standardOps`
   */
  readonly ops?: OpTable;
  /**
   * About how many calls of operators the largest programs have.
   * @defaultValue 12
   */
  readonly maxCalls?: number;
  /** Themes to dwell on. Without one, programs have something of everything. */
  readonly focus?: Focus | ReadonlyArray<Focus>;
  /**
   * `dataflow`: shared calls, lets, conditions, tuples and functions. `whole`: closures, functions of
   * functions, data types and matches, references, bounded recursion, polymorphism and symbolic
   * dimensions besides.
   * @defaultValue `dataflow`
   */
  readonly language?: 'dataflow' | 'whole';
  /**
   * `late`: much is left for inference to find. Operators are applied before the types of their
   * arguments are known, functions have aliases and are values of polymorphic types, and sizes are
   * free until the program runs: the parameters of `main` may say `?`, or name a size after its
   * value.
   * @defaultValue `stated`
   */
  readonly types?: 'stated' | 'late';
  /**
   * The share of the shapes that have an axis of size 0.
   * @defaultValue 0.02
   */
  readonly emptyAxes?: number;
  /** @defaultValue `any` */
  readonly numerics?: NumericKind;
  /**
   * The dtype of most tensors.
   * @defaultValue `float32`
   */
  readonly dtype?: DType;
}
