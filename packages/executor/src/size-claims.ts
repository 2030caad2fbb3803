/**
 * Size claims: the sizes in the type of a call, which its function may not keep.
 *
 * A function keeps its own stated result type. If `?` was taken for a size on the way to a call,
 * the type of the call states more, and the executor checks the result.
 */
import { memoFold } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  isAnyDim,
  type Type,
  type TypeArg,
  typeChildren,
  typeEqual,
  typeOf,
  type Var,
} from '@baton/ir';
import { sizeVariables, statesSizes } from './values/dimensions.ts';

/** The type of a node if it states sizes. */
export function statedBy(m: IRModule, node: Expr): Type | undefined {
  const type = typeOf(m, node);
  return type !== undefined && statesSizes(type) ? type : undefined;
}

/** Whether a value's own type states less about sizes than `wanted`. */
export function mayDiffer(m: IRModule, value: Expr, wanted: Type | undefined): wanted is Type {
  if (wanted === undefined || !statesSizes(wanted)) return false;
  const type = typeOf(m, value);
  return type === undefined || !typeEqual(type, wanted);
}

/** Whether the result of a function is checked when it returns, so that no call in it is its last step. */
export const endsInCheck = (func: Func, m: IRModule): boolean =>
  mayDiffer(m, func.body, func.retType);

export function calleeName(op: Expr): string {
  if (op._tag === 'GlobalVar') return `@${op.nameHint}`;
  return op._tag === 'Var' ? `%${op.nameHint}` : 'a call';
}

export function resultName(func: Func, m: IRModule): string {
  for (const [name, other] of m.functions) if (other === func) return `the result of @${name}`;
  return 'the result';
}

/** The check of the executor at a call. */
export interface SizeClaim {
  readonly type: Type;
  /** Whether a function with exactly this result type can be trusted. */
  readonly mayBeKept: boolean;
}

/** The type of a call, if it states sizes that its function may not keep. */
export function sizeClaimOf(
  node: Call,
  m: IRModule,
  functionOf: (variable: Var) => Func | undefined,
): SizeClaim | undefined {
  const type = typeOf(m, node);
  if (type === undefined || !statesSizes(type) || isKept(node, m, functionOf)) return undefined;
  // The same name may stand for different sizes in two activations of the function that has it.
  return { type, mayBeKept: sizeVariables(type).length === 0 };
}

export const statesResult = (func: Func | undefined, type: Type): boolean =>
  func?.retType !== undefined && typeEqual(func.retType, type);

/**
 * Whether the called function is known, and its own result type says as much as the type of the
 * call: it has no type parameters, or their arguments have no `?` that could be taken for a size.
 */
function isKept(
  { op, args }: Call,
  m: IRModule,
  functionOf: (variable: Var) => Func | undefined,
): boolean {
  const func = calleeOf(op, m, functionOf);
  if (func === undefined) return false;
  if (op._tag === 'Var' && !hasTypeOf(op, func, m)) return false;
  return func.typeParams.length === 0 || args.every((arg) => !mentionsAny(typeOf(m, arg)));
}

function calleeOf(
  op: Call['op'],
  m: IRModule,
  functionOf: (variable: Var) => Func | undefined,
): Func | undefined {
  if (op._tag === 'GlobalVar') return m.functions.get(op.nameHint);
  if (op._tag === 'Function') return op;
  return op._tag === 'Var' ? functionOf(op) : undefined;
}

/** An annotation of a let may differ from the function's own type. */
function hasTypeOf({ typeAnnotation }: Var, func: Func, m: IRModule): boolean {
  const type = typeOf(m, func);
  return typeAnnotation !== undefined && type !== undefined && typeEqual(typeAnnotation, type);
}

/** Whether a type has a `?` anywhere. */
const hasAny: (type: Type) => boolean = memoFold<Type, boolean>(typeChildren, (type, get) => {
  if (type._tag === 'TensorType') return !('_tag' in type.shape) && type.shape.some(isAnyDim);
  if (type._tag === 'TypeCall' && type.args.some(isAnyArgument)) return true;
  return typeChildren(type).some(get);
});

function isAnyArgument(arg: TypeArg): boolean {
  if (arg.kind === 'ShapeVar') return isAnyDim(arg.value);
  return arg.kind === 'Shape' && !('_tag' in arg.value) && arg.value.some(isAnyDim);
}

const mentionsAny = (type: Type | undefined): boolean => type === undefined || hasAny(type);
