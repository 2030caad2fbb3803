/** A run of inference over a module. */
import type { Diagnostic } from '@baton/base';
import type { Expr } from '../expr/expr.ts';
import type { IRModule } from '../module/module.ts';
import type { TypeView } from '../module/type-table.ts';
import type { Type } from '../types/type.ts';
import type { Solver } from './solve/solver.ts';

/** The counts of inference, in an object of the caller, which they are added to. */
export interface InferenceStats {
  /** Nodes whose type was inferred again. */
  visited: number;
  /** Those of them that had a type from their former context only, such as `Nil` in a new tuple. */
  revisited?: number;
}

/** The module, and what serves all its definitions. */
export interface Run {
  readonly module: IRModule;
  readonly view: TypeView;
  readonly solver: Solver;
  readonly report: (d: Diagnostic) => void;
  readonly stats: InferenceStats;
  /** Asks the host whether to go on; never returns if not. */
  readonly goesOn: () => void;
  /** Whether functions get their most general types. */
  readonly generalizes: boolean;
  /** Gets the types of nodes that the table does not have after an error. */
  readonly onType: ((node: Expr, type: Type) => void) | undefined;
}
