/**
 * First-order gradients: the forward and the backward graph in one function, without references.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { type Diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import {
  copyFunction,
  describeType,
  type Expr,
  type Func,
  func,
  type IRModule,
  isTotal,
  mapChildren,
  postOrderExprs,
  rewriteExpr,
  substitute,
  tuple,
  tupleType,
  typeOf,
  type Var,
} from '@baton/ir';
import { Backward } from './backward.ts';
import { badResult, notCovered } from './diagnostics.ts';
import { firstTensor } from './tensors.ts';

/**
 * The function that gives the value of `f` and the gradients of its parameters:
 *
 * ```
 * fn (%x) { sin(%x) }   =>   fn (%x) { (sin(%x), (ones_like(sin(%x)) * cos(%x),)) }
 * ```
 *
 * The result is one graph, in which the forward values are shared. `f` is a typed function of the
 * module whose body has tensors and tuples, calls of operators, and calls of function literals.
 *
 * **Errors** `GRADIENT_CONSTRUCT`, `GRADIENT_RESULT`, `GRADIENT_MISSING`, `GRADIENT_UNKNOWN_SIZE`.
 * **Complexity** linear in the nodes and their uses.
 */
export function firstOrderGradient(m: IRModule, f: Func): Result<Func> {
  const { params, body } = withoutLiteralCalls(f);
  const order = postOrderExprs([body]);
  const problems = order.flatMap((node) => problemOf(node));
  const [first, ...rest] = problems;
  if (first !== undefined) return fail(first, ...rest);
  const resultType = typeOf(m, body);
  const seeded = resultType && firstTensor(body, resultType);
  if (resultType === undefined || seeded === undefined) {
    const found = resultType === undefined ? 'another type' : describeType(resultType);
    return fail(badResult(found, f.span));
  }
  const back = new Backward(m, order, params);
  back.seed(body, resultType);
  const problem = back.run();
  if (problem !== undefined) return fail(...problem);
  const types = params.map((param) => typeOf(m, param));
  const gradients = params.map((param, i) => {
    const type = types[i];
    return type === undefined ? param : back.totalOf(param, type);
  });
  const known = types.filter((type) => type !== undefined);
  const isTyped = known.length === types.length;
  const made = func(params, tuple([body, tuple(gradients)]), {
    ...(isTyped ? { retType: tupleType([resultType, tupleType(known)]) } : {}),
    span: f.span,
  });
  return right(copyFunction(made));
}

/**
 * The gradient of a function that only computes tensors and tuples by operators without effects, and
 * binds them by `let`: as {@link firstOrderGradient} has it; `undefined` for another function.
 * **Complexity** linear in the nodes and their uses.
 */
export function straightLineGradient(m: IRModule, f: Func): Func | undefined {
  const isStraight = (node: Expr): boolean =>
    node._tag === 'Call' ? node.op._tag === 'Op' : NOT_COVERED[node._tag] === undefined;
  // The other mode refuses parameters that are no tensors.
  const isTensors = f.params.every((param) => typeOf(m, param)?._tag === 'TensorType');
  if (!isTensors || f.typeParams.length > 0) return undefined;
  const order = postOrderExprs([f.body]);
  if (!order.every((node) => node._tag === 'Let' || isStraight(node))) return undefined;
  if (!isTotal(m, f.body)) return undefined;
  const made = firstOrderGradient(m, withoutLets(f));
  return isLeft(made) ? undefined : made.right;
}

/**
 * The function with the values of variables in their place, and fields of tuples that are written out
 * in place of what reads them: no gradient flows into the other fields.
 */
function withoutLets(f: Func): Func {
  const bound = new Map<Var, Expr>();
  const resolved = (part: Expr): Expr => {
    let known = part;
    const path: number[] = [];
    for (let at: Expr | undefined = part; at !== undefined; ) {
      if (path.length === 0) known = at;
      if (at._tag === 'TupleGetItem') {
        path.push(at.index);
        at = at.tuple;
      } else if (at._tag === 'Tuple') at = at.fields[path.pop() ?? Number.NaN];
      else if (at._tag === 'Let') at = at.body;
      else at = at._tag === 'Var' ? bound.get(at) : undefined;
    }
    return known;
  };
  // Outer variables first: each value is resolved once.
  for (const node of [...postOrderExprs([f.body])].reverse()) {
    if (node._tag === 'Let') bound.set(node.variable, resolved(node.value));
  }
  const body = rewriteExpr(f.body, (node, get) =>
    node._tag === 'Let' ? get(resolved(node)) : mapChildren(node, (part) => get(resolved(part))),
  );
  return mapChildren(f, () => body) as Func;
}

/** The function with calls of literals replaced by their bodies. */
function withoutLiteralCalls(f: Func): Func {
  const body = rewriteExpr(f.body, (node, get) => {
    if (node._tag !== 'Call' || node.op._tag !== 'Function') return undefined;
    const literal = get(node.op);
    if (literal._tag !== 'Function') return undefined;
    const bindings = literal.params.map((param, i) => [param, get(node.args[i] ?? param)] as const);
    return substitute(literal.body, new Map(bindings));
  });
  return mapChildren(f, () => body) as Func;
}

const HIGHER = 'mode="higher_order" differentiates all constructs';

/** The constructs that only the other mode differentiates. */
const NOT_COVERED: { readonly [T in Expr['_tag']]?: string } = {
  GlobalVar: 'a global function',
  Constructor: 'a constructor',
  Function: 'a function literal that is not called',
  Let: 'a `let`',
  If: 'an `if`',
  Match: 'a `match`',
  RefCreate: 'a reference',
  RefRead: 'a read reference',
  RefWrite: 'a written reference',
};

function problemOf(node: Expr): ReadonlyArray<Diagnostic> {
  const callee = node._tag === 'Call' ? node.op._tag : 'Op';
  // Other callees are told themselves.
  const isOfValue = callee !== 'Op' && NOT_COVERED[callee] === undefined;
  const what = isOfValue ? 'a call of a value' : NOT_COVERED[node._tag];
  return what === undefined ? [] : [notCovered(`in first order ${what}`, HIGHER, node.span)];
}
