/** Extraction from e-graphs of the public extraction gym: cost, proved bound and time. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { orThrow, table } from '@baton/base';
import {
  extractDag,
  extractExact,
  type NodeCost,
  type ReadableGraph,
  type ReadableNode,
  type SerializedGraph,
} from '@baton/egraph';
import { ms } from '@baton/report';
import { Mistake } from '@baton/workshop';

const costOf: NodeCost = ({ payload }) => payload as number;

/** The classes of the file as they are, each node with its cost as payload. */
function readGraph(file: string): { graph: ReadableGraph; roots: ReadonlyArray<number> } {
  const data = dataIn(file);
  const nodes = Object.values(data.nodes);
  const ids = new Map<string, number>();
  for (const { eclass } of nodes) if (!ids.has(eclass)) ids.set(eclass, ids.size);
  const at = (eclass: string): number => ids.get(eclass) ?? -1;
  const classes: ReadableNode[][] = Array.from(ids, () => []);
  for (const { op, children, eclass, cost } of nodes) {
    const below = children.map((child) => at(data.nodes[child]?.eclass ?? ''));
    classes[at(eclass)]?.push({ name: op, payload: cost, children: below });
  }
  const graph: ReadableGraph = {
    classIds: () => classes.keys(),
    nodesOf: (eclass) => classes[eclass] ?? [],
    find: (id) => id,
  };
  return { graph, roots: data.root_eclasses.map(at) };
}

function dataIn(file: string): SerializedGraph {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as SerializedGraph;
  } catch (error) {
    throw new Mistake(`${file} is no e-graph: ${error instanceof Error ? error.message : error}`);
  }
}

/** The value of an action, and its milliseconds. */
function timed<A>(action: () => A): readonly [A, number] {
  const start = performance.now();
  const value = action();
  return [value, performance.now() - start];
}

/** A table with a row for each e-graph of a folder. */
export function measureGym(folder: string, step: (text: string) => void): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const rows = files.toSorted().map((name) => {
    step(name);
    const { graph, roots } = readGraph(join(folder, name));
    const [greedy, greedyMs] = timed(() => orThrow(extractDag(graph, roots, costOf)));
    const [exact, exactMs] = timed(() => orThrow(extractExact(graph, roots, costOf)));
    const gap = exact.cost === 0 ? 0 : (exact.cost - exact.bound) / exact.cost;
    return [
      basename(name, '.json'),
      greedy.cost.toFixed(5),
      ms(greedyMs),
      exact.cost.toFixed(5),
      ms(exactMs),
      exact.bound.toFixed(5),
      exact.optimal ? 'none' : `${(gap * 100).toFixed(2)} %`,
    ];
  });
  return table(['e-graph', 'greedy', 'ms', 'exact', 'ms', 'bound', 'gap'], rows);
}
