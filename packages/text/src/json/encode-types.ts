/** Types to rows. */
import { postOrder } from '@baton/base';
import {
  type Attrs,
  type Dim,
  type DimAtom,
  type DTypeTerm,
  dimLeaves,
  type Shape,
  type Type,
  type TypeArg,
  type TypeRelation,
  typeChildren,
} from '@baton/ir';
import type {
  JsonAtom,
  JsonAttrs,
  JsonDim,
  JsonDTypeTerm,
  JsonRelation,
  JsonShape,
  JsonType,
  JsonTypeArg,
} from './codecs.ts';
import { rowTable } from './rows.ts';

export interface TypeRows {
  readonly rows: ReadonlyArray<JsonType>;
  /** The row of a type, made if it has none. */
  readonly add: (type: Type) => number;
  readonly relation: (relation: TypeRelation) => JsonRelation;
  readonly arg: (arg: TypeArg) => JsonTypeArg;
}

/** No rows yet. `attrsOf` writes attributes. */
export function makeTypeTable(attrsOf: (attrs: Attrs) => JsonAttrs): TypeRows {
  const table = rowTable<Type, JsonType>();

  const add = (root: Type): number => {
    for (const type of postOrder(parts, [root], table.has)) table.add(type, row(type));
    return table.at(root);
  };

  const row = (type: Type): JsonType => {
    const tag = type._tag;
    switch (tag) {
      case 'TensorType':
        return { tag, shape: shapeOf(type.shape), dtype: dtypeOf(type.dtype) };
      case 'TupleType':
        return { tag, fields: type.fields.map(table.at) };
      case 'FuncType':
        return {
          tag,
          params: type.params.map(table.at),
          result: table.at(type.result),
          typeParams: type.typeParams.map(table.at),
          constraints: type.constraints.map(relation),
        };
      case 'TypeVar':
        return { tag, name: type.nameHint, kind: type.kind };
      case 'GlobalTypeVar':
        return { tag, name: type.nameHint };
      case 'TypeCall':
        return { tag, name: type.func.nameHint, args: type.args.map(arg) };
      case 'RefType':
        return { tag, value: table.at(type.value) };
      case 'IncompleteType':
        return { tag, kind: type.kind, literal: type.literal };
    }
  };

  const relation = (r: TypeRelation): JsonRelation => ({
    name: r.name,
    args: r.args.map(add),
    inputCount: r.inputCount,
    attrs: r.attrs && attrsOf(r.attrs),
  });

  const arg = ({ kind, value }: TypeArg): JsonTypeArg => {
    // The kind of an argument says what its value is.
    const write = { Type: add, Shape: shapeOf, BaseType: dtypeOf, ShapeVar: dimOf }[kind] as (
      value: unknown,
    ) => JsonTypeArg['value'];
    return { tag: kind, value: write(value) } as JsonTypeArg;
  };

  const shapeOf = (shape: Shape): JsonShape =>
    '_tag' in shape ? { variable: add(shape) } : shape.map(dimOf);

  const dtypeOf = (dtype: DTypeTerm): JsonDTypeTerm =>
    typeof dtype === 'string' ? dtype : { variable: add(dtype) };

  // Recursion is over divisions, whose nesting the text limits.
  const dimOf = (dim: Dim): JsonDim => {
    if (typeof dim === 'number') return dim;
    if (dim._tag === 'AnyDim') return '?';
    return {
      constant: dim.constant,
      terms: dim.terms.map(({ coefficient, atoms }) => ({
        coefficient,
        atoms: atoms.map(atomOf),
      })),
    };
  };

  const atomOf = (atom: DimAtom): JsonAtom =>
    atom._tag === 'DimQuotient'
      ? { numerator: dimOf(atom.numerator), denominator: dimOf(atom.denominator) }
      : { variable: add(atom) };

  return { rows: table.rows, add, relation, arg };
}

/** The types that a type's row refers to, variables included. */
function parts(type: Type): ReadonlyArray<Type> {
  switch (type._tag) {
    case 'TensorType':
      return [
        ...shapeVariables(type.shape),
        ...(typeof type.dtype === 'string' ? [] : [type.dtype]),
      ];
    case 'FuncType':
      return [...type.typeParams, ...typeChildren(type)];
    case 'TypeCall':
      return type.args.flatMap(argParts);
    default:
      return typeChildren(type);
  }
}

const shapeVariables = (shape: Shape): ReadonlyArray<Type> =>
  '_tag' in shape ? [shape] : shape.flatMap(dimLeaves);

function argParts(arg: TypeArg): ReadonlyArray<Type> {
  switch (arg.kind) {
    case 'Type':
      return [arg.value];
    case 'Shape':
      return shapeVariables(arg.value);
    case 'BaseType':
      return typeof arg.value === 'string' ? [] : [arg.value];
    case 'ShapeVar':
      return dimLeaves(arg.value);
  }
}
