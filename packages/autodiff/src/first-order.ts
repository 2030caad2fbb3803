/**
 * First-order gradients: the backward graph beside the forward one, without references.
 * [passes §14](https://batonjs.github.io/baton/spec/passes#14).
 */
import {
  type Diagnostic,
  fail,
  invariant,
  isLeft,
  type Result,
  remember,
  right,
} from '@baton/base';
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
  type Type,
  tuple,
  tupleType,
  typeOf,
} from '@baton/ir';
import { callOp, fieldOf, gradientsOf, hasFloats, isOpCall, type OpCall } from '@baton/ops';
import { badResult, notCovered } from './diagnostics.ts';
import { spelledOut } from './formulas.ts';
import { firstTensor, sumOf, zerosOf } from './tensors.ts';

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
  const spelled = spelledOut(m, withoutLiteralCalls(f));
  if (isLeft(spelled)) return spelled;
  const { params, body } = spelled.right;
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

/** The contributions to the gradient of one node: of its type, or of a field of it. */
interface Contributions {
  readonly whole: Expr[];
  readonly fields: Map<number, Expr[]>;
}

/** The sweep from the result to the parameters. */
class Backward {
  readonly #m: IRModule;
  readonly #order: ReadonlyArray<Expr>;
  /** The nodes that depend on a parameter and hold floats. */
  readonly #active = new Set<Expr>();
  readonly #found = new Map<Expr, Contributions>();

  constructor(m: IRModule, order: ReadonlyArray<Expr>, params: ReadonlyArray<Expr>) {
    this.#m = m;
    this.#order = order;
    const varying = new Set(params);
    for (const node of order) {
      if (partsOf(node).some((part) => varying.has(part))) varying.add(node);
      if (varying.has(node) && hasFloats(typeOf(m, node))) this.#active.add(node);
    }
  }

  /** Begins with ones for the first tensor of the result. */
  seed(body: Expr, type: Type): void {
    const path: Expr[] = [body];
    for (let of: Type = type; of._tag === 'TupleType'; ) {
      const [field] = of.fields;
      const last = path[path.length - 1];
      if (field === undefined || last === undefined) return;
      path.push(fieldOf(last, 0));
      of = field;
    }
    const last = path[path.length - 1] ?? body;
    this.#add(last, callOp(this.#m.ops, 'ones_like', [last], {}, body.span));
    const isListed = new Set(this.#order);
    for (const field of path.reverse()) {
      if (field._tag !== 'TupleGetItem' || isListed.has(field)) break;
      if (this.#active.has(body)) this.#active.add(field);
      this.#passFields(field);
    }
  }

  /** Visits each node after its users. */
  run(): readonly [Diagnostic, ...Diagnostic[]] | undefined {
    for (const node of [...this.#order].reverse()) {
      if (!this.#found.has(node) || !this.#active.has(node)) continue;
      if (node._tag === 'Tuple') this.#intoFields(node);
      if (node._tag === 'TupleGetItem') this.#passFields(node);
      if (!isOpCall(node)) continue;
      const problem = this.#throughCall(node);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** The whole gradient of a node. */
  totalOf(node: Expr, type: Type): Expr {
    const { ops } = this.#m;
    const found = this.#found.get(node);
    if (found === undefined || !this.#active.has(node)) return zerosOf(ops, node, type);
    const { whole, fields } = found;
    if (type._tag !== 'TupleType' || fields.size === 0) {
      const [first, ...rest] = whole;
      return first === undefined ? zerosOf(ops, node, type) : sumOf(ops, [first, ...rest], type);
    }
    return tuple(
      type.fields.map((field, i) => {
        const [first, ...rest] = this.#ofField(found, i);
        if (first === undefined) return zerosOf(ops, fieldOf(node, i), field);
        return sumOf(ops, [first, ...rest], field);
      }),
    );
  }

  #ofField({ whole, fields }: Contributions, i: number): ReadonlyArray<Expr> {
    return [...(fields.get(i) ?? []), ...whole.map((one) => fieldOf(one, i))];
  }

  #add(node: Expr, gradient: Expr): void {
    this.#of(node).whole.push(gradient);
  }

  #of(node: Expr): Contributions {
    return remember(this.#found, node, () => ({ whole: [], fields: new Map() }));
  }

  #intoFields(node: Extract<Expr, { _tag: 'Tuple' }>): void {
    const found = this.#of(node);
    for (const [i, field] of node.fields.entries()) {
      for (const part of this.#ofField(found, i)) this.#add(field, part);
    }
  }

  #passFields(node: Extract<Expr, { _tag: 'TupleGetItem' }>): void {
    const type = typeOf(this.#m, node);
    invariant(type !== undefined, 'a typed field has a type');
    const total = this.totalOf(node, type);
    remember(this.#of(node.tuple).fields, node.index, () => []).push(total);
  }

  #throughCall(node: OpCall): readonly [Diagnostic, ...Diagnostic[]] | undefined {
    const { ops } = this.#m;
    const type = typeOf(this.#m, node);
    const types = node.args.map((arg) => typeOf(this.#m, arg));
    const known = types.filter((each) => each !== undefined);
    invariant(type !== undefined && known.length === types.length, 'a typed call has types');
    const called = {
      name: node.op.name,
      attrs: node.attrs,
      args: node.args,
      types: known,
      type,
      span: node.span,
    };
    const gradients = gradientsOf(ops, called, node, this.totalOf(node, type));
    if (isLeft(gradients)) return gradients.left;
    gradients.right.forEach((gradient, i) => {
      const arg = node.args[i];
      if (gradient !== undefined && arg !== undefined) this.#add(arg, gradient);
    });
    return undefined;
  }
}

const partsOf = (node: Expr): ReadonlyArray<Expr> => {
  if (node._tag === 'Tuple') return node.fields;
  if (node._tag === 'TupleGetItem') return [node.tuple];
  return node._tag === 'Call' ? node.args : [];
};

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

function problemOf(node: Expr): ReadonlyArray<Diagnostic> {
  switch (node._tag) {
    case 'Var':
    case 'Constant':
    case 'Tuple':
    case 'TupleGetItem':
    case 'Op':
      return [];
    case 'Call':
      return node.op._tag === 'Op'
        ? []
        : [notCovered('in first order a call of a function', HIGHER, node.span)];
    default:
      return [notCovered(`in first order a ${node._tag}`, HIGHER, node.span)];
  }
}
