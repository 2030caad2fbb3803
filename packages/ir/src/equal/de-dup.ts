/**
 * Renews binders, so that every variable is bound once
 * ([language §11](https://batonjs.github.io/baton/spec/language#11)).
 */
import { run, runSteps, type Steps } from '@baton/base';
import { children, mapParts, patternVars } from '../expr/children.ts';
import * as build from '../expr/construct.ts';
import type { Clause, Expr, Func, Let, Match, Var } from '../expr/expr.ts';
import { withPatternVars } from '../expr/patterns.ts';
import { replaceTypeVars, type TypeArgs, varArg } from '../types/instantiate.ts';
import { type TypeParts, withRelationParts } from '../types/parts.ts';
import type { Type } from '../types/type.ts';
import { type TypeVar, typeVar } from '../types/variable.ts';
import { type LatestUse, makeLatestUse } from './latest-use.ts';

/**
 * The expression with every binder replaced by a new variable, and type parameters of functions
 * too. A node that two binders of one variable share becomes two nodes; all other sharing stays.
 * Free variables stay.
 *
 * **Complexity** O(n log depth) in the nodes of the result.
 */
export function deDup(expr: Expr): Expr {
  const d: DeDup = {
    time: 0,
    latest: makeLatestUse(),
    open: [],
    locals: new Map(),
    types: replaceTypeVars(new Map()),
    typeArgs: new Map(),
    typeScope: undefined,
    memo: new Map(),
  };
  return runSteps(visit(d, expr)).expr;
}

/** One visit to a binder. While it is open, nodes made under it may be used again. */
interface Scope {
  readonly depth: number;
  isOpen: boolean;
}

/** The new node, and the innermost scope that it depends on. */
interface Visited {
  readonly expr: Expr;
  readonly scope: Scope | undefined;
}

interface DeDup {
  /** Counts the uses of scopes. */
  time: number;
  readonly latest: LatestUse;
  readonly open: Scope[];
  readonly locals: Map<Var, Bound>;
  types: TypeParts;
  /** The replacements of `types`. */
  typeArgs: TypeArgs;
  typeScope: Scope | undefined;
  memo: Map<Expr, Visited>;
}

/** The replacement of a variable. */
interface Bound {
  readonly fresh: Var;
  readonly scope: Scope;
}

const inner = (a: Scope | undefined, b: Scope | undefined): Scope | undefined =>
  a === undefined || (b !== undefined && b.depth > a.depth) ? b : a;

/** Records a use of a scope, for the scopes inside it. */
function use(d: DeDup, scope: Scope | undefined): Scope | undefined {
  if (scope !== undefined) d.latest.record(scope.depth, ++d.time);
  return scope;
}

function* visit(d: DeDup, expr: Expr): Steps<Visited> {
  if (expr._tag === 'Var') {
    const bound = d.locals.get(expr);
    return { expr: bound?.fresh ?? expr, scope: use(d, bound?.scope) };
  }
  const known = d.memo.get(expr);
  if (known !== undefined && known.scope?.isOpen !== false) {
    use(d, known.scope);
    return known;
  }
  const visited = yield* run(rebuild(d, expr));
  d.memo.set(expr, visited);
  return visited;
}

function rebuild(d: DeDup, expr: Expr): Steps<Visited> {
  switch (expr._tag) {
    case 'Function':
      return rebuildFunction(d, expr);
    case 'Let':
      return rebuildLet(d, expr);
    case 'Match':
      return rebuildMatch(d, expr);
    default:
      return rebuildPlain(d, expr);
  }
}

/** Rebuilds a node without binders. */
function* rebuildPlain(d: DeDup, expr: Expr): Steps<Visited> {
  let scope: Scope | undefined;
  const next: Expr[] = [];
  for (const child of children(expr)) {
    const visited = yield* run(visit(d, child));
    scope = inner(scope, visited.scope);
    next.push(visited.expr);
  }
  let at = 0;
  const made = mapParts(expr, { child: () => next[at++] as Expr, types: d.types });
  const isTyped = 'typeArgs' in made && 'typeArgs' in expr && made.typeArgs !== expr.typeArgs;
  return { expr: made, scope: isTyped ? inner(scope, use(d, d.typeScope)) : scope };
}

function* rebuildFunction(d: DeDup, f: Func): Steps<Visited> {
  const outer = { types: d.types, typeArgs: d.typeArgs, typeScope: d.typeScope };
  const scope = openScope(d);
  const entered = d.time;
  const typeParams = f.typeParams.map((v) => typeVar(v.nameHint, v.kind));
  if (typeParams.length > 0) {
    const added = f.typeParams.map((v, i) => [v, varArg(typeParams[i] as TypeVar)] as const);
    d.typeArgs = new Map([...d.typeArgs, ...added]);
    d.types = replaceTypeVars(d.typeArgs);
    d.typeScope = scope;
  }
  const params = f.params.map((v) => freshVar(d, v));
  const leave = enter(d, scope, f.params, params);
  const body = yield* run(visit(d, f.body));
  leave();
  const parts = {
    ...f,
    typeParams,
    retType: f.retType && typeIn(d, f.retType),
    constraints: f.constraints.map((c) => withRelationParts(c, d.types)),
  };
  if (f.constraints.length > 0) use(d, d.typeScope);
  Object.assign(d, outer);
  return { expr: build.func(params, body.expr, parts), scope: closeScope(d, scope, entered) };
}

function* rebuildLet(d: DeDup, expr: Let): Steps<Visited> {
  const { variable, value, body } = expr;
  const isRecursive = value._tag === 'Function';
  const before = isRecursive ? undefined : yield* run(visit(d, value));
  const scope = openScope(d);
  const entered = d.time;
  const fresh = freshVar(d, variable);
  const leave = enter(d, scope, [variable], [fresh]);
  const bound = before ?? (yield* run(visit(d, value)));
  const rest = yield* run(visit(d, body));
  leave();
  return {
    expr: build.letIn(fresh, bound.expr, rest.expr, expr.span),
    scope: inner(before?.scope, closeScope(d, scope, entered)),
  };
}

function* rebuildMatch(d: DeDup, expr: Match): Steps<Visited> {
  const data = yield* run(visit(d, expr.data));
  let outermost = data.scope;
  const clauses: Clause[] = [];
  for (const { pattern, body } of expr.clauses) {
    const scope = openScope(d);
    const entered = d.time;
    const vars = patternVars(pattern);
    const fresh = vars.map((v) => freshVar(d, v));
    const leave = enter(d, scope, vars, fresh);
    const visited = yield* run(visit(d, body));
    const renamed = withPatternVars(pattern, (v) => d.locals.get(v)?.fresh ?? v);
    leave();
    clauses.push(build.clause(renamed, visited.expr));
    outermost = inner(outermost, closeScope(d, scope, entered));
  }
  return { expr: build.match(data.expr, clauses, expr.complete, expr.span), scope: outermost };
}

function openScope(d: DeDup): Scope {
  const scope = { depth: d.open.length, isOpen: true };
  d.open.push(scope);
  return scope;
}

/** The innermost outer scope that was used since this one was opened. */
function closeScope(d: DeDup, scope: Scope, entered: number): Scope | undefined {
  scope.isOpen = false;
  d.open.pop();
  return d.open[d.latest.deepestBelow(scope.depth, entered + 1)];
}

/** Replaces variables by new ones, until the returned function is called. */
function enter(
  d: DeDup,
  scope: Scope,
  vars: ReadonlyArray<Var>,
  fresh: ReadonlyArray<Var>,
): () => void {
  const hidden = vars.map((v) => d.locals.get(v));
  const { memo } = d;
  // Nodes made with a variable that is hidden here must not be used here.
  if (hidden.some((bound) => bound !== undefined)) d.memo = new Map();
  vars.forEach((v, i) => {
    d.locals.set(v, { fresh: fresh[i] as Var, scope });
  });
  return () => {
    vars.forEach((v, i) => {
      const bound = hidden[i];
      if (bound === undefined) d.locals.delete(v);
      else d.locals.set(v, bound);
    });
    d.memo = memo;
  };
}

const freshVar = (d: DeDup, v: Var): Var =>
  build.variable(v.nameHint, v.typeAnnotation && typeIn(d, v.typeAnnotation), v.span);

function typeIn(d: DeDup, type: Type): Type {
  const next = d.types.type(type);
  if (next !== type) use(d, d.typeScope);
  return next;
}
