/** The state that all nodes of one import share. */
import { type Diagnostic, printSpan, type Budget as Room, type Span } from '@baton/base';
import { bareAtom, type Dim, type Expr, isStaticDim, type OpRef, type OpTable } from '@baton/ir';
import { nodesOutOfOrder } from '../diagnostics.ts';
import type { Budget } from '../protobuf/budget.ts';
import type { Dimensions } from './dimensions.ts';
import { isSorted, type PlacedNode } from './needed.ts';
import type { ImportOptions, WeightSource } from './options.ts';
import type { Sizes } from './sizes.ts';
import type { ValueTypes } from './types.ts';

/** Two names of dimensions whose sizes a node needs to be the same. */
export interface Equality {
  readonly names: readonly [string, string];
  readonly span: Span;
}

/** A branch of an `If`. */
export type BranchName = 'then_branch' | 'else_branch';

/** An `If` whose branches differ in rank. */
export interface OpenChoice {
  /** The name of the condition. */
  readonly condition: string;
  readonly span: Span;
}

/** The branches that an import assumes. */
export interface Choices {
  /** The branch of the next such `If`, if it is assumed. */
  readonly next: (choice: OpenChoice) => BranchName | undefined;
  /** The number of such `If` nodes so far. */
  readonly count: () => number;
  /** The first `If` of which none is assumed. */
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
  /** Warnings by place and code: a body that is imported again adds none. */
  readonly warnings: Map<string, Diagnostic>;
  /** What is left of the limits for constants that the import makes. */
  readonly room: Room;
  /** The rest of the heap that a file of this size may use. */
  readonly budget: Budget;
}

/** Notes a warning for the caller. */
export const warn = ({ warnings }: ImportState, span: Span, warning: Diagnostic): void =>
  void warnings.set(`${warning.code} ${printSpan(span)}`, warning);

/** Warns if nodes are not in the order of the file. */
export function noteOrder(state: ImportState, nodes: ReadonlyArray<PlacedNode>, span: Span): void {
  if (isSorted(nodes)) warn(state, span, nodesOutOfOrder(span));
}

/** Notes that a node needs two dimensions to be the same: once all are known, the import begins again with one name for both. */
export function noteEqual(state: ImportState, a: Dim, b: Dim, span: Span): void {
  const [first, second] = [a, b].map((dim) => {
    const atom = isStaticDim(dim) ? undefined : bareAtom(dim);
    return atom?._tag === 'TypeVar' ? state.dimensions.nameOf(atom) : undefined;
  });
  if (first === undefined || second === undefined || first === second) return;
  state.equalities.push({ names: [first, second], span });
}
