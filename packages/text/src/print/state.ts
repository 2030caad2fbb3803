/** The state shared by the parts of the printer. */
import type { Expr, OpTable, Type, Var } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { Names } from './names.ts';
import type { Placements, PrintScope } from './placements.ts';

/** The remaining parts for large types. */
export interface TypeBudget {
  left: number;
}

/** The text of a type, its comment, and its size, which may be charged to a budget. */
export interface KnownTypeText {
  readonly text: string;
  readonly comment: string;
  readonly size: number;
}

/** The state of a complete text: names, numbers, the meta table, the options. */
export interface PrintState {
  readonly names: Names;
  readonly ops: OpTable | undefined;
  readonly typeOf: (expr: Expr) => Type | undefined;
  readonly showTypes: boolean;
  readonly showSpans: boolean;
  readonly omitData: boolean;
  readonly isForTvm: boolean;
  readonly annotate: ((expr: Expr) => string) | undefined;
  /** The budgets of large types, whose texts could grow with the square of a chain of lets. */
  readonly budgets: { readonly annotations: TypeBudget; readonly comments: TypeBudget };
  readonly typeTexts: Map<Type, KnownTypeText>;
  /** Constants of the meta table, in the order of their first mention. */
  readonly tensors: Map<Tensor, number>;
  nextTemporary: number;
}

/** A function that is written as the value of the let with its own name. */
export interface OpenLet {
  readonly binder: Var;
  readonly scope: PrintScope;
}

/** The state of the lines of one definition. */
export interface Printer {
  readonly state: PrintState;
  readonly root: PrintScope;
  readonly placements: Placements;
  readonly openLets: OpenLet[];
  /** For a let's variable, the nodes that mention it. */
  readonly mentions: Map<Var, Map<Expr, boolean>>;
}
