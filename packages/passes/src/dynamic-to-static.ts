/**
 * DynamicToStatic: operators whose operands turn out to be constant take them as attributes.
 * [passes §22](https://batonjs.github.io/baton/spec/passes#22).
 */
import { type Budget, foldDag, isLeft, isRight, memoFold, remember } from '@baton/base';
import {
  call,
  type Expr,
  type Func,
  func,
  type IRModule,
  isAnyDim,
  isStateful,
  mapParts,
  opRef,
  type Type,
  tupleType,
  typeChildren,
  typeOf,
  unifyTypes,
  type Var,
  variable,
} from '@baton/ir';
import {
  byteCount,
  dimsOf,
  evaluateCall,
  foldableColumn,
  isOpCall,
  isWorthStoring,
  type OpCall,
  type OpValue,
  operandOf,
  staticFormColumn,
  staticParts,
  staticTensor,
  typeOfValue,
} from '@baton/ops';
import {
  inferType,
  isDecidedByCallers,
  operatorCounter,
  type Pass,
  refined,
  rewriteFunc,
  rewritingPass,
  visibleIn,
  withTypeOf,
} from '@baton/pass-manager';
import { isTensor, splat } from '@baton/tensor';
import { operatorCounters } from './operator-counters.ts';

/**
 * Replaces calls of operators that take shapes, sizes or bounds as operands by their static forms,
 * if the values of these are known:
 *
 * ```
 * dyn.reshape(%x, shape_of(%y))   =>   reshape(%x, newshape=[2, 5])         (%y of shape (2, 5))
 * ```
 *
 * A value is known if it is computed from constants and from shapes; one result with a known shape
 * may give the next one. A call that the static operator would refuse stays: `strided_slice` has no
 * empty results, for one.
 *
 * **Complexity** linear in the function, plus the kernels that compute shapes.
 */
export const dynamicToStatic: Pass = rewritingPass({
  name: 'DynamicToStatic',
  doc: 'Turns constant operands, such as shapes, into attributes.',
  subject: 'sizes',
  level: 2,
  requires: [inferType],
  operatorCounters: operatorCounters(staticFormColumn),
  isIdempotent: true,
  run: (f, m, context) =>
    refined(f, m, context.count, (mustKeep, count) => {
      // What may show no more than before keeps its type.
      const unlessKept = <E extends Expr>(was: E, made: E): E =>
        made !== was && mustKeep(was, made) ? was : made;
      const bound = new Map<Var, Expr>();
      const { order, captured } = visibleIn(f.body, m);
      for (const node of order) if (node._tag === 'Let') bound.set(node.variable, node.value);
      const results = new Map<Expr, Expr>();
      const boundTo = (variable: Var): Expr | undefined => {
        const value = bound.get(variable);
        return value && results.get(value);
      };
      const valueAt = knownValues(m, boundTo, context.budget);
      const vars = new Map<Var, Var>();
      const binder = (was: Var): Var =>
        remember(vars, was, () =>
          captured.has(was) ? was : unlessKept(was, narrowedVar(m, was, boundTo(was))),
        );
      const step = (node: Expr, get: (node: Expr) => Expr): Expr => {
        if (node._tag === 'Var') return binder(node);
        const mapped = mapParts(node, { child: get, binder });
        if (mapped._tag === 'Function') return unlessKept(mapped, withResultType(m, mapped));
        const made = staticCall(m, node, get, valueAt);
        if (made === undefined || !isOpCall(node)) return mapped;
        count(operatorCounter(node.op.name));
        return mustKeep(node, made) ? withTypeOf(m, node, made) : made;
      };
      const rewritten = rewriteFunc(f, m, (node, get) => {
        const result = step(node, get);
        results.set(node, result);
        return result;
      });
      return unlessKept(rewritten, withResultType(m, rewritten));
    }),
});

/** A let's variable with the type of its value now; itself for a recursive function. */
function narrowedVar(m: IRModule, was: Var, value: Expr | undefined): Var {
  const type = value && narrower(m, was.typeAnnotation, value);
  return type === undefined ? was : variable(was.nameHint, type, was.span);
}

/** The function with the type that its body has by now. */
function withResultType(m: IRModule, f: Func): Func {
  const retType = narrower(m, f.retType, f.body);
  return retType === undefined ? f : func(f.params, f.body, { ...f, retType });
}

/** The written type of an expression with the sizes that are known by now; `undefined` if none is. */
function narrower(m: IRModule, written: Type | undefined, expr: Expr): Type | undefined {
  const type = typeOf(m, expr);
  if (written?._tag !== 'TupleType' || type?._tag !== 'TupleType') {
    return written && type && narrowerType(written, type);
  }
  const fields = type.fields.map((field, i) => narrowerType(written.fields[i] as Type, field));
  const isSame = fields.every((field) => field === undefined);
  return isSame ? undefined : tupleType(fields.map((t, i) => t ?? (written.fields[i] as Type)));
}

/** The type, if all its sizes are known, and not in the one that is written. */
function narrowerType(written: Type, type: Type): Type | undefined {
  const isOpen = hasOpenSize(written) && !hasOpenSize(type);
  return isOpen && isRight(unifyTypes(written, type)) ? type : undefined;
}

const hasOpenSize = foldDag<Type, boolean>(
  typeChildren,
  (type, get) =>
    (type._tag === 'TensorType' && (dimsOf(type) ?? []).some(isAnyDim)) ||
    typeChildren(type).some(get),
);

/** The call's static form, if the values of its operands are known and may be dropped. */
function staticCall(
  m: IRModule,
  node: Expr,
  get: (node: Expr) => Expr,
  valueAt: (expr: Expr) => OpValue | undefined,
): Expr | undefined {
  if (!isOpCall(node) || isDecidedByCallers(m, node)) return undefined;
  const form = m.ops.read(staticFormColumn, node.op.name);
  const [op, to] = [m.ops.get(node.op.name), form && m.ops.get(form.name)];
  if (form === undefined || op === undefined || to === undefined) return undefined;
  const parts = staticParts(op, form, to, node.attrs, (index) => {
    const operand = get(operandOf(node, index));
    const value = isStateful(m, operand) ? undefined : valueAt(operand);
    return value !== undefined && isTensor(value) ? value : undefined;
  });
  if (parts === undefined || isLeft(parts)) return undefined;
  const { args, attrs } = parts.right;
  const kept = args.map((index) => get(operandOf(node, index)));
  const made = call(opRef(form.name, node.op.span), kept, { attrs, span: node.span });
  return typeOf(m, made) === undefined ? undefined : made;
}

/** The values of expressions that are made of constants and of shapes. */
function knownValues(
  m: IRModule,
  boundTo: (variable: Var) => Expr | undefined,
  budget: Budget,
): (expr: Expr) => OpValue | undefined {
  const isByType = (expr: OpCall): boolean =>
    m.ops.read(foldableColumn, expr.op.name) === 'by type';
  const partsOf = (expr: Expr): ReadonlyArray<Expr> => {
    switch (expr._tag) {
      case 'Var': {
        const value = boundTo(expr);
        return value === undefined ? [] : [value];
      }
      case 'Tuple':
        return expr.fields;
      case 'TupleGetItem':
        return [expr.tuple];
      case 'Call':
        return isOpCall(expr) && !isByType(expr) ? expr.args : [];
      default:
        return [];
    }
  };
  return memoFold<Expr, OpValue | undefined>(partsOf, (expr, get) => {
    switch (expr._tag) {
      case 'Constant':
        return expr.literal === undefined ? expr.data : undefined;
      case 'Var':
        return partsOf(expr).map(get)[0];
      case 'Tuple':
        return allKnown(expr.fields.map(get));
      case 'TupleGetItem': {
        const fields = get(expr.tuple);
        return fields === undefined || isTensor(fields) ? undefined : fields[expr.index];
      }
      case 'Call':
        if (!isOpCall(expr)) return undefined;
        return isByType(expr)
          ? valueByType(m, expr)
          : valueOfCall(m, expr, allKnown(expr.args.map(get)), budget);
      default:
        return undefined;
    }
  });
}

function allKnown(values: ReadonlyArray<OpValue | undefined>): ReadonlyArray<OpValue> | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}

/** The value of a call on known values, unless it is larger than programs store. */
function valueOfCall(
  m: IRModule,
  node: OpCall,
  values: ReadonlyArray<OpValue> | undefined,
  budget: Budget,
): OpValue | undefined {
  const isTotal = m.ops.get(node.op.name)?.effect === 'total';
  if (values === undefined || !isTotal) return undefined;
  const type = typeOf(m, node);
  if (type === undefined || !isWorthStoring(type, values.map(typeOfValue))) return undefined;
  if (!budget.take('bytes', byteCount(type))) return undefined;
  const value = evaluateCall(m.ops, node, values);
  return isLeft(value) ? undefined : value.right;
}

/** The value of a call such as `shape_of(e)`, which depends only on the type of `e`. */
function valueByType(m: IRModule, node: OpCall): OpValue | undefined {
  const type = typeOf(m, operandOf(node, 0));
  const tensor = type && staticTensor(type);
  if (tensor === undefined) return undefined;
  const value = evaluateCall(m.ops, node, [splat(tensor.shape, tensor.dtype, 0)]);
  return isLeft(value) ? undefined : value.right;
}
