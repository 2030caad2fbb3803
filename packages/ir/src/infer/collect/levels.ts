/**
 * How many function literals that are generalized on their own stand around a node. A node that is
 * used inside and outside such a function belongs outside: it is typed there, once.
 */
import { commonScope, innerScope, rootScope } from '../../analysis/scope-tree.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';
import { COMPLETE, isSite, type Step } from './entry.ts';

/**
 * Sets the levels of the nodes that have parts: no hole arises at the others.
 *
 * **Complexity** O(log depth) an edge.
 */
export function setLevels(members: ReadonlyArray<ReadonlyArray<Step>>): void {
  const root = rootScope();
  for (let member = members.length - 1; member >= 0; member--) {
    const steps = members[member] as ReadonlyArray<Step>;
    for (let i = steps.length - 1; i >= 0; i--) {
      const { entry, action } = steps[i] as Step;
      if (action !== COMPLETE || entry.parts.length === 0) continue;
      const around = entry.home ?? root;
      const home = isSite(entry) ? innerScope(around) : around;
      entry.home = home;
      entry.level = OUTERMOST_LEVEL + home.depth;
      for (const below of entry.parts) {
        if (below.parts.length === 0 || below.home === home) continue;
        below.home = below.home === undefined ? home : (commonScope(below.home, home) ?? root);
      }
    }
  }
}
