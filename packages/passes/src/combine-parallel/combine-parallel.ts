/**
 * CombineParallel: the engine of the passes that compute parallel calls as one.
 * [passes §19](https://batonjs.github.io/baton/spec/passes#19).
 */
import { postOrder, remember, wholeNumber } from '@baton/base';
import { children, type Expr, type Func, foldExpr, postOrderExprs, rewriteExpr } from '@baton/ir';
import { isCallOf } from '@baton/ops';
import { inferType, type Pass, rewritingPass, withBody } from '@baton/pass-manager';
import { type Branch, branchesOf, followersOf } from './branches.ts';
import { type Combination, fitsPlaceOf, type Joined } from './joined.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

/** The least number of branches that are worth joining, in every one of these passes. */
export const MIN_BRANCHES = 3;

export interface CombineParallelOptions {
  /** Fewer parallel calls stay as they are. @defaultValue 3 */
  readonly minBranches?: number;
}

export const combineOptions = { minBranches: wholeNumber(2) };

interface CombineParallel {
  readonly name: string;
  readonly doc: string;
  readonly op: string;
  readonly minBranches?: number;
  readonly combination: Combination;
}

/**
 * A pass that computes calls of one operator on the same data as one call, along with the calls of
 * elementwise operators that follow each of them:
 *
 * 1. Calls on one data that are alike are branches of one group.
 * 2. A branch goes on through elementwise calls, each the only user of the one before.
 * 3. The first calls of a group become one; so do the next ones, as long as all branches have the
 *    same call there, and its other arguments fit.
 * 4. A part of the last result replaces the end of each branch.
 *
 * The other arguments must be known where the joined call is evaluated, and must be values without
 * effects. No joined call may depend on itself: nodes have ranks, which grow with each call that
 * could be joined, and only calls of one rank are.
 *
 * All this is done again as long as it finds groups.
 *
 * **Complexity** linear in nodes and uses, times the logarithm of the depth, for each round, of which
 * two are usual.
 */
export const combineParallel = (parts: CombineParallel): Pass =>
  rewritingPass({
    name: parts.name,
    doc: parts.doc,
    subject: 'functions',
    level: 4,
    requires: [inferType],
    counters: ['branches combined', 'followers combined'],
    isIdempotent: true,
    run: (given, m, { count }) => {
      const { combination, op, minBranches = MIN_BRANCHES } = parts;
      let f = given;
      for (;;) {
        if (countOf(f, op) < minBranches) return f;
        const s = surroundingsOf(f, m);
        const results = new Map<Expr, Expr>();
        for (const { levels, made } of joinedIn(s, op, combination, minBranches)) {
          const [first, ...others] = levels;
          const last = levels.at(-1) ?? first;
          count('branches combined', first.members.length);
          if (others.length > 0) count('followers combined', others.length * made.length);
          for (const [i, part] of made.entries()) results.set(last.members[i] as Expr, part);
        }
        if (results.size === 0) return f;
        // Calls that were of two ranks may be of one now.
        f = replaced(f, s, results);
      }
    },
  });

/** The calls of an operator in a function. */
const countOf = (f: Func, op: string): number =>
  postOrderExprs([f.body]).filter((node) => isCallOf(node, op)).length;

interface JoinedGroup {
  /** The heads, and the followers of each level. */
  readonly levels: readonly [Joined, ...Joined[]];
  /** The end of each branch as a part of the last level. */
  readonly made: ReadonlyArray<Expr>;
}

/** The groups that can be joined at once. */
function joinedIn(
  s: Surroundings,
  op: string,
  combination: Combination,
  minBranches: number,
): ReadonlyArray<JoinedGroup> {
  const groups = branchesOf(s, op, combination, minBranches);
  const ranks = ranksOf(s, groups.flat());
  return groups
    .flatMap((group) => ofOneRank(group, ranks))
    .filter((group) => group.length >= minBranches)
    .flatMap((group) => {
      const [heads, ...levels] = levelsOf(s, group, ranks, combination);
      if (heads === undefined) return [];
      const last = levels.at(-1) ?? heads;
      const made = combination.parts(s.m, last);
      const fits = made.every((part, i) => fitsPlaceOf(s.m, part, last.members[i] as Expr));
      return fits ? [{ levels: [heads, ...levels], made }] : [];
    });
}

/** For each node the most calls on a way to it that may be joined. */
function ranksOf(s: Surroundings, branches: ReadonlyArray<Branch>): ReadonlyMap<Expr, number> {
  const joinable = new Set<Expr>(branches.flatMap(({ calls }) => calls));
  return foldExpr<number>(s.order, (node, get) =>
    children(node).reduce(
      (rank, part) => Math.max(rank, (get(part) ?? 0) + (joinable.has(node) ? 1 : 0)),
      0,
    ),
  );
}

/** The branches of a group by the rank of their first calls. */
function ofOneRank(
  group: ReadonlyArray<Branch>,
  ranks: ReadonlyMap<Expr, number>,
): ReadonlyArray<ReadonlyArray<Branch>> {
  const byRank = new Map<number | undefined, Branch[]>();
  for (const branch of group) remember(byRank, ranks.get(branch.head), () => []).push(branch);
  return [...byRank.values()];
}

/** The calls of a group as one, level by level, as far as they fit. */
function levelsOf(
  s: Surroundings,
  group: ReadonlyArray<Branch>,
  ranks: ReadonlyMap<Expr, number>,
  combination: Combination,
): ReadonlyArray<Joined> {
  const levels: Joined[] = [];
  const home = s.homeOf(group.map(({ head }) => head));
  let next = combination.heads(
    s.m,
    group.map(({ head }) => head),
  );
  while (next !== undefined) {
    levels.push(next);
    const calls = followersOf(s, group, levels.length, next, ranks, home);
    next = calls && combination.followers(s.m, calls, next);
  }
  return levels;
}

/** The function with other results of some calls; these may depend on each other. */
function replaced(f: Func, s: Surroundings, results: ReadonlyMap<Expr, Expr>): Func {
  const partsOf = (node: Expr): ReadonlyArray<Expr> => {
    const result = results.get(node);
    if (result !== undefined) return [result];
    return s.isKept(node) ? [] : children(node);
  };
  const order = postOrder(partsOf, [f.body]);
  const step = (node: Expr, get: (other: Expr) => Expr): Expr | undefined => {
    const result = results.get(node);
    if (result !== undefined) return get(result);
    return s.isKept(node) ? node : undefined;
  };
  return withBody(f, rewriteExpr(f.body, step, order));
}
