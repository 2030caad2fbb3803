/**
 * Values that an operator with steps reads: a rounding, a comparison, a cast to integers. There the last
 * bit of a quotient matters: `round(x / 0.1)` and `round(x * 10)` differ on ties.
 */
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  postOrderExprs,
  typeOf,
  type Var,
} from '@baton/ir';
import {
  dtypeOf,
  type FusionPattern,
  fusionColumn,
  isCallOf,
  isOpCall,
  numericsColumn,
  type OpCall,
} from '@baton/ops';
import { isDType, isFloat } from '@baton/tensor';

/** The operators that compute each element from one element of each argument. */
const BY_ELEMENT: ReadonlySet<FusionPattern | undefined> = new Set([
  'elemwise',
  'broadcast',
  'injective',
]);

/**
 * The expressions of a function from which an operator with steps computes its result element by element,
 * also through branches, tuples, variables and functions that are called where they are written. The
 * result of a function that another one calls counts, if the module has steps at all.
 *
 * **Complexity** linear in the function; in the module for a function that others call.
 */
export function beforeSteps(f: Func, m: IRModule): ReadonlySet<Expr> {
  const found = new Set<Expr>();
  const pending: Expr[] = [];
  const mark = (expr: Expr): void => {
    if (found.has(expr)) return;
    found.add(expr);
    pending.push(expr);
  };
  const order = postOrderExprs([f]);
  const bound = bindingsIn(order);
  for (const node of order) {
    if (isOpCall(node) && hasSteps(node, m)) node.args.forEach(mark);
  }
  if (mayStepOutside(f, m)) mark(f.body);
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    for (const source of sourcesOf(expr, m)) mark(source);
    if (expr._tag === 'Var') for (const value of bound.get(expr) ?? []) mark(value);
  }
  return found;
}

/** Whether an operator with steps reads a quotient of the function. */
export const dividesBeforeSteps = (f: Func, m: IRModule): boolean =>
  [...beforeSteps(f, m)].some((expr) => isCallOf(expr, 'divide'));

/** Whether a small change of an argument may cause a large change of the result. */
function hasSteps({ op, args, attrs }: OpCall, m: IRModule): boolean {
  const { ops } = m;
  if (ops.read(numericsColumn, op.name) !== 'discontinuous') return false;
  // An operator that selects arguments by booleans has no steps itself.
  if (args.some((arg) => dtypeOf(typeOf(m, arg)) === 'bool')) return false;
  // A cast has steps only if its type has.
  const to = attrs.dtype;
  return !(isDType(to) && isFloat(to) && BY_ELEMENT.has(ops.read(fusionColumn, op.name)));
}

/** Whether a caller of the function may have steps. */
function mayStepOutside(f: Func, m: IRModule): boolean {
  const name = [...m.functions].find(([, g]) => g === f)?.[0];
  if (name === undefined) return false;
  const others = postOrderExprs([...m.functions.values()].filter((g) => g !== f));
  return (
    others.some((node) => node._tag === 'GlobalVar' && node.nameHint === name) &&
    others.some((node) => isOpCall(node) && hasSteps(node, m))
  );
}

/** The values of the function's variables. */
function bindingsIn(order: ReadonlyArray<Expr>): ReadonlyMap<Var, ReadonlyArray<Expr>> {
  const bound = new Map<Var, Expr[]>();
  const bind = (v: Var, value: Expr): void => {
    bound.set(v, [...(bound.get(v) ?? []), value]);
  };
  for (const node of order) {
    if (node._tag === 'Let') bind(node.variable, node.value);
    if (node._tag !== 'Call' || node.op._tag !== 'Function') continue;
    node.op.params.forEach((param, i) => {
      const arg = node.args[i];
      if (arg !== undefined) bind(param, arg);
    });
  }
  return bound;
}

/** The expressions whose elements an expression passes on. */
function sourcesOf(expr: Expr, m: IRModule): ReadonlyArray<Expr> {
  switch (expr._tag) {
    case 'Call':
      return sourcesOfCall(expr, m);
    case 'Tuple':
      return expr.fields;
    case 'TupleGetItem':
      return [expr.tuple];
    case 'Let':
      return [expr.body];
    case 'If':
      return [expr.trueBranch, expr.falseBranch];
    case 'Match':
      return expr.clauses.map(({ body }) => body);
    default:
      return [];
  }
}

function sourcesOfCall(call: Call, { ops }: IRModule): ReadonlyArray<Expr> {
  if (call.op._tag === 'Function') return [call.op.body];
  if (!isOpCall(call)) return call.args;
  return BY_ELEMENT.has(ops.read(fusionColumn, call.op.name)) ? call.args : [];
}
