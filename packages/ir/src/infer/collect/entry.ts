/** The facts of the phases about the nodes of one definition. */
import type { Scope } from '../../analysis/scope-tree.ts';
import type { Expr, Func } from '../../expr/expr.ts';
import type { Type } from '../../types/type.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';

/** The functions around a node, innermost first. */
export interface Around {
  readonly function: Func;
  readonly outer: Around | undefined;
}

/** The binding of a variable without closed annotation. */
export interface Binding {
  /** Whether it is a parameter: only a parameter can leave a type open. */
  readonly isParameter: boolean;
  readonly around: Around | undefined;
}

/** A function literal inside a definition. */
export interface Literal {
  /** The number of its mentions in the definition. */
  uses: number;
  /** Whether a let binds it. */
  isValue: boolean;
  /** The relations that are pending inside it: this range of the solver's `pending`. */
  from: number;
  to: number;
}

/** The findings of the phases about a node that is not in the table yet. */
export interface Entry {
  readonly node: Expr;
  /** A function literal that may get its most general type. */
  readonly literal: Literal | undefined;
  /** The innermost site around it; a site's own. */
  home: Scope | undefined;
  /** The type, which may have holes, if it is open until the entire definition is solved. */
  type: Type | undefined;
  binding: Binding | undefined;
  /** The node with types, if something was written into it. */
  made: Expr | undefined;
}

/** The action of a step: a node is completed, a known node recalled, or else a part entered. */
export const COMPLETE = -1;
export const RECALL = -2;

/** The way through a definition: the entry of a node and an action a step. */
export interface Steps {
  readonly entries: Entry[];
  /** {@link COMPLETE}, {@link RECALL}, or the part of a binder that comes next. */
  readonly actions: number[];
}

/** A function with another use besides is not generalized: it would have two types. */
export const isBoundSite = ({ literal }: Entry): boolean =>
  literal?.isValue === true && literal.uses === 1;

/** Whether a function is generalized on its own: a let binds it, or it declares type parameters. */
export const isSite = (entry: Entry): boolean =>
  entry.literal !== undefined && ((entry.node as Func).typeParams.length > 0 || isBoundSite(entry));

/** The level of holes that arise at a node; for a site, of those inside. */
export const levelOf = (entry: Entry | undefined): number =>
  entry?.home === undefined ? OUTERMOST_LEVEL : OUTERMOST_LEVEL + entry.home.depth;

export const newEntry = (node: Expr, literal?: Literal): Entry => ({
  node,
  literal,
  home: undefined,
  type: undefined,
  binding: undefined,
  made: undefined,
});
