/** Types of imported nodes, computed as they are made, so that errors are at the ONNX node. */
import {
  type Attrs,
  anyDim,
  type Expr,
  isStaticDim,
  letIn,
  type OpTable,
  type Type,
  tensorType,
  tupleType,
  typeEqual,
  variable,
} from '@baton/ir';
import type { Tensor } from '@baton/tensor';
import { type Report, typeOfCall } from '../operator-api/call-type.ts';

/** The types of the expressions of one import. */
export interface ValueTypes {
  /** The type of an expression with typed parts. */
  readonly typeOf: (expr: Expr) => Type | undefined;
  readonly set: (expr: Expr, type: Type) => void;
  /** The type of an operator call; `undefined` after `report`, or if too little is known. */
  readonly ofCall: (
    name: string,
    args: ReadonlyArray<Expr>,
    attrs: Attrs,
    report: Report,
  ) => Type | undefined;
}

/** An empty table of types. */
export function makeValueTypes(ops: OpTable): ValueTypes {
  // The table lives as long as the import: a plain map costs half of a weak one.
  const types = new Map<Expr, Type>();
  const typeOf = (expr: Expr): Type | undefined => {
    const known = types.get(expr);
    if (known !== undefined) return known;
    const found = typeOfParts(expr, types);
    if (found !== undefined) types.set(expr, found);
    return found;
  };
  return {
    typeOf,
    set: (expr, type) => void types.set(expr, type),
    ofCall: (name, args, attrs, report) => {
      const known = args.map(typeOf).filter((type) => type !== undefined);
      if (known.length < args.length) return undefined;
      const constant = (index: number): Tensor | undefined => {
        const arg = args[index];
        return arg?._tag === 'Constant' ? arg.data : undefined;
      };
      return typeOfCall(ops, name, { types: known, constant }, attrs, report);
    },
  };
}

/** The type of an expression from the types of its parts, which were made before it. */
function typeOfParts(expr: Expr, types: ReadonlyMap<Expr, Type>): Type | undefined {
  switch (expr._tag) {
    case 'Tuple': {
      const fields = expr.fields
        .map((field) => types.get(field) ?? typeOfLeaf(field, types))
        .filter((type) => type !== undefined);
      return fields.length < expr.fields.length ? undefined : tupleType(fields);
    }
    default:
      return typeOfLeaf(expr, types);
  }
}

/** The type of an expression that takes one look-up: a field of a call has the call's. */
function typeOfLeaf(expr: Expr, types: ReadonlyMap<Expr, Type>): Type | undefined {
  switch (expr._tag) {
    case 'Constant':
      return tensorType(expr.data.shape, expr.data.dtype);
    case 'Var':
      return expr.typeAnnotation;
    case 'TupleGetItem': {
      const of = types.get(expr.tuple);
      return of?._tag === 'TupleType' ? of.fields[expr.index] : undefined;
    }
    default:
      return undefined;
  }
}

/** The value as one of a wider type. */
export function widened(types: ValueTypes, value: Expr, type: Type): Expr {
  const own = types.typeOf(value);
  if (own === undefined || typeEqual(own, type)) return value;
  const wide = variable('wide', type, value.span);
  const made = letIn(wide, value, wide, value.span);
  types.set(made, type);
  return made;
}

/** The value as one whose dimensions have no names. */
export function withoutNames(types: ValueTypes, value: Expr): Expr {
  const type = types.typeOf(value);
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return value;
  const dims = type.shape.map((dim) => (isStaticDim(dim) ? dim : anyDim));
  return widened(types, value, tensorType(dims, type.dtype));
}
