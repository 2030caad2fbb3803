/**
 * First-order gradients: the forward and the backward graph in one function, without references.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import { type Diagnostic, fail, type Result, right } from '@baton/base';
import {
  copyFunction,
  describeType,
  type Expr,
  type Func,
  func,
  type IRModule,
  mapChildren,
  postOrderExprs,
  rewriteExpr,
  substitute,
  tuple,
  tupleType,
  typeOf,
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

/** The function with the bodies of literals in place of their calls. */
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
