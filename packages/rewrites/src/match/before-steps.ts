/**
 * Values that an operator with steps reads: a rounding, a comparison, a cast to integers. There the last
 * bit of a quotient matters: `round(x / 0.1)` and `round(x * 10)` differ on ties.
 */
import { remember } from '@baton/base';
import {
  type Call,
  type Expr,
  type Func,
  type IRModule,
  type OpRef,
  patternVars,
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
 * also through branches, tuples, patterns, variables and functions that are called where they are written
 * or by their variable. An argument of another function, a field of data and the value of a reference count
 * if a function with steps may read them; so does the result of a function that another one calls, if the
 * module has steps at all.
 *
 * **Complexity** linear in the function, and once in the module.
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
  const own = order.filter((node) => isOpCall(node) && hasSteps(node, m)) as OpCall[];
  for (const { args } of own) args.forEach(mark);
  const outside = stepsOutside(f, m);
  if (outside.mayReadResult) mark(f.body);
  if (own.length > 0 || outside.some) {
    for (const node of order) passedOn(node, m).forEach(mark);
  }
  for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
    for (const source of sourcesOf(expr, m)) mark(source);
    if (expr._tag === 'Var') for (const value of bound.get(expr) ?? []) mark(value);
  }
  return found;
}

/** Whether an operator with steps reads a quotient of the function, or of one whose body may be put into it. */
export const dividesBeforeSteps = (f: Func, m: IRModule): boolean =>
  dividesItself(f, m) ||
  (postOrderExprs([f.body]).some((node) => node._tag === 'GlobalVar') &&
    remember(dividing, m, () => [...m.functions.values()].some((g) => dividesItself(g, m))));

const dividesItself = (f: Func, m: IRModule): boolean =>
  [...beforeSteps(f, m)].some((expr) => isCallOf(expr, 'divide'));

const dividing = new WeakMap<IRModule, boolean>();

/** Whether a small change of an argument may cause a large change of the result. */
function hasSteps({ op, args, attrs }: Call & { readonly op: OpRef }, m: IRModule): boolean {
  const { ops } = m;
  if (ops.read(numericsColumn, op.name) !== 'discontinuous') return false;
  // An operator that selects arguments by booleans has no steps itself.
  if (args.some((arg) => dtypeOf(typeOf(m, arg)) === 'bool')) return false;
  // A cast has steps only if its type has. An operator that was a value is called without attributes.
  const to = attrs?.dtype;
  return !(isDType(to) && isFloat(to) && BY_ELEMENT.has(ops.read(fusionColumn, op.name)));
}

/** What the functions of a module tell about steps. */
interface ModuleSteps {
  readonly names: ReadonlyMap<Func, string>;
  /** The functions that mention a function, by its name. */
  readonly users: ReadonlyMap<string, ReadonlySet<string>>;
  /** Functions with steps, and functions that mention one of them, directly or not. */
  readonly reaching: ReadonlySet<string>;
  /** Functions with steps. */
  readonly stepping: ReadonlySet<string>;
}

const stepsIn = (m: IRModule): ModuleSteps =>
  remember(modules, m, () => {
    const users = new Map<string, Set<string>>();
    const stepping = new Set<string>();
    for (const [name, g] of m.functions) {
      for (const node of postOrderExprs([g])) {
        if (node._tag === 'GlobalVar') remember(users, node.nameHint, () => new Set()).add(name);
        else if (isOpCall(node) && hasSteps(node, m)) stepping.add(name);
      }
    }
    const reaching = new Set(stepping);
    for (const name of reaching) for (const user of users.get(name) ?? []) reaching.add(user);
    const names = new Map([...m.functions].map(([name, g]) => [g, name]));
    return { names, users, reaching, stepping };
  });

const modules = new WeakMap<IRModule, ModuleSteps>();

/** Whether other functions have steps, and whether one of them may read the function's result. */
function stepsOutside(f: Func, m: IRModule): { some: boolean; mayReadResult: boolean } {
  const { names, users, stepping } = stepsIn(m);
  const name = names.get(f) ?? '';
  const some = stepping.size > (stepping.has(name) ? 1 : 0);
  const mayReadResult = [...(users.get(name) ?? [])].some((user) =>
    user === name ? stepping.has(name) : some,
  );
  return { some, mayReadResult };
}

/** What a node passes on to where its elements are not followed. */
function passedOn(node: Expr, m: IRModule): ReadonlyArray<Expr> {
  if (node._tag === 'RefCreate' || node._tag === 'RefWrite') return [node.value];
  if (node._tag !== 'Call') return [];
  const { op, args } = node;
  if (op._tag === 'Op' || op._tag === 'Function') return [];
  const mayRead = op._tag !== 'GlobalVar' || stepsIn(m).reaching.has(op.nameHint);
  return mayRead ? args : [];
}

/** The values of the function's variables. */
function bindingsIn(order: ReadonlyArray<Expr>): ReadonlyMap<Var, ReadonlyArray<Expr>> {
  const bound = new Map<Var, Expr[]>();
  const bind = (v: Var, value: Expr): void => {
    bound.set(v, [...(bound.get(v) ?? []), value]);
  };
  for (const node of order) {
    if (node._tag === 'Let') bind(node.variable, node.value);
    if (node._tag === 'Match') {
      for (const v of node.clauses.flatMap(({ pattern }) => patternVars(pattern)))
        bind(v, node.data);
    }
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
    case 'Function':
      return [expr.body];
    case 'Match':
      return expr.clauses.map(({ body }) => body);
    default:
      return [];
  }
}

function sourcesOfCall(call: Call, { ops }: IRModule): ReadonlyArray<Expr> {
  if (!isOpCall(call)) return call.op._tag === 'Function' ? [call.op] : [call.op, ...call.args];
  return BY_ELEMENT.has(ops.read(fusionColumn, call.op.name)) ? call.args : [];
}
