/** Simplifications that take options out of a problem. */
import type { Choice } from '../flat.ts';
import { cheapestAround } from '../tree.ts';
import { strongComponents } from './components.ts';
import { type Classes, contains, findNeeds, type Needs, neededBy, union } from './needs.ts';
import { graphOf, type Option, type Problem, reach, without } from './problem.ts';

/** The most options of one class with which each other one is compared. */
const MAX_RIVALS = 128;

/** The most pairs of an option and a user of its class for which ways around are sought. */
const MAX_PAIRS = 10_000;

/**
 * Removes options that need their own class, that another option beats, or that no user needs, and
 * makes roots of the classes that every solution needs. One best solution stays at least.
 */
export function prune(problem: Problem): void {
  const { classes, roots } = problem;
  const live = reach(problem);
  const needs = findNeeds(problem);
  const needed = new Map<Option, Classes>();
  for (const c of live) {
    classes[c] = (classes[c] as Option[]).filter((option) => {
      const all = neededBy(option, needs);
      if (!all || contains(all, c)) return false;
      needed.set(option, all);
      return true;
    });
  }
  const needsOf = (option: Option): Classes => needed.get(option) as Classes;
  for (const r of roots) for (const c of needs[r] ?? []) roots.add(c);
  removeBeaten(problem, live, needsOf, [], () => Infinity);
  const { choice, costs } = cheapestAround(graphOf(problem), [], () => false);
  removeBeaten(problem, live, needsOf, choice, (c) => costs[c] as number);
  removeBypassed(problem, live, needs, needsOf);
  forgetRoots(problem, live);
}

type NeedsOf = (option: Option) => Classes;

/** Removes an option if another costs no more, with `costOf` for each class that only it needs. */
function removeBeaten(
  { classes }: Problem,
  live: ReadonlyArray<number>,
  needsOf: NeedsOf,
  kept: Choice,
  costOf: (eclass: number) => number,
): void {
  const beats = (a: Option, b: Option): boolean => {
    let cost = a.cost;
    for (const c of a.children) {
      if (cost > b.cost) return false;
      if (!contains(needsOf(b), c)) cost += costOf(c);
    }
    return cost <= b.cost;
  };
  for (const c of live) {
    const options = classes[c] as Option[];
    if (options.length < 2) continue;
    const best: Option[] = [];
    const isBeaten = (option: Option): boolean =>
      best.some((other, i) => (i < MAX_RIVALS || other === kept[c]) && beats(other, option));
    const byCost = (a: Option, b: Option): number =>
      a.cost - b.cost || a.children.length - b.children.length;
    for (const option of options.toSorted(byCost)) {
      if (option === kept[c] || !isBeaten(option)) best.push(option);
    }
    classes[c] = best;
  }
}

/**
 * Removes an option if no user needs it: a user cannot take it without a cycle, or reaches what the
 * option needs by another option that costs no more.
 */
function removeBypassed(
  problem: Problem,
  live: ReadonlyArray<number>,
  needs: Needs,
  needsOf: NeedsOf,
): void {
  const { classes, roots } = problem;
  const { users } = graphOf(problem);
  const canBypass = (option: Option, user: Option, spared: number): boolean => {
    const { home } = option;
    const options = classes[user.home] as Option[];
    if (!options.includes(user)) return true;
    const there = union(needsOf(option), neededBy(without(user, home), needs) ?? []);
    if (contains(there, user.home)) return true;
    return options.some(
      (it) =>
        it.cost <= user.cost + spared && it.children.every((c) => c !== home && contains(there, c)),
    );
  };
  for (const c of live) {
    const options = classes[c] as Option[];
    const above = users[c] as ReadonlyArray<Option>;
    if (roots.has(c) || options.length < 2) continue;
    if (options.length * above.length > MAX_PAIRS) continue;
    classes[c] = options.filter(
      (option) => !above.every((it) => canBypass(option, it, above.length > 1 ? 0 : option.cost)),
    );
  }
}

/** A root is there anyway: an option needs it as a child only where a cycle may go through it. */
function forgetRoots({ classes, roots }: Problem, live: ReadonlyArray<number>): void {
  const component = strongComponents(classes.length, function* (c) {
    for (const { children } of classes[c] as Option[]) yield* children;
  });
  for (const c of live) {
    classes[c] = (classes[c] as Option[]).map((option) =>
      option.children
        .filter((d) => roots.has(d) && component[d] !== component[c])
        .reduce(without, option),
    );
  }
}
