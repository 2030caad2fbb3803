/** The constructors of expressions: the only code that builds a node. Each writes every field. */
import { hashText, mixHash, type Span } from '@baton/base';
import { hashTensor, type Tensor } from '@baton/tensor';
import { type Attrs, hashAttrs, noAttrs } from '../types/attrs.ts';
import type { GlobalTypeVar, Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';
import type {
  Call,
  Clause,
  Constant,
  Constructor,
  Expr,
  Func,
  GlobalVar,
  If,
  Let,
  Match,
  OpRef,
  Pattern,
  RefCreate,
  RefRead,
  RefWrite,
  TempExpr,
  Tuple,
  TupleGetItem,
  Var,
} from './expr.ts';

const VAR = 0x10f1;
const GLOBAL = 0x20f3;
const CONSTANT = 0x30f5;
const OP = 0x40f7;
const CONSTRUCTOR = 0x50f9;
const TUPLE = 0x60fb;
const PROJECTION = 0x70fd;
const FUNCTION = 0x80ff;
const CALL = 0x9101;
const LET = 0xa103;
const IF = 0xb105;
const MATCH = 0xc107;
const REF_CREATE = 0xd109;
const REF_READ = 0xe10b;
const REF_WRITE = 0xf10d;
const TEMP = 0x110f;

const hashExprs = (seed: number, exprs: ReadonlyArray<Expr>): number => {
  let hash = mixHash(seed, exprs.length);
  for (const expr of exprs) hash = mixHash(hash, expr.hash);
  return hash;
};

/** A new local variable, different from every other. */
export const variable = (nameHint: string, typeAnnotation?: Type, span?: Span): Var => ({
  _tag: 'Var',
  nameHint,
  typeAnnotation,
  span,
  hash: VAR,
});

/** `@name`. */
export const globalVar = (nameHint: string, span?: Span): GlobalVar => ({
  _tag: 'GlobalVar',
  nameHint,
  span,
  hash: mixHash(GLOBAL, hashText(nameHint)),
});

/** A tensor as an expression. */
export const constant = (data: Tensor, span?: Span, literal?: 'int' | 'float'): Constant => ({
  _tag: 'Constant',
  data,
  literal,
  span,
  hash: mixHash(CONSTANT, hashTensor(data)),
});

/** A primitive operator. */
export const opRef = (name: string, span?: Span): OpRef => ({
  _tag: 'Op',
  name,
  span,
  hash: mixHash(OP, hashText(name)),
});

/** A constructor of the algebraic data type `belongTo`. */
export const adtConstructor = (
  nameHint: string,
  inputs: ReadonlyArray<Type>,
  belongTo: GlobalTypeVar,
  tag: number,
  span?: Span,
): Constructor => ({
  _tag: 'Constructor',
  nameHint,
  inputs,
  belongTo,
  tag,
  span,
  hash: mixHash(CONSTRUCTOR, hashText(nameHint)),
});

/** `(e1, .., en)`. */
export const tuple = (fields: ReadonlyArray<Expr>, span?: Span): Tuple => ({
  _tag: 'Tuple',
  fields,
  span,
  hash: hashExprs(TUPLE, fields),
});

/** `tuple.index`. */
export const tupleGetItem = (of: Expr, index: number, span?: Span): TupleGetItem => ({
  _tag: 'TupleGetItem',
  tuple: of,
  index,
  span,
  hash: mixHash(mixHash(PROJECTION, of.hash), index),
});

/** The optional parts of a function. */
export interface FuncParts {
  readonly retType?: Type | undefined;
  readonly typeParams?: ReadonlyArray<TypeVar>;
  readonly attrs?: Attrs;
  readonly constraints?: ReadonlyArray<TypeRelation>;
  readonly span?: Span | undefined;
}

/** `fn (params) { body }`. */
export const func = (params: ReadonlyArray<Var>, body: Expr, parts: FuncParts = {}): Func => {
  const attrs = parts.attrs ?? noAttrs;
  return {
    _tag: 'Function',
    params,
    body,
    retType: parts.retType,
    typeParams: parts.typeParams ?? [],
    attrs,
    constraints: parts.constraints ?? [],
    span: parts.span,
    hash: mixHash(mixHash(mixHash(FUNCTION, params.length), body.hash), hashAttrs(attrs)),
  };
};

/** The optional parts of a call. */
export interface CallParts {
  readonly attrs?: Attrs | undefined;
  readonly attrsTypeKey?: string | undefined;
  readonly typeArgs?: ReadonlyArray<TypeArg>;
  readonly span?: Span | undefined;
}

const noTypeArgs: ReadonlyArray<TypeArg> = [];

/** `op(args)`. An operator's attributes must be complete: its table entry fills the defaults. */
export const call = (op: Expr, args: ReadonlyArray<Expr>, parts: CallParts = {}): Call => ({
  _tag: 'Call',
  op,
  args,
  attrs: parts.attrs,
  attrsTypeKey: parts.attrsTypeKey,
  typeArgs: parts.typeArgs ?? noTypeArgs,
  span: parts.span,
  hash: mixHash(
    hashExprs(mixHash(CALL, op.hash), args),
    parts.attrs === undefined ? 0 : hashAttrs(parts.attrs),
  ),
});

/** `let variable = value; body`. */
export const letIn = (binder: Var, value: Expr, body: Expr, span?: Span): Let => ({
  _tag: 'Let',
  variable: binder,
  value,
  body,
  span,
  hash: mixHash(mixHash(LET, value.hash), body.hash),
});

/** `if (cond) { trueBranch } else { falseBranch }`. */
export const ifElse = (cond: Expr, trueBranch: Expr, falseBranch: Expr, span?: Span): If => ({
  _tag: 'If',
  cond,
  trueBranch,
  falseBranch,
  span,
  hash: hashExprs(IF, [cond, trueBranch, falseBranch]),
});

/** `match (data) { clauses }`. */
export const match = (
  data: Expr,
  clauses: ReadonlyArray<Clause>,
  complete: boolean,
  span?: Span,
): Match => ({
  _tag: 'Match',
  data,
  clauses,
  complete,
  span,
  hash: hashExprs(
    mixHash(MATCH, data.hash),
    clauses.map((c) => c.body),
  ),
});

/** `pattern => body`. */
export const clause = (pattern: Pattern, body: Expr): Clause => ({ pattern, body });

/** `ref(value)`. */
export const refCreate = (value: Expr, span?: Span): RefCreate => ({
  _tag: 'RefCreate',
  value,
  span,
  hash: mixHash(REF_CREATE, value.hash),
});

/** `ref_read(ref)`. */
export const refRead = (ref: Expr, span?: Span): RefRead => ({
  _tag: 'RefRead',
  ref,
  span,
  hash: mixHash(REF_READ, ref.hash),
});

/** `ref_write(ref, value)`. */
export const refWrite = (ref: Expr, value: Expr, span?: Span): RefWrite => ({
  _tag: 'RefWrite',
  ref,
  value,
  span,
  hash: mixHash(mixHash(REF_WRITE, ref.hash), value.hash),
});

/** A node private to a running pass. */
export const tempExpr = (payload: unknown, realize: () => Expr, span?: Span): TempExpr => ({
  _tag: 'TempExpr',
  payload,
  realize,
  span,
  hash: TEMP,
});
