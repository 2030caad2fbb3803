/** The JSON of the fields of nodes, by their roles in the grammar of expressions. */
import type { Span } from '@baton/base';
import type {
  Attrs,
  Clause,
  Constructor,
  Expr,
  Type,
  TypeArg,
  TypeRelation,
  TypeVar,
  Var,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import type { JsonAttrs, JsonClause, JsonRelation, JsonTypeArg } from './codecs.ts';

/** Writers for the values of fields, and of their elements. */
export interface FieldRows {
  readonly span: (span: Span | undefined) => number | undefined;
  readonly child: (expr: Expr) => number;
  readonly clause: (clause: Clause) => JsonClause;
  readonly type: (type: Type | undefined) => number | undefined;
  readonly typeBinder: (variable: TypeVar) => number;
  readonly typeArg: (arg: TypeArg) => JsonTypeArg;
  readonly relation: (relation: TypeRelation) => JsonRelation;
  readonly attrs: (attrs: Attrs) => JsonAttrs;
  readonly tensor: (tensor: Tensor) => number;
  /** The row of a definition that a node names. */
  readonly definition: (node: Constructor) => number;
  /** Refuses a node private to a pass. */
  readonly temporary: () => never;
}

type Read<Row, Value> = (row: Row, path: string) => Value;
type Indexes = ReadonlyArray<number>;

/** Readers for the fields of rows; `path` is the path of the field in the data. */
export interface FieldValues {
  /** The origin of a row; `path` is the path of the row. */
  readonly span: Read<number | undefined, Span | undefined>;
  readonly child: Read<number, Expr>;
  readonly children: Read<Indexes, ReadonlyArray<Expr>>;
  readonly clauses: Read<ReadonlyArray<JsonClause>, ReadonlyArray<Clause>>;
  readonly binder: Read<number, Var>;
  readonly binders: Read<Indexes, ReadonlyArray<Var>>;
  readonly type: Read<number | undefined, Type | undefined>;
  readonly typeBinders: Read<Indexes, ReadonlyArray<TypeVar>>;
  readonly typeArgs: Read<ReadonlyArray<JsonTypeArg>, ReadonlyArray<TypeArg>>;
  readonly relations: Read<ReadonlyArray<JsonRelation>, ReadonlyArray<TypeRelation>>;
  readonly attrs: Read<JsonAttrs, Attrs>;
  readonly tensor: Read<number, Tensor>;
  readonly definition: Read<number, Constructor>;
  /** The attributes of a call of `op`; `path` is the path of the row. */
  readonly callAttrs: (row: JsonAttrs | undefined, op: number, path: string) => Attrs | undefined;
}
