/** The state that all nodes of one import share. */
import type { Diagnostic, Budget as Room } from '@baton/base';
import type { Expr, OpRef, OpTable } from '@baton/ir';
import type { Budget } from '../protobuf/budget.ts';
import type { ImportOptions, WeightSource } from './options.ts';
import type { Sizes } from './sizes.ts';
import type { ValueTypes } from './types.ts';

/** The tables and budgets of an import. */
export interface ImportState {
  readonly ops: OpTable;
  readonly options: ImportOptions;
  readonly weights: WeightSource;
  readonly types: ValueTypes;
  /** The one reference to each operator. */
  readonly opRefs: Map<string, OpRef>;
  /** The names of dimensions without a size. */
  readonly openDims: ReadonlyArray<string>;
  /** Constants that the import has computed from sizes: expressions of them are computed, too. */
  readonly computed: Set<Expr>;
  /** Sizes in the values of calls. */
  readonly sizes: Map<Expr, Sizes>;
  /** The number of elements that may still be computed, arguments and results. */
  foldBudget: number;
  /** What is left out, by its place: a body that is imported again says it once. */
  readonly warnings: Map<string, Diagnostic>;
  /** What is left of the limits for constants that the import makes. */
  readonly room: Room;
  /** The rest of the heap that a file of this size may use. */
  readonly budget: Budget;
}
