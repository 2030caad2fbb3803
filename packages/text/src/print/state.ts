/** What the parts of the printer share. */
import type { Expr, OpTable, Type, Var } from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { Names } from './names.ts';
import type { Places, PrintScope } from './places.ts';

/** How many parts large types may have, all together. */
export interface TypeBudget {
  left: number;
}

/** The text of a type, the comment that says it, and its size, which a budget may have to bear. */
export interface KnownTypeText {
  readonly text: string;
  readonly comment: string;
  readonly size: number;
}

/** What the lines of a whole text share: names, numbers, the meta table, the options. */
export interface PrintState {
  readonly names: Names;
  readonly ops: OpTable | undefined;
  /** The type of an expression where it is known. */
  readonly typeOf: (expr: Expr) => Type | undefined;
  readonly showTypes: boolean;
  readonly showSpans: boolean;
  readonly omitData: boolean;
  /** Whether TVM reads the text. */
  readonly isForTvm: boolean;
  readonly annotate: ((expr: Expr) => string) | undefined;
  /**
   * What large types may still be written: the types along a chain of lets may contain each other,
   * and their texts would then grow with its square.
   */
  readonly budgets: { readonly annotations: TypeBudget; readonly comments: TypeBudget };
  /** Texts of types that were written before. */
  readonly typeTexts: Map<Type, KnownTypeText>;
  /** Constants of the meta table, in the order of their first mention. */
  readonly tensors: Map<Tensor, number>;
  /** The number of the next temporary. */
  nextTemporary: number;
}

/** A function that is being written as the value of the let that binds its own name. */
export interface OpenLet {
  readonly binder: Var;
  readonly scope: PrintScope;
}

/** What the lines of one definition share. */
export interface Printer {
  readonly state: PrintState;
  readonly root: PrintScope;
  readonly places: Places;
  readonly openLets: OpenLet[];
  /** For a let's variable, which nodes mention it. */
  readonly mentions: Map<Var, Map<Expr, boolean>>;
}
