/**
 * The IR's knowledge of operators: a table given as a value. Facts that the IR itself does not need
 * (kernels, costs, gradients) are columns, which anyone may define.
 */
import { InvariantError, type Result } from '@baton/base';
import type { Tensor } from '@baton/tensor';
import type { Attrs, AttrValue } from '../types/attrs.ts';
import type { DTypeTerm, Type } from '../types/type.ts';

/**
 * A column of the operator table: one fact of type `T` for each operator that has it. Its identity
 * is its name: copies of the packages in one process, such as the file `batonjs` and a package
 * imported alone, read each other's tables. Prefix the names of your own columns with your package's name.
 */
export interface Column<in out T> {
  readonly _tag: 'Column';
  readonly name: string;
  /** Carries `T`; never read. */
  readonly witness?: (value: T) => T;
}

export const defineColumn = <T>(name: string): Column<T> => ({ _tag: 'Column', name });

export interface AttrField {
  readonly name: string;
  /** `undefined`: the attribute is required. */
  readonly defaultValue: AttrValue | undefined;
  /** Whether numbers of the attribute print with a float suffix. */
  readonly isFloat: boolean;
  readonly doc?: string;
  /** The values that it takes, in words: `a list of 2 or 4 ints`. */
  readonly expects?: string;
  /** Its values that can be listed, such as the names of dtypes. */
  readonly options?: ReadonlyArray<AttrValue>;
}

/** The attributes of an operator: names, defaults, and a codec that validates. */
export interface AttrsSchema {
  readonly fields: ReadonlyArray<AttrField>;
  /**
   * The complete record, in declared order, from the given attributes.
   *
   * **Errors** `ATTR_UNKNOWN`, `ATTR_MISSING`, `ATTR_TYPE`, without a span: the caller knows it.
   */
  readonly decode: (given: Attrs) => Result<Attrs>;
}

/**
 * The effect of evaluating an operator (decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15)).
 */
export type Effect = 'total' | 'partial' | 'stateful';

/** The context of a relation besides the types of the arguments. */
export interface RelationContext {
  /** The values of constant arguments, by position. */
  readonly constant: (argIndex: number) => Tensor | undefined;
  /** Makes two types equal, filling holes. `false` (after reporting) if that is impossible. */
  readonly unify: (a: Type, b: Type) => boolean;
  /** Makes two dtypes equal, resolving literals; every comparison of dtypes goes through it. */
  readonly unifyDTypes: (a: DTypeTerm, b: DTypeTerm) => DTypeTerm | undefined;
  /** `type` with every hole that is filled replaced, as deep as tensors and tuples go. */
  readonly resolve: (type: Type) => Type;
  /**
   * States that the result holds only under a condition that the known types do not decide, such as
   * the dtype of an argument whose type comes late: the relation runs again when more is known, and
   * the condition becomes a constraint if callers decide it.
   */
  readonly undecided: () => void;
  /** Reports that the relation does not hold. Returns `undefined`, for the caller to return. */
  readonly fail: (code: string, message: string, hint?: string) => undefined;
}

/**
 * The type relation of an operator as a function: the result's type, or `undefined` while the
 * arguments' types are too incomplete (it then runs again when more is known), or after
 * `context.fail`. It may fill holes of the arguments through `context.unify`, and give a result
 * before all its conditions are decided, with `context.undecided`.
 *
 * Monotone and idempotent ([types §3.2](https://batonjs.github.io/baton/spec/types#3.2)).
 */
export type Relation = (
  args: ReadonlyArray<Type>,
  attrs: Attrs,
  context: RelationContext,
) => Type | undefined;

export interface OpInput {
  readonly name: string;
  readonly doc?: string;
}

export interface OpInfo {
  readonly name: string;
  readonly doc: string;
  /** The source of the definition: a specification section, an ONNX opset, a paper. */
  readonly source: string;
  readonly inputs: ReadonlyArray<OpInput>;
  readonly attrs: AttrsSchema;
  readonly relation: Relation;
  /** The name of the registered relation for constraints. Default: the operator's name. */
  readonly relationName?: string;
  readonly effect: Effect;
  /** Whether it does not compute on values (`shape_of`, annotations), and costs nothing. */
  readonly nonComputational: boolean;
  /** The facts that its definition stated, by the names of their columns. */
  readonly facets: ReadonlyMap<string, unknown>;
}

/**
 * A type relation with a name of its own, for `where`
 * ([types §3.2](https://batonjs.github.io/baton/spec/types#3.2)).
 */
export interface RelationInfo {
  readonly name: string;
  readonly doc: string;
  /** Gets the inputs, and returns the type of the last argument, the output. */
  readonly relation: Relation;
  /** The number of inputs; any number by default. */
  readonly inputCount?: number;
}

/** The operators of a module, by name. Immutable: `with` makes another table. */
export interface OpTable {
  readonly relation: (name: string) => RelationInfo | undefined;
  readonly relationNames: ReadonlyArray<string>;
  /**
   * The table with one more relation.
   *
   * **Errors** throws an `InvariantError` if the name is taken.
   */
  readonly withRelation: (relation: RelationInfo) => OpTable;
  readonly get: (name: string) => OpInfo | undefined;
  /** In alphabetical order. */
  readonly names: ReadonlyArray<string>;
  /**
   * The table with one more operator.
   *
   * **Errors** throws an `InvariantError` if the name is taken.
   */
  readonly with: (op: OpInfo) => OpTable;
  /** The table with a column filled, or overridden, for the operators named. */
  readonly withColumn: <T>(column: Column<T>, facts: ReadonlyMap<string, T>) => OpTable;
  /** The fact of an operator in a column. */
  readonly read: <T>(column: Column<T>, name: string) => T | undefined;
}

/** A table of these operators, and of further relations. */
export function opTable(
  ops: ReadonlyArray<OpInfo>,
  relations: ReadonlyArray<RelationInfo> = [],
): OpTable {
  const byName = new Map<string, OpInfo>();
  for (const op of ops) {
    if (byName.has(op.name)) throw new InvariantError(`operator ${op.name} is defined twice`);
    byName.set(op.name, op);
  }
  const byRelation = new Map<string, RelationInfo>();
  for (const r of relations) {
    if (byRelation.has(r.name)) throw new InvariantError(`relation ${r.name} is defined twice`);
    byRelation.set(r.name, r);
  }
  return makeTable(byName, byRelation, new Map());
}

type Columns = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

function makeTable(
  ops: ReadonlyMap<string, OpInfo>,
  relations: ReadonlyMap<string, RelationInfo>,
  columns: Columns,
): OpTable {
  return {
    relation: (name) => relations.get(name),
    relationNames: [...relations.keys()].sort(),
    withRelation: (relation) => {
      const { name } = relation;
      if (relations.has(name)) throw new InvariantError(`relation ${name} is already defined`);
      return makeTable(ops, new Map([...relations, [name, relation]]), columns);
    },
    get: (name) => ops.get(name),
    names: [...ops.keys()].sort(),
    with: (op) => {
      if (ops.has(op.name)) throw new InvariantError(`operator ${op.name} is already defined`);
      return makeTable(new Map([...ops, [op.name, op]]), relations, columns);
    },
    withColumn: (column, facts) => {
      const filled = new Map([...(columns.get(column.name) ?? []), ...facts]);
      return makeTable(ops, relations, new Map([...columns, [column.name, filled]]));
    },
    read: <T>(column: Column<T>, name: string) => {
      const key = column.name;
      // A column's facts are stored only under the name of the column that carries their type.
      return (columns.get(key)?.get(name) ?? ops.get(name)?.facets.get(key)) as T | undefined;
    },
  };
}
