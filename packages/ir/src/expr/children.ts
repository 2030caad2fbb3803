/** Generic access to the expressions below an expression, for every kind of node. */
import * as build from './construct.ts';
import type { Expr, Pattern, Var } from './expr.ts';

const none: ReadonlyArray<Expr> = [];

/**
 * The expressions directly below `expr`, in evaluation order: arguments before the callee. Binders
 * (parameters, let variables, pattern variables) are not children.
 */
export function children(expr: Expr): ReadonlyArray<Expr> {
  switch (expr._tag) {
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return none;
    case 'Tuple':
      return expr.fields;
    case 'TupleGetItem':
      return [expr.tuple];
    case 'Function':
      return [expr.body];
    case 'Call':
      return [...expr.args, expr.op];
    case 'Let':
      return [expr.value, expr.body];
    case 'If':
      return [expr.cond, expr.trueBranch, expr.falseBranch];
    case 'Match':
      return [expr.data, ...expr.clauses.map((c) => c.body)];
    case 'RefCreate':
      return [expr.value];
    case 'RefRead':
      return [expr.ref];
    case 'RefWrite':
      return [expr.ref, expr.value];
  }
}

/** Whether a value is an expression: for what a program without types is given. */
export const isExpr = (value: unknown): value is Expr =>
  typeof value === 'object' &&
  value !== null &&
  '_tag' in value &&
  typeof value._tag === 'string' &&
  Object.hasOwn(TAGS, value._tag);

const TAGS: { readonly [Tag in Expr['_tag']]: true } = {
  Var: true,
  GlobalVar: true,
  Constant: true,
  Op: true,
  Constructor: true,
  TempExpr: true,
  Tuple: true,
  TupleGetItem: true,
  Function: true,
  Call: true,
  Let: true,
  If: true,
  Match: true,
  RefCreate: true,
  RefRead: true,
  RefWrite: true,
};

/**
 * `expr` with other children, given in the order of {@link children}; `expr` itself if they are
 * the same objects. Span, attributes and annotations are kept.
 */
export function withChildren(expr: Expr, next: ReadonlyArray<Expr>): Expr {
  const old = children(expr);
  if (old.every((child, i) => child === next[i])) return expr;
  const at = (i: number): Expr => next[i] as Expr;
  switch (expr._tag) {
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return expr;
    case 'Tuple':
      return build.tuple(next, expr.span);
    case 'TupleGetItem':
      return build.tupleGetItem(at(0), expr.index, expr.span);
    case 'Function':
      return build.func(expr.params, at(0), expr);
    case 'Call':
      return build.call(at(expr.args.length), next.slice(0, expr.args.length), expr);
    case 'Let':
      return build.letIn(expr.variable, at(0), at(1), expr.span);
    case 'If':
      return build.ifElse(at(0), at(1), at(2), expr.span);
    case 'Match':
      return build.match(
        at(0),
        expr.clauses.map((c, i) => build.clause(c.pattern, at(i + 1))),
        expr.complete,
        expr.span,
      );
    case 'RefCreate':
      return build.refCreate(at(0), expr.span);
    case 'RefRead':
      return build.refRead(at(0), expr.span);
    case 'RefWrite':
      return build.refWrite(at(0), at(1), expr.span);
  }
}

/** The variables that `expr` itself binds: parameters, a let's variable, those of patterns. */
export function binders(expr: Expr): ReadonlyArray<Var> {
  switch (expr._tag) {
    case 'Function':
      return expr.params;
    case 'Let':
      return [expr.variable];
    case 'Match':
      return expr.clauses.flatMap((c) => patternVars(c.pattern));
    default:
      return [];
  }
}

/** The variables that a pattern binds, left to right. */
export function patternVars(pattern: Pattern): ReadonlyArray<Var> {
  const vars: Var[] = [];
  const pending: Pattern[] = [pattern];
  while (pending.length > 0) {
    const next = pending.pop();
    if (next === undefined) break;
    if (next._tag === 'PatternVar') vars.push(next.variable);
    else if (next._tag !== 'PatternWildcard') pending.push(...[...next.patterns].reverse());
  }
  return vars;
}

/** Child `index` of an expression as {@link children} counts them, `undefined` beyond the last. */
export function childAt(expr: Expr, index: number): Expr | undefined {
  switch (expr._tag) {
    case 'Var':
    case 'GlobalVar':
    case 'Constant':
    case 'Op':
    case 'Constructor':
    case 'TempExpr':
      return undefined;
    case 'Tuple':
      return expr.fields[index];
    case 'TupleGetItem':
      return index === 0 ? expr.tuple : undefined;
    case 'Function':
      return index === 0 ? expr.body : undefined;
    case 'Call':
      return index === expr.args.length ? expr.op : expr.args[index];
    case 'Let':
      if (index === 0) return expr.value;
      return index === 1 ? expr.body : undefined;
    case 'If':
      if (index === 0) return expr.cond;
      if (index === 1) return expr.trueBranch;
      return index === 2 ? expr.falseBranch : undefined;
    case 'Match':
      return index === 0 ? expr.data : expr.clauses[index - 1]?.body;
    case 'RefCreate':
      return index === 0 ? expr.value : undefined;
    case 'RefRead':
      return index === 0 ? expr.ref : undefined;
    case 'RefWrite':
      if (index === 0) return expr.ref;
      return index === 1 ? expr.value : undefined;
  }
}

/**
 * Every node of an expression, children first, each once: as `postOrder`, but without a list of
 * children for each node.
 *
 * **Complexity** linear in nodes and edges.
 */
export function postOrderExprs(
  roots: ReadonlyArray<Expr>,
  skip: (expr: Expr) => boolean = () => false,
): ReadonlyArray<Expr> {
  const order: Expr[] = [];
  const seen = new Set<Expr>();
  const enter = (expr: Expr): boolean => {
    if (seen.has(expr) || skip(expr)) return false;
    seen.add(expr);
    return true;
  };
  for (const root of roots) walkExpr(root, enter, (expr) => order.push(expr));
  return order;
}

/**
 * Goes through an expression from left to right: `enter` is asked at each mention whether to go
 * into the node, and `leave` sees the node after everything below it.
 *
 * **Complexity** linear in the nodes that are entered and their edges.
 */
export function walkExpr(
  root: Expr,
  enter: (expr: Expr) => boolean,
  leave: (expr: Expr) => void,
): void {
  if (!enter(root)) return;
  const open: Expr[] = [root];
  const positions: number[] = [0];
  for (let top = 0; top >= 0; top = open.length - 1) {
    const expr = open[top] as Expr;
    const at = positions[top] as number;
    const child = childAt(expr, at);
    if (child === undefined) {
      leave(expr);
      open.pop();
      positions.pop();
      continue;
    }
    positions[top] = at + 1;
    if (!enter(child)) continue;
    open.push(child);
    positions.push(0);
  }
}
