/** Types of imported nodes, computed as they are made, so that errors are at the ONNX node. */
import {
  type Attrs,
  type Expr,
  isStaticDim,
  type OpTable,
  type RelationContext,
  type Type,
  tensorType,
  tupleType,
} from '@baton/ir';
import { meetDTypes, solvedContext } from '@baton/ops';

/** Reports the type error of a call. */
export type Report = (code: string, message: string, hint?: string) => undefined;

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

/**
 * An empty table of types. Imported expressions have no holes, so relations are plain functions
 * here and nothing needs solving.
 */
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
      const op = ops.get(name);
      const argTypes = args.map(typeOf).filter((type) => type !== undefined);
      if (op === undefined || argTypes.length < args.length) return undefined;
      return op.relation(argTypes, attrs, relationContext(args, report));
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

function relationContext(args: ReadonlyArray<Expr>, report: Report): RelationContext {
  return solvedContext({
    constant: (index) => {
      const arg = args[index];
      return arg?._tag === 'Constant' ? arg.data : undefined;
    },
    unify: (a, b) => {
      if (mayBeEqual(a, b)) return true;
      report('ONNX_TYPE', 'the types of the inputs do not match');
      return false;
    },
    fail: report,
  });
}

/** Whether two types may be equal. Holes come only from relations that leave something open. */
function mayBeEqual(a: Type, b: Type): boolean {
  if (a._tag === 'IncompleteType' || b._tag === 'IncompleteType') return true;
  if (a._tag !== 'TensorType' || b._tag !== 'TensorType') return a._tag === b._tag;
  if (meetDTypes(a.dtype, b.dtype) === undefined) return false;
  const [left, right] = [a.shape, b.shape];
  if ('_tag' in left || '_tag' in right) return true;
  return (
    left.length === right.length &&
    left.every((dim, axis) => {
      const other = right[axis] as typeof dim;
      return !isStaticDim(dim) || !isStaticDim(other) || dim === other;
    })
  );
}
