/** Simplification of a problem. */
import { contract } from './contract.ts';
import { type Option, type Problem, reach } from './problem.ts';
import { prune } from './prune.ts';

/** The most rounds of simplification; each costs a few walks. */
const MAX_ROUNDS = 30;

/** Makes a problem smaller until nothing helps any more. Its cheapest cost stays the same. */
export function simplify(problem: Problem): void {
  let before = '';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    shrink(problem);
    prune(problem);
    const after = sizeOf(problem);
    if (after === before) return;
    before = after;
  }
}

/** Contracts until nothing changes. */
function shrink(problem: Problem): void {
  for (let before = '', after = ''; ; before = after) {
    contract(problem);
    after = sizeOf(problem);
    if (after === before) return;
  }
}

/** The numbers of classes, roots, options and children. */
function sizeOf(problem: Problem): string {
  const live = reach(problem);
  let options = 0;
  let children = 0;
  for (const c of live) {
    for (const option of problem.classes[c] as Option[]) {
      options += 1;
      children += option.children.length;
    }
  }
  return `${live.length} ${problem.roots.size} ${options} ${children}`;
}
