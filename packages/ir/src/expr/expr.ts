/**
 * The expressions of Relay: [language §4](https://batonjs.github.io/baton/spec/language#4).
 * Immutable tagged unions; only the constructors in `construct.ts` build them. `a === b` means the
 * same node of the DAG.
 */
import type { Span } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import type { Attrs } from '../types/attrs.ts';
import type { GlobalTypeVar, Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';

interface Node {
  readonly span: Span | undefined;
  /** A structural hash, bottom-up, independent of the names of variables. */
  readonly hash: number;
}

/** A local variable. Its identity is the object; the name is a hint. */
export interface Var extends Node {
  readonly _tag: 'Var';
  readonly nameHint: string;
  readonly typeAnnotation: Type | undefined;
}

/** The name of a function of the module. */
export interface GlobalVar extends Node {
  readonly _tag: 'GlobalVar';
  readonly nameHint: string;
}

/** A tensor. `literal` marks a number without suffix, until inference assigns it a dtype. */
export interface Constant extends Node {
  readonly _tag: 'Constant';
  readonly data: Tensor;
  readonly literal: 'int' | 'float' | undefined;
}

/** A primitive operator by name; the module's operator table holds the facts. */
export interface OpRef extends Node {
  readonly _tag: 'Op';
  readonly name: string;
}

/** A constructor of an algebraic data type. `tag` is unique in the module. */
export interface Constructor extends Node {
  readonly _tag: 'Constructor';
  readonly nameHint: string;
  readonly inputs: ReadonlyArray<Type>;
  readonly belongTo: GlobalTypeVar;
  readonly tag: number;
}

export interface Tuple extends Node {
  readonly _tag: 'Tuple';
  readonly fields: ReadonlyArray<Expr>;
}

export interface TupleGetItem extends Node {
  readonly _tag: 'TupleGetItem';
  readonly tuple: Expr;
  readonly index: number;
}

export interface Func extends Node {
  readonly _tag: 'Function';
  readonly params: ReadonlyArray<Var>;
  readonly body: Expr;
  readonly retType: Type | undefined;
  readonly typeParams: ReadonlyArray<TypeVar>;
  readonly attrs: Attrs;
  readonly constraints: ReadonlyArray<TypeRelation>;
}

export interface Call extends Node {
  readonly _tag: 'Call';
  readonly op: Expr;
  readonly args: ReadonlyArray<Expr>;
  /** Complete for a call of an operator; other calls have some only with `attrsTypeKey`. */
  readonly attrs: Attrs | undefined;
  readonly attrsTypeKey: string | undefined;
  /** The written type arguments; inference's own choice is in the type table. */
  readonly typeArgs: ReadonlyArray<TypeArg>;
}

export interface Let extends Node {
  readonly _tag: 'Let';
  readonly variable: Var;
  readonly value: Expr;
  readonly body: Expr;
}

export interface If extends Node {
  readonly _tag: 'If';
  readonly cond: Expr;
  readonly trueBranch: Expr;
  readonly falseBranch: Expr;
}

export interface Match extends Node {
  readonly _tag: 'Match';
  readonly data: Expr;
  readonly clauses: ReadonlyArray<Clause>;
  /** `match` must cover every case; `match?` need not. */
  readonly complete: boolean;
}

/** One `pattern => body` of a match. */
export interface Clause {
  readonly pattern: Pattern;
  readonly body: Expr;
}

export interface RefCreate extends Node {
  readonly _tag: 'RefCreate';
  readonly value: Expr;
}

export interface RefRead extends Node {
  readonly _tag: 'RefRead';
  readonly ref: Expr;
}

export interface RefWrite extends Node {
  readonly _tag: 'RefWrite';
  readonly ref: Expr;
  readonly value: Expr;
}

/** A node private to a running pass; `realize` returns the ordinary expression. */
export interface TempExpr extends Node {
  readonly _tag: 'TempExpr';
  readonly payload: unknown;
  readonly realize: () => Expr;
}

export type Expr =
  | Var
  | GlobalVar
  | Constant
  | OpRef
  | Constructor
  | Tuple
  | TupleGetItem
  | Func
  | Call
  | Let
  | If
  | Match
  | RefCreate
  | RefRead
  | RefWrite
  | TempExpr;

/** `_`: matches everything. */
export interface PatternWildcard {
  readonly _tag: 'PatternWildcard';
  readonly span: Span | undefined;
}

/** `%x`: matches everything and binds it. */
export interface PatternVar {
  readonly _tag: 'PatternVar';
  readonly variable: Var;
  readonly span: Span | undefined;
}

/** `C(p1, .., pn)`. */
export interface PatternConstructor {
  readonly _tag: 'PatternConstructor';
  readonly ctor: Constructor;
  readonly patterns: ReadonlyArray<Pattern>;
  readonly span: Span | undefined;
}

/** `(p1, .., pn)`. */
export interface PatternTuple {
  readonly _tag: 'PatternTuple';
  readonly patterns: ReadonlyArray<Pattern>;
  readonly span: Span | undefined;
}

export type Pattern = PatternWildcard | PatternVar | PatternConstructor | PatternTuple;
