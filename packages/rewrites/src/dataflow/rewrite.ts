/** Matches replaced by what callbacks make: [passes §26](https://batonjs.github.io/baton/spec/passes#26). */
import { andThen, fail, isLeft, type Result, right } from '@baton/base';
import {
  type Expr,
  type Func,
  type IRModule,
  inferTypes,
  mapChildren,
  mapFunctions,
  postOrderExprs,
  rewriteExpr,
  structuralEqual,
} from '@baton/ir';
import { isOpaque, visibleIn, withBody } from '@baton/pass-manager';
import { endlessRewrite } from '../diagnostics.ts';
import { type PatternInput, patternOf } from './build.ts';
import { graphOf } from './graph.ts';
import { groupsOf } from './groups.ts';
import { type MatchOptions, standardModule } from './match.ts';
import { type NodeMap, nodeMapOf } from './node-map.ts';
import { siteOf } from './search.ts';

/** What to put in the place of a pattern. */
export interface PatternCallback {
  readonly pattern: PatternInput;
  /**
   * The replacement of a match: `pre` is the matched expression, `post` the same with what other
   * matches have become below it, and so are the nodes. `post` itself leaves it as it is.
   */
  readonly callback: (pre: Expr, post: Expr, nodes: NodeMap) => Expr;
  /** Whether the types of the whole module are inferred before. @defaultValue false */
  readonly requireType?: boolean;
  /** Whether the callback rests once it has changed something. @defaultValue false */
  readonly rewriteOnce?: boolean;
}

/** One callback, or several in order. */
export type PatternCallbacks = PatternCallback | ReadonlyArray<PatternCallback>;

/** The passes after which callbacks are taken for endless. */
const MAX_PASSES = 100;

/** The nodes to which they may let a program of `size` nodes grow: it may double in each pass. */
const maxNodes = (size: number): number => 10_000 + 100 * size;

/**
 * The program with all matches replaced, again and again until nothing changes. In each pass the
 * callbacks have their turn in order. Matches that have a node in common are not replaced together:
 * the one nearest to the root goes first.
 *
 * **Errors** `PATTERN_ENDLESS` after 100 passes, or if the program grows without end; with `requireType` the errors of inference.
 *
 * **Complexity** for each pass and callback a search at each node.
 */
export function rewrite(callbacks: PatternCallbacks, program: IRModule): Result<IRModule>;
export function rewrite(
  callbacks: PatternCallbacks,
  program: Expr,
  options?: MatchOptions,
): Result<Expr>;
export function rewrite(
  callbacks: PatternCallbacks,
  program: Expr | IRModule,
  { module = standardModule() }: MatchOptions = {},
): Result<Expr | IRModule> {
  return program._tag === 'IRModule'
    ? untilStable(callbacks, program, ofModule)
    : untilStable(callbacks, program, (c, expr) => right(replaced(c, expr, module)));
}

type Turn<A> = (callback: PatternCallback, program: A) => Result<A>;

function untilStable<A extends Expr | IRModule>(
  callbacks: PatternCallbacks,
  program: A,
  turn: Turn<A>,
): Result<A> {
  const active = new Set([callbacks].flat() as ReadonlyArray<PatternCallback>);
  const most = maxNodes(sizeOf(program));
  let current = program;
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const before = current;
    for (const callback of active) {
      const next = turn(callback, current);
      if (isLeft(next)) return next;
      if (callback.rewriteOnce === true && next.right !== current) active.delete(callback);
      current = next.right;
    }
    if (current === before || structuralEqual(before, current)) return right(current);
    if (sizeOf(current) > most) return fail(endlessRewrite(pass));
  }
  return fail(endlessRewrite(MAX_PASSES));
}

const sizeOf = (of: Expr | IRModule): number =>
  postOrderExprs(of._tag === 'IRModule' ? [...of.functions.values()] : [of]).length;

const ofModule: Turn<IRModule> = (callback, given) =>
  andThen(callback.requireType === true ? inferTypes(given) : right(given), (m) => {
    const changed = (f: Func): Func => withBody(f, replaced(callback, f.body, m));
    return right(mapFunctions(m, (f) => (isOpaque(f) ? f : changed(f))));
  });

/** The expression with each match replaced once. */
function replaced({ pattern, callback }: PatternCallback, expr: Expr, m: IRModule): Expr {
  const { order } = visibleIn(expr, m);
  const groups = groupsOf(siteOf(m, graphOf(order)), patternOf(pattern));
  if (groups.size === 0) return expr;
  return rewriteExpr(
    expr,
    (node, get) => {
      const group = groups.get(node);
      if (group === undefined) return undefined;
      const post = mapChildren(node, get);
      const now = (other: Expr): Expr => (other === node ? post : get(other));
      return callback(node, post, nodeMapOf(group.found, now));
    },
    order,
  );
}
