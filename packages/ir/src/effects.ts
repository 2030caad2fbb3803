/**
 * The effects of evaluating an expression: decision
 * [D15](https://batonjs.github.io/baton/spec/decisions#D15) of the specification.
 */
import { largeWeakMap, memoFold, type WeakMemory } from '@baton/base';
import { binders, children } from './expr/children.ts';
import type { Call, Expr, Func, Var } from './expr/expr.ts';
import { postOrderExprs } from './expr/walks.ts';
import { typeOf } from './infer/query.ts';
import type { IRModule } from './module/module.ts';
import type { Effect } from './ops/op-table.ts';
import { isAnyDim } from './types/dim.ts';
import { type Type, typeChildren } from './types/type.ts';

/**
 * The effect of evaluating an expression of the module, or one made from such expressions:
 *
 * - `stateful`: reading and writing references, stateful operators, and calls of such functions. An
 *   unknown callee counts as stateful: a parameter, a field, a function from outside.
 * - `partial`: `match?`, a size checked only at run time, such as one that a pattern binds,
 *   recursion, and creating a reference, which may be dropped and delayed, but gives another
 *   reference each time.
 * - `total`: everything else.
 *
 * A shared expression has the effects of all its parts.
 *
 * **Complexity** linear in the distinct expressions and in the functions that they call, over all
 * questions about one module.
 */
export function effectOf(m: IRModule, expr: Expr): Effect {
  const known = analyses.get(m) ?? makeAnalysis(m);
  analyses.set(m, known);
  return EFFECTS[known(expr)];
}

export const isStateful = (m: IRModule, expr: Expr): boolean => effectOf(m, expr) === 'stateful';

/** Whether evaluating the expression has no effect besides its value. */
export const isTotal = (m: IRModule, expr: Expr): boolean => effectOf(m, expr) === 'total';

/** Effects as numbers: the effect of two things together is the greater one. */
type Rank = 0 | 1 | 2;
const TOTAL: Rank = 0;
const PARTIAL: Rank = 1;
const STATEFUL: Rank = 2;
const EFFECTS: readonly [Effect, Effect, Effect] = ['total', 'partial', 'stateful'];
const RANK: Readonly<Record<Effect, Rank>> = { total: TOTAL, partial: PARTIAL, stateful: STATEFUL };

const both = (a: Rank, b: Rank): Rank => (a > b ? a : b);

/** Answers are kept: a module never changes, and neither do the effects of its expressions. */
const analyses = new WeakMap<IRModule, (expr: Expr) => Rank>();

interface Open {
  rank: Rank;
  waiting: number;
  readonly users: Open[];
  readonly answers: Answers;
  readonly node: Expr;
  /** Whether everything that it depends on is known. */
  isVisited: boolean;
}

/**
 * The known answers about nodes, and the open questions. Passes ask about nodes that they drop again: an
 * answer does not keep its node alive.
 */
type Answers = WeakMemory<Expr, Rank | Open>;

function open(answers: Answers, node: Expr): Open {
  const made: Open = { rank: TOTAL, waiting: 0, users: [], answers, node, isVisited: false };
  answers.set(node, made);
  return made;
}

function depend(user: Open, on: Rank | Open): void {
  if (typeof on === 'number') user.rank = both(user.rank, on);
  else {
    on.users.push(user);
    user.waiting++;
  }
}

/** Records that `item` has its answers, and answers it and its users if possible. */
function visited(item: Open): void {
  item.isVisited = true;
  const pending = item.waiting === 0 ? [item] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    next.answers.set(next.node, next.rank);
    for (const user of next.users) {
      user.rank = both(user.rank, next.rank);
      if (--user.waiting === 0 && user.isVisited) pending.push(user);
    }
  }
}

/** Answers the waiting questions: they are about recursion, or need one that is. */
function closeCircles(opened: ReadonlyArray<Open>): void {
  const pending = opened.filter((item) => item.answers.get(item.node) === item);
  const circular = new Set(pending);
  for (const item of pending) item.rank = both(item.rank, PARTIAL);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    next.answers.set(next.node, next.rank);
    for (const user of next.users) {
      if (!circular.has(user) || user.rank >= next.rank) continue;
      user.rank = next.rank;
      pending.push(user);
    }
  }
}

/**
 * There are two questions per node: the effect of evaluating it, and for callees the effect of
 * calling its value. Answers that wait for each other in a circle are recursion.
 */
function makeAnalysis(m: IRModule): (expr: Expr) => Rank {
  const evaluations: Answers = largeWeakMap();
  const calls: Answers = largeWeakMap();
  const values = letValues(m);
  const ownRank = ownRanks(m);
  let roots: Expr[] = [];
  let callees: Open[] = [];
  let opened: Open[] = [];

  /** The known answer, or else the open question, which `pending` takes once. */
  const ask = (answers: Answers, node: Expr, pending: (item: Open) => void): Rank | Open => {
    const known = answers.get(node);
    if (known !== undefined) return known;
    const made = open(answers, node);
    opened.push(made);
    pending(made);
    return made;
  };
  const callOf = (node: Expr) => ask(calls, node, (item) => callees.push(item));
  const evaluationOf = (node: Expr) => ask(evaluations, node, (item) => roots.push(item.node));

  const visit = (node: Expr): void => {
    if (node._tag === 'Let') values.add(node.variable, node.value);
    const parts = evaluatedChildren(node).map((child) => evaluations.get(child) ?? TOTAL);
    if (node._tag === 'Call' && !hasFact(node.op)) parts.push(callOf(node.op));
    const asked = evaluations.get(node);
    if (asked === undefined && parts.every(isRank)) {
      evaluations.set(node, parts.reduce(both, ownRank.of(node)));
      return;
    }
    const item = ask(evaluations, node, () => {}) as Open;
    depend(item, ownRank.of(node));
    for (const part of parts) depend(item, part);
    visited(item);
  };
  const visitCallee = (item: Open): void => {
    const callee = calledWith(m, item.node, values.get);
    if (callee === 'unknown') item.rank = STATEFUL;
    else {
      if (item.node._tag === 'Function') depend(item, ownRank.ofReturn(item.node));
      for (const f of callee.calls) depend(item, callOf(f));
      for (const body of callee.evaluates) depend(item, evaluationOf(body));
    }
    visited(item);
  };
  const isVisited = (node: Expr): boolean => {
    const known = evaluations.get(node);
    return typeof known === 'object' ? known.isVisited : known !== undefined;
  };
  return (expr) => {
    const known = evaluations.get(expr);
    if (typeof known === 'number') return known;
    // Most expressions are asked about as soon as they are made of known ones.
    if (children(expr).every(isVisited)) visit(expr);
    else roots.push(expr);
    while (roots.length > 0 || callees.length > 0) {
      const found = roots;
      roots = [];
      for (const node of postOrderExprs(found, isVisited)) visit(node);
      const asked = callees;
      callees = [];
      for (const item of asked) visitCallee(item);
    }
    closeCircles(opened);
    opened = [];
    return evaluations.get(expr) as Rank;
  };
}

const isRank = (answer: Rank | Open): answer is Rank => typeof answer === 'number';

/** The values of let variables: in the visited expressions, then in the entire module. */
function letValues(m: IRModule) {
  const values = new Map<Var, Expr>();
  let isComplete = false;
  const add = (variable: Var, value: Expr): void => {
    if (!values.has(variable)) values.set(variable, value);
  };
  const get = (variable: Var): Expr | undefined => {
    if (!values.has(variable) && !isComplete) {
      isComplete = true;
      for (const node of postOrderExprs([...m.functions.values()])) {
        if (node._tag === 'Let') add(node.variable, node.value);
      }
    }
    return values.get(variable);
  };
  return { add, get };
}

/** The effects of an expression apart from its parts and from calls of functions. */
function ownRanks(m: IRModule) {
  const hasOpenSize = openSizes();
  const isOpen = (expr: Expr): boolean => {
    const type = typeOf(m, expr);
    return type === undefined || hasOpenSize(type);
  };
  /** Data may come from a type with `?`, so a size that a pattern states is checked. */
  const hasStatedSize = (variable: Var): boolean => {
    const type = typeOf(m, variable);
    return type === undefined || statesSize(type);
  };
  const rankOfCall = ({ op, args }: Call): Rank => {
    const own = op._tag === 'Op' ? rankOfOp(m, op.name) : TOTAL;
    return own === TOTAL && args.some(isOpen) ? PARTIAL : own;
  };
  /** A type that states more about a value than is known is checked. */
  const rankOfCheck = (value: Expr, annotation: Type | undefined): Rank => {
    const saysMore = annotation !== undefined && !hasOpenSize(annotation);
    return saysMore && isOpen(value) ? PARTIAL : TOTAL;
  };
  const of = (node: Expr): Rank => {
    switch (node._tag) {
      case 'Call':
        return rankOfCall(node);
      case 'Let':
        return rankOfCheck(node.value, node.variable.typeAnnotation);
      case 'Match':
        return node.complete && !binders(node).some(hasStatedSize) ? TOTAL : PARTIAL;
      case 'RefCreate':
        return PARTIAL;
      case 'RefRead':
      case 'RefWrite':
      case 'TempExpr':
        return STATEFUL;
      default:
        return TOTAL;
    }
  };
  return { of, ofReturn: (f: Func): Rank => rankOfCheck(f.body, f.retType) };
}

const rankOfOp = (m: IRModule, name: string): Rank => RANK[m.ops.get(name)?.effect ?? 'stateful'];

/** Whether a type has a size that is known, and checked, only at run time. */
function openSizes(): (type: Type) => boolean {
  const ofTensor = (type: Type): boolean =>
    type._tag === 'TensorType' && !('_tag' in type.shape) && type.shape.some(isAnyDim);
  const deep = memoFold<Type, boolean>(
    typeChildren,
    (type, get) => ofTensor(type) || typeChildren(type).some(get),
  );
  return (type) => (type._tag === 'TensorType' ? ofTensor(type) : deep(type));
}

/** Whether a type states a size of a tensor, or of tensors in a tuple. */
const statesSize: (type: Type) => boolean = memoFold<Type, boolean>(
  (type) => (type._tag === 'TupleType' ? type.fields : []),
  (type, get) => {
    if (type._tag === 'TupleType') return type.fields.some(get);
    return (
      type._tag === 'TensorType' &&
      !('_tag' in type.shape) &&
      type.shape.some((dim) => !isAnyDim(dim))
    );
  },
);

const hasFact = (callee: Expr): boolean => callee._tag === 'Op' || callee._tag === 'Constructor';

/** The called function, and the evaluated nodes, of a call of `node`'s value. */
function calledWith(
  m: IRModule,
  node: Expr,
  letValue: (variable: Var) => Expr | undefined,
): 'unknown' | { readonly calls: ReadonlyArray<Expr>; readonly evaluates: ReadonlyArray<Expr> } {
  const calls = (...functions: ReadonlyArray<Expr>) => ({ calls: functions, evaluates: [] });
  switch (node._tag) {
    case 'Function':
      return isForeign(node) ? 'unknown' : { calls: [], evaluates: [node.body] };
    case 'Var': {
      const value = letValue(node);
      return value === undefined ? 'unknown' : calls(value);
    }
    case 'GlobalVar': {
      const f = m.functions.get(node.nameHint);
      return f === undefined ? 'unknown' : calls(f);
    }
    case 'Op':
      return rankOfOp(m, node.name) === TOTAL ? calls() : 'unknown';
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

/** Whether the function is implemented outside the module. */
const isForeign = (f: Func): boolean =>
  f.attrs.Compiler !== undefined || (f.attrs.Extern !== undefined && f.attrs.Extern !== 0);

/** The children that are evaluated with `expr`: a function's body is not. */
const evaluatedChildren = (expr: Expr): ReadonlyArray<Expr> =>
  expr._tag === 'Function' ? [] : children(expr);
