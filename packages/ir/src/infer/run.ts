/** A run of inference over a module. */
import type { Diagnostic } from '@baton/base';
import type { TypeView } from '../module/type-table.ts';
import type { OpTable } from '../ops/op-table.ts';
import type { TypeData } from '../types/type.ts';
import type { Solver } from './solve/solver.ts';

/** Counts what inference does; the caller's own object, added to. */
export interface InferenceStats {
  /** Nodes whose type was found anew. */
  visited: number;
  /**
   * Those among them that had a type, which only their former surroundings gave them: such as a
   * `Nil` inside a new tuple.
   */
  revisited?: number;
}

/** The parts of the module that a definition sees, and what serves all definitions. */
export interface Run {
  readonly ops: OpTable;
  readonly adts: ReadonlyMap<string, TypeData>;
  readonly view: TypeView;
  readonly solver: Solver;
  readonly isDefined: (name: string) => boolean;
  readonly globalNames: () => Iterable<string>;
  readonly report: (d: Diagnostic) => void;
  readonly stats: InferenceStats;
  /** Whether functions get their most general types. */
  readonly generalizes: boolean;
}
