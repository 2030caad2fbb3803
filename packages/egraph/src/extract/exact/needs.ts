/** The classes that each class needs. */
import { type Option, type Problem, reach } from './problem.ts';

/** The most classes noted for one class: what is left out is only not used. */
const MAX_NEEDS = 256;

/** Classes in ascending order. */
export type Classes = ReadonlyArray<number>;

/** For each class the classes, itself among them, that every acyclic way to compute it needs. */
export type Needs = ReadonlyArray<Classes | undefined>;

/** The classes that every way to compute a class needs; no entry if there is no acyclic way. */
export function findNeeds(problem: Problem): Needs {
  const { classes } = problem;
  const needs: (Classes | undefined)[] = classes.map(() => undefined);
  const users: number[][] = classes.map(() => []);
  let waiting: ReadonlyArray<number> = reach(problem).toReversed();
  for (const c of waiting) {
    for (const { children } of classes[c] as Option[]) for (const d of children) users[d]?.push(c);
  }
  while (waiting.length > 0) {
    const next = new Set<number>();
    for (const c of waiting) {
      let common = needs[c];
      let known = false;
      for (const option of classes[c] as Option[]) {
        const needed = neededBy(option, needs);
        if (!needed || contains(needed, c)) continue;
        const withSelf = union(needed, [c]);
        common = common ? intersection(common, withSelf) : withSelf;
        known = true;
      }
      if (!known || !common) continue;
      if (common.length > MAX_NEEDS) common = shortened(common, c);
      if (common.length === needs[c]?.length) continue;
      needs[c] = common;
      for (const user of users[c] as number[]) next.add(user);
    }
    waiting = [...next];
  }
  return needs;
}

/** The classes that an option needs; `undefined` if a child cannot be computed. */
export function neededBy({ children }: Option, needs: Needs): Classes | undefined {
  let all: Classes = [];
  for (const c of children) {
    const below = needs[c];
    if (!below) return undefined;
    all = union(all, below);
  }
  return all;
}

export function contains(list: Classes, wanted: number): boolean {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return list[low] === wanted;
}

/** The numbers of either of two ascending lists. */
export function union(a: Classes, b: Classes): Classes {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const all: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i] as number;
    const y = b[j] as number;
    all.push(Math.min(x, y));
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  while (i < a.length) all.push(a[i++] as number);
  while (j < b.length) all.push(b[j++] as number);
  return all;
}

function intersection(a: Classes, b: Classes): Classes {
  const both: number[] = [];
  let j = 0;
  for (const x of a) {
    while (j < b.length && (b[j] as number) < x) j += 1;
    if (b[j] === x) both.push(x);
  }
  return both;
}

/** The first of many needs, and the class itself. */
const shortened = (many: Classes, self: number): Classes =>
  union(many.filter((c) => c !== self).slice(0, MAX_NEEDS - 1), [self]);
