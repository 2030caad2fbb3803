/**
 * The grammar of expressions as data: a row for each kind of node, with its fields and its
 * constructor. `pnpm gen` writes from it the code for all kinds (access, copies, comparison, JSON);
 * a missing kind or field does not compile.
 */
import type { Tensor } from '@baton/tensor';
import type { Attrs } from '../types/attrs.ts';
import type { TypeParts } from '../types/parts.ts';
import type { GlobalTypeVar, Type, TypeArg, TypeRelation } from '../types/type.ts';
import type { TypeVar } from '../types/variable.ts';
import type { Clause, Expr, Var } from './expr.ts';

/** The roles of fields, and their values. */
export interface FieldRoles {
  /** An expression below the node. Children are evaluated in the order of the fields. */
  readonly child: Expr;
  /** A child that is evaluated after all others. */
  readonly callee: Expr;
  readonly children: ReadonlyArray<Expr>;
  /** Patterns, which bind variables, each with a child. */
  readonly clauses: ReadonlyArray<Clause>;
  /** A variable that the node binds. */
  readonly binder: Var;
  readonly binders: ReadonlyArray<Var>;
  readonly typeBinders: ReadonlyArray<TypeVar>;
  readonly type: Type | undefined;
  readonly typeArgs: ReadonlyArray<TypeArg>;
  readonly relations: ReadonlyArray<TypeRelation>;
  readonly attrs: Attrs;
  /** Attributes of a called operator, some of which may be left out. */
  readonly callAttrs: Attrs | undefined;
  readonly tensor: Tensor;
  /** A name, a number or a flag that distinguishes nodes. */
  readonly leaf: string | number | boolean | undefined;
  /** A text for readers, which equality ignores. */
  readonly hint: string | undefined;
  /** A part of the definition that the node's name refers to. */
  readonly definition: ReadonlyArray<Type> | GlobalTypeVar | number;
  /** Data of the running pass. */
  readonly private: unknown;
}

export type FieldRole = keyof FieldRoles;

/**
 * The sort of a node: a `variable` is known by its object; a `value` is known by its content, so
 * that text does not show whether it is shared; a `compound` has children; a `temporary` must be
 * gone when a pass returns.
 */
export type NodeSort = 'variable' | 'value' | 'compound' | 'temporary';

type Tag = Expr['_tag'];
type Node<T extends Tag> = Extract<Expr, { readonly _tag: T }>;

type FieldName<T extends Tag> = keyof Omit<Node<T>, '_tag' | 'span' | 'hash'>;

/** Roles whose values may be narrower than the role allows; all others match exactly. */
type Loose = 'leaf' | 'hint' | 'definition' | 'private';

type RoleOf<Value> = {
  [Role in FieldRole]: [Value] extends [FieldRoles[Role]]
    ? Role extends Loose
      ? Role
      : [FieldRoles[Role]] extends [Value]
        ? Role
        : never
    : never;
}[FieldRole];

export interface NodeKind<T extends Tag> {
  readonly type?: string;
  readonly doc: string;
  readonly sort: NodeSort;
  readonly fields: {
    readonly [Field in FieldName<T>]: RoleOf<Node<T>[Field]>;
  };
  /** The constructor and its fields; `...` is a record of all others. */
  readonly make: readonly [string, ...(FieldName<T> | 'span' | '...')[]];
}

/** The replacements of a node's parts; parts without one stay. */
export interface ExprParts {
  readonly child: (child: Expr) => Expr;
  readonly binder?: (variable: Var) => Var;
  readonly typeBinder?: (variable: TypeVar) => TypeVar;
  readonly types?: TypeParts;
  readonly callAttrs?: (attrs: Attrs) => Attrs;
  readonly tensor?: (tensor: Tensor) => Tensor;
  /** Whether a new node is made even from the same parts. */
  readonly isCopy?: boolean;
}

/** Every kind of expression. Fields are written in this order. */
export const exprGrammar: { readonly [T in Tag]: NodeKind<T> } = {
  Var: {
    doc: 'A new local variable, different from every other.',
    sort: 'variable',
    fields: { nameHint: 'hint', typeAnnotation: 'type' },
    make: ['variable', 'nameHint', 'typeAnnotation', 'span'],
  },
  GlobalVar: {
    doc: '`@name`.',
    sort: 'value',
    fields: { nameHint: 'leaf' },
    make: ['globalVar', 'nameHint', 'span'],
  },
  Constant: {
    doc: 'A tensor as an expression.',
    sort: 'value',
    fields: { data: 'tensor', literal: 'hint' },
    make: ['constant', 'data', 'span', 'literal'],
  },
  Op: {
    type: 'OpRef',
    doc: 'A primitive operator.',
    sort: 'value',
    fields: { name: 'leaf' },
    make: ['opRef', 'name', 'span'],
  },
  Constructor: {
    doc: 'A constructor of the algebraic data type `belongTo`.',
    sort: 'value',
    fields: {
      nameHint: 'leaf',
      inputs: 'definition',
      belongTo: 'definition',
      tag: 'definition',
    },
    make: ['adtConstructor', 'nameHint', 'inputs', 'belongTo', 'tag', 'span'],
  },
  Tuple: {
    doc: '`(e1, .., en)`.',
    sort: 'compound',
    fields: { fields: 'children' },
    make: ['tuple', 'fields', 'span'],
  },
  TupleGetItem: {
    doc: '`tuple.index`.',
    sort: 'compound',
    fields: { tuple: 'child', index: 'leaf' },
    make: ['tupleGetItem', 'tuple', 'index', 'span'],
  },
  Function: {
    type: 'Func',
    doc: '`fn (params) { body }`.',
    sort: 'compound',
    fields: {
      params: 'binders',
      body: 'child',
      retType: 'type',
      typeParams: 'typeBinders',
      attrs: 'attrs',
      constraints: 'relations',
    },
    make: ['func', 'params', 'body', '...'],
  },
  Call: {
    doc: "`op(args)`. An operator's attributes must be complete: its table entry fills the defaults.",
    sort: 'compound',
    fields: {
      op: 'callee',
      args: 'children',
      attrs: 'callAttrs',
      attrsTypeKey: 'leaf',
      typeArgs: 'typeArgs',
    },
    make: ['call', 'op', 'args', '...'],
  },
  Let: {
    doc: '`let variable = value; body`.',
    sort: 'compound',
    fields: { variable: 'binder', value: 'child', body: 'child' },
    make: ['letIn', 'variable', 'value', 'body', 'span'],
  },
  If: {
    doc: '`if (cond) { trueBranch } else { falseBranch }`.',
    sort: 'compound',
    fields: { cond: 'child', trueBranch: 'child', falseBranch: 'child' },
    make: ['ifElse', 'cond', 'trueBranch', 'falseBranch', 'span'],
  },
  Match: {
    doc: '`match (data) { clauses }`.',
    sort: 'compound',
    fields: { data: 'child', clauses: 'clauses', complete: 'leaf' },
    make: ['match', 'data', 'clauses', 'complete', 'span'],
  },
  RefCreate: {
    doc: '`ref(value)`.',
    sort: 'compound',
    fields: { value: 'child' },
    make: ['refCreate', 'value', 'span'],
  },
  RefRead: {
    doc: '`ref_read(ref)`.',
    sort: 'compound',
    fields: { ref: 'child' },
    make: ['refRead', 'ref', 'span'],
  },
  RefWrite: {
    doc: '`ref_write(ref, value)`.',
    sort: 'compound',
    fields: { ref: 'child', value: 'child' },
    make: ['refWrite', 'ref', 'value', 'span'],
  },
  TempExpr: {
    doc: 'A node private to a running pass.',
    sort: 'temporary',
    fields: { payload: 'private', realize: 'private' },
    make: ['tempExpr', 'payload', 'realize', 'span'],
  },
};
