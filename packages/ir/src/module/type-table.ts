/** The types of expressions: the one side table of the IR (ARCHITECTURE.md, incremental inference). */
import type { Expr } from '../expr/expr.ts';
import type { FuncType, Type } from '../types/type.ts';

/**
 * The type of every node that inference has seen, valid for the signatures of global functions
 * under which it was found. Nodes are immutable, so a module that shares nodes with an older one
 * shares its table, and inference visits the new nodes alone.
 */
export interface TypeTable {
  readonly types: WeakMap<Expr, Type>;
  /** The signatures of the globals under which the entries hold. */
  readonly signatures: ReadonlyMap<string, FuncType>;
}

/** A table that knows nothing yet. */
export const emptyTypeTable = (): TypeTable => ({ types: new WeakMap(), signatures: new Map() });
