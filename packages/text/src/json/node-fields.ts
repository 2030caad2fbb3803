/** What the fields of nodes are in JSON, by what the grammar of expressions says that they are. */
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
import type { Index, JsonAttrs, JsonClause, JsonRelation, JsonTypeArg } from './data.ts';

/** What is written for the values of fields, and of their elements. */
export interface FieldRows {
  readonly span: (span: Span | undefined) => Index | undefined;
  readonly child: (expr: Expr) => Index;
  readonly clause: (clause: Clause) => JsonClause;
  readonly type: (type: Type | undefined) => Index | undefined;
  readonly typeBinder: (variable: TypeVar) => Index;
  readonly typeArg: (arg: TypeArg) => JsonTypeArg;
  readonly relation: (relation: TypeRelation) => JsonRelation;
  readonly attrs: (attrs: Attrs) => JsonAttrs;
  readonly tensor: (tensor: Tensor) => Index;
  /** The row of a definition that a node names. */
  readonly definition: (node: Constructor) => Index;
  /** What becomes of a node private to a pass. */
  readonly temporary: () => never;
}

type Read<Row, Value> = (row: Row, path: string) => Value;
type Indexes = ReadonlyArray<Index>;

/** What is read for the fields of rows; `path` is the place of the field in the data. */
export interface FieldValues {
  /** The place where a row comes from; `path` is the place of the row. */
  readonly span: Read<Index | undefined, Span | undefined>;
  readonly child: Read<Index, Expr>;
  readonly children: Read<Indexes, ReadonlyArray<Expr>>;
  readonly clauses: Read<ReadonlyArray<JsonClause>, ReadonlyArray<Clause>>;
  readonly binder: Read<Index, Var>;
  readonly binders: Read<Indexes, ReadonlyArray<Var>>;
  readonly type: Read<Index | undefined, Type | undefined>;
  readonly typeBinders: Read<Indexes, ReadonlyArray<TypeVar>>;
  readonly typeArgs: Read<ReadonlyArray<JsonTypeArg>, ReadonlyArray<TypeArg>>;
  readonly relations: Read<ReadonlyArray<JsonRelation>, ReadonlyArray<TypeRelation>>;
  readonly attrs: Read<JsonAttrs, Attrs>;
  readonly tensor: Read<Index, Tensor>;
  readonly definition: Read<Index, Constructor>;
  /** The attributes of a call of `op`; `path` is the place of the row. */
  readonly callAttrs: (row: JsonAttrs | undefined, op: Index, path: string) => Attrs | undefined;
}
