/** What evaluating an expression may do: decision D15 of the specification. */
import { memoFold } from '@baton/base';
import {
  children,
  type Expr,
  type Func,
  type IRModule,
  type OpTable,
  postOrderExprs,
  type Var,
} from '@baton/ir';

/**
 * Whether evaluating an expression always gives a value and does nothing else. It answers no for
 * whatever it would have to look into a function to know.
 *
 * **Complexity** linear in the distinct nodes asked about, over all calls of one `isTotal`.
 */
export function totality(ops: OpTable): (expr: Expr) => boolean {
  return memoFold<Expr, boolean>(evaluatedChildren, (expr, get) => {
    switch (expr._tag) {
      case 'Var':
      case 'GlobalVar':
      case 'Constant':
      case 'Op':
      case 'Constructor':
      case 'Function':
        return true;
      case 'Tuple':
      case 'TupleGetItem':
      case 'Let':
      case 'If':
        return children(expr).every(get);
      case 'Call':
        return (
          (expr.op._tag === 'Constructor' ||
            (expr.op._tag === 'Op' && ops.get(expr.op.name)?.effect === 'total')) &&
          expr.args.every(get)
        );
      default:
        return false;
    }
  });
}

/**
 * Whether evaluating an expression of the module may read, write or do anything that another
 * evaluation can notice. Functions are looked into: a call is stateful if what it calls is, and a
 * function that cannot be known (a parameter, a field of a tuple, a function from outside) counts
 * as stateful. Expressions that are not of the module do, too.
 *
 * The answer is the least fixed point: recursion alone makes nothing stateful.
 *
 * **Complexity** linear in the module, once.
 */
export function statefulness(m: IRModule): (expr: Expr) => boolean {
  const nodes = postOrderExprs([...m.functions.values()]);
  const graph = effectGraph(m, nodes);
  const stateful = new Set<number>(graph.seeds);
  const pending = [...stateful];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const user of graph.users[at] ?? []) {
      if (stateful.has(user)) continue;
      stateful.add(user);
      pending.push(user);
    }
  }
  return (expr) => {
    const index = graph.indexOf.get(expr);
    return index === undefined || stateful.has(evaluationOf(index));
  };
}

/** Two items a node: the effect of evaluating it, and that of calling the value that it gives. */
interface EffectGraph {
  readonly indexOf: ReadonlyMap<Expr, number>;
  /** For each item, the items that are stateful if it is. */
  readonly users: ReadonlyArray<ReadonlyArray<number>>;
  readonly seeds: ReadonlyArray<number>;
}

const evaluationOf = (index: number): number => 2 * index;
const callOf = (index: number): number => 2 * index + 1;

function effectGraph(m: IRModule, nodes: ReadonlyArray<Expr>): EffectGraph {
  const indexOf = new Map(nodes.map((node, index) => [node, index]));
  const values = new Map<Var, Expr>();
  for (const node of nodes) if (node._tag === 'Let') values.set(node.variable, node.value);
  const users = nodes.flatMap((): number[][] => [[], []]);
  const seeds: number[] = [];
  const at = (node: Expr): number => indexOf.get(node) ?? -1;
  nodes.forEach((node, index) => {
    for (const child of evaluatedChildren(node)) {
      users[evaluationOf(at(child))]?.push(evaluationOf(index));
    }
    if (node._tag === 'Call') users[callOf(at(node.op))]?.push(evaluationOf(index));
    if (node._tag === 'RefRead' || node._tag === 'RefWrite' || node._tag === 'TempExpr') {
      seeds.push(evaluationOf(index));
    }
    const callee = calledWith(m, node, values);
    if (callee === 'unknown') seeds.push(callOf(index));
    else {
      for (const f of callee.calls) users[callOf(at(f))]?.push(callOf(index));
      for (const body of callee.evaluates) users[evaluationOf(at(body))]?.push(callOf(index));
    }
  });
  return { indexOf, users, seeds };
}

/** What is called, and what is evaluated, when the value of `node` is called. */
function calledWith(
  m: IRModule,
  node: Expr,
  values: ReadonlyMap<Var, Expr>,
): 'unknown' | { readonly calls: ReadonlyArray<Expr>; readonly evaluates: ReadonlyArray<Expr> } {
  const calls = (...functions: ReadonlyArray<Expr>) => ({ calls: functions, evaluates: [] });
  switch (node._tag) {
    case 'Function':
      return isForeign(node) ? 'unknown' : { calls: [], evaluates: [node.body] };
    case 'Var': {
      const value = values.get(node);
      return value === undefined ? 'unknown' : calls(value);
    }
    case 'GlobalVar': {
      const f = m.functions.get(node.nameHint);
      return f === undefined ? 'unknown' : calls(f);
    }
    case 'Op': {
      const effect = m.ops.get(node.name)?.effect;
      return effect === undefined || effect === 'stateful' ? 'unknown' : calls();
    }
    case 'Constructor':
      return calls();
    case 'Let':
      return calls(node.body);
    case 'If':
      return calls(node.trueBranch, node.falseBranch);
    case 'Match':
      return calls(...node.clauses.map((c) => c.body));
    default:
      return 'unknown';
  }
}

/** Whether what the function does is decided outside the module. */
const isForeign = (f: Func): boolean =>
  f.attrs.Compiler !== undefined || (f.attrs.Extern !== undefined && f.attrs.Extern !== 0);

/** The children that are evaluated when `expr` is: a function's body is not. */
const evaluatedChildren = (expr: Expr): ReadonlyArray<Expr> =>
  expr._tag === 'Function' ? [] : children(expr);
