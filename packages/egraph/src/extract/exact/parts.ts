/** The parts of a problem that do not depend on each other. */
import { type Option, type Problem, reach, revise } from './problem.ts';

/** The independent parts of a problem, without common classes, each numbered from 0. */
export function partsOf(problem: Problem): ReadonlyArray<Problem> {
  const { classes, roots } = problem;
  const live = reach(problem);
  const leader = Int32Array.from(classes.keys());
  const find = (c: number): number => {
    let at = c;
    while (leader[at] !== at) {
      leader[at] = leader[leader[at] as number] as number;
      at = leader[at] as number;
    }
    return at;
  };
  for (const c of live) {
    for (const { children } of classes[c] as Option[]) {
      for (const d of children) leader[find(d)] = find(c);
    }
  }
  const parts = new Map<number, number[]>();
  for (const c of live) {
    const members = parts.get(find(c));
    if (members) members.push(c);
    else parts.set(find(c), [c]);
  }
  const place = new Int32Array(classes.length);
  return Array.from(parts.values(), (members) => {
    members.forEach((c, index) => {
      place[c] = index;
    });
    const at = (c: number): number => place[c] as number;
    return {
      classes: members.map((c) =>
        (classes[c] as Option[]).map((option) => ({
          ...revise(option, option.cost, option.children.map(at)),
          home: at(c),
        })),
      ),
      roots: new Set(members.filter((c) => roots.has(c)).map(at)),
      settled: [],
      base: 0,
    };
  });
}
