/** The state that all nodes of one import share. */
import type { Diagnostic, Budget as Room, Span } from '@baton/base';
import { bareAtom, type Dim, type Expr, isStaticDim, type OpRef, type OpTable } from '@baton/ir';
import { nodesOutOfOrder } from '../diagnostics.ts';
import type { Budget } from '../protobuf/budget.ts';
import type { Dimensions } from './dimensions.ts';
import { isSorted, type PlacedNode } from './needed.ts';
import type { ImportOptions, WeightSource } from './options.ts';
import type { Sizes } from './sizes.ts';
import type { ValueTypes } from './types.ts';

/** Dimensions whose sizes a node needs to be the same: two names, or a name and a size. */
export interface Equality {
  readonly dims: readonly [string, string | number];
  readonly span: Span;
}

/** A branch of an `If`, or the first or second reading of a node. */
export type BranchName = 'then_branch' | 'else_branch';

/**
 * A choice between two branches, or two readings of a node, that only a later node decides: the warning
 * that one is left out, since no run gets past that node with it.
 */
export type OpenChoice = (left: BranchName, reason: Diagnostic) => Diagnostic;

/** The branches that an import assumes. */
export interface Choices {
  /** The branch of the next such choice, if it is assumed. */
  readonly next: (choice: OpenChoice) => BranchName | undefined;
  /** The number of such choices so far. */
  readonly count: () => number;
  /** The first of which none is assumed. */
  readonly open: () => OpenChoice | undefined;
}

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
  readonly dimensions: Dimensions;
  /** Names of dimensions whose sizes turned out to be the same. */
  readonly equalities: Array<Equality>;
  readonly choices: Choices;
  /** Constants that the import has computed from sizes: expressions of them are computed, too. */
  readonly computed: Set<Expr>;
  /** Sizes in the values of calls. */
  readonly sizes: Map<Expr, Sizes>;
  /** The number of elements that may still be computed, arguments and results. */
  foldBudget: number;
  /** Warnings by code and message, each with the first node that it is about. */
  readonly warnings: Map<string, Diagnostic>;
  /** What is left of the limits for constants that the import makes. */
  readonly room: Room;
  /** The rest of the heap that a file of this size may use. */
  readonly budget: Budget;
}

/** Notes a warning for the caller. */
export function warn({ warnings }: ImportState, warning: Diagnostic): void {
  const key = `${warning.code} ${warning.message}`;
  if (!warnings.has(key)) warnings.set(key, warning);
}

/** Warns if nodes are not in the order of the file. */
export function noteOrder(state: ImportState, nodes: ReadonlyArray<PlacedNode>, span: Span): void {
  if (isSorted(nodes)) warn(state, nodesOutOfOrder(span));
}

/**
 * Notes that a node needs two dimensions to be the same: once all are known, the import begins again with
 * one name for both, or with the size.
 */
export function noteEqual(state: ImportState, a: Dim, b: Dim, span: Span): void {
  const [first, second] = [a, b].map((dim) => {
    if (isStaticDim(dim)) return dim;
    const atom = bareAtom(dim);
    return atom?._tag === 'TypeVar' ? state.dimensions.nameOf(atom) : undefined;
  });
  if (first === undefined || second === undefined || first === second) return;
  if (typeof first === 'string') state.equalities.push({ dims: [first, second], span });
  else if (typeof second === 'string') state.equalities.push({ dims: [second, first], span });
}
