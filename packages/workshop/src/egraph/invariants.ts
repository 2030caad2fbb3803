/** Invariants of an e-graph after every rebuild. */
import type { EGraph } from '@baton/egraph';

/** Violations of congruence or of the hashcons; none if the e-graph is sound. */
export function brokenInvariants<D>(egraph: EGraph<D>): ReadonlyArray<string> {
  const broken: string[] = [];
  const known = new Map<string, number>();
  let nodes = 0;
  let classes = 0;
  for (const eclass of egraph.classes()) {
    classes += 1;
    if (egraph.find(eclass) !== eclass) broken.push(`class ${eclass} is not canonical`);
    for (const node of egraph.nodes(eclass)) {
      nodes += 1;
      const { id, name, payload } = egraph.operatorOf(node);
      const children = egraph.childrenOf(node);
      const key = [id, ...children].join(' ');
      const twin = known.get(key);
      if (twin !== undefined) broken.push(`${name}(${children}) is in ${twin} and in ${eclass}`);
      known.set(key, eclass);
      const found = egraph.lookup(name, children, payload);
      if (found !== eclass) broken.push(`${name}(${children}) of ${eclass} is found in ${found}`);
    }
  }
  if (nodes !== egraph.nodeCount) broken.push(`${nodes} nodes, counted ${egraph.nodeCount}`);
  if (classes !== egraph.classCount)
    broken.push(`${classes} classes, counted ${egraph.classCount}`);
  return broken;
}
