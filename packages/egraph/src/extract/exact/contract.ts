/** Simplifications that take classes out of a problem. */
import { cheapestAround } from '../tree.ts';
import { graphOf, mergeInto, type Option, type Problem, reach, revise } from './problem.ts';

/**
 * Settles classes that cost nothing, and roots with one option; merges a class with one option into
 * its user, and a user that is nothing but a way to a class into the options of that class. Every
 * best solution stays, with the same cycles.
 */
export function contract(problem: Problem): void {
  settleFree(problem);
  const live = reach(problem);
  const edit = makeEdit(problem);
  for (const c of live) settleRoot(problem, edit, c);
  for (const c of live.toReversed()) {
    const options = problem.classes[c] as Option[];
    const [user, other] = edit.usersOf(c);
    if (!user || problem.roots.has(c)) continue;
    const [only] = options;
    if (only && options.length === 1 && (!other || (only.cost === 0 && only.children.length < 2))) {
      for (const it of edit.usersOf(c)) edit.replace(it, [mergeInto(it, only)]);
      edit.replace(only, []);
    } else if (!other && user.children.length === 1) {
      const below = options.slice();
      edit.replace(
        user,
        below.map((it) => mergeInto(user, it)),
      );
      for (const it of below) edit.replace(it, []);
    } else if (!other) {
      raiseCost(edit, options, user);
    }
  }
}

/** Classes with a tree that costs nothing are computed by it, wherever they are needed. */
function settleFree(problem: Problem): void {
  const { classes, roots, settled } = problem;
  const graph = graphOf(problem);
  const { choice, costs } = cheapestAround(graph, [], () => false);
  for (const c of reach(problem)) {
    const options = classes[c] as Option[];
    if (costs[c] === 0) {
      settled.push(choice[c] as Option);
      roots.delete(c);
      classes[c] = [];
      continue;
    }
    classes[c] = options
      .filter(({ children }) => children.every((d) => (costs[d] as number) < Infinity))
      .map((option) => {
        const paid = option.children.filter((d) => costs[d] !== 0);
        return paid.length === option.children.length ? option : revise(option, option.cost, paid);
      });
  }
}

/** A root with one option takes it: its children are roots, and its users need them directly. */
function settleRoot(problem: Problem, edit: Edit, c: number): void {
  const { classes, roots, settled } = problem;
  const [only, other] = classes[c] as Option[];
  if (!only || other || !roots.has(c)) return;
  settled.push(only);
  problem.base += only.cost;
  roots.delete(c);
  for (const below of only.children) roots.add(below);
  for (const user of edit.usersOf(c)) {
    const children = user.children.filter((d) => d !== c).concat(only.children);
    edit.replace(user, [revise(user, user.cost, children)]);
  }
  edit.replace(only, []);
}

/** The cost that all options of a class share is paid by its only user. */
function raiseCost(edit: Edit, options: ReadonlyArray<Option>, user: Option): void {
  const least = options.reduce((min, { cost }) => Math.min(min, cost), Infinity);
  if (least === 0) return;
  for (const option of options.slice()) {
    edit.replace(option, [revise(option, option.cost - least, option.children)]);
  }
  edit.replace(user, [revise(user, user.cost + least, user.children)]);
}

/** Changes of a problem that keep its lists of users. */
interface Edit {
  usersOf(eclass: number): ReadonlyArray<Option>;
  /** Replaces one option by others; those that need their own class are left out. */
  replace(option: Option, by: ReadonlyArray<Option>): void;
}

function makeEdit({ classes }: Problem): Edit {
  const users = classes.map(() => new Set<Option>());
  for (const options of classes) {
    for (const option of options) for (const c of option.children) users[c]?.add(option);
  }
  return {
    usersOf: (eclass) => [...(users[eclass] as Set<Option>)],
    replace(option, by) {
      const { home } = option;
      const kept = by.filter(({ children }) => !children.includes(home));
      const options = classes[home] as Option[];
      options.splice(options.indexOf(option), 1, ...kept);
      for (const c of option.children) users[c]?.delete(option);
      for (const it of kept) for (const c of it.children) users[c]?.add(it);
    },
  };
}
