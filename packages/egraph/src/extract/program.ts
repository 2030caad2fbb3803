/** The integer program of an extraction. */
import { postOrder, remember } from '@baton/base';
import { type FlatGraph, type FlatNode, reachable } from './flat.ts';

/** An integer program for the cheapest DAG, and the nodes of its variables `n0`, `n1`, …. */
export interface Program {
  /** In the LP format of CPLEX. */
  readonly text: string;
  readonly nodes: ReadonlyArray<FlatNode>;
}

/** The nodes of a class that a solution may choose. */
type Usable = (eclass: number) => ReadonlyArray<FlatNode>;

/**
 * The cheapest DAG as an integer program, with a variable for each usable node: each root chooses a
 * node, and a chosen node makes each class below it choose one. An order excludes cycles: within a
 * strongly connected component a chosen node stands above its children.
 *
 * `hasTerm` tells which classes have a term at all.
 */
export function writeProgram(graph: FlatGraph, hasTerm: (eclass: number) => boolean): Program {
  const usable: Usable = (eclass) =>
    (graph.classes[eclass] as FlatNode[]).filter((node) =>
      node.children.every((c) => c !== eclass && hasTerm(c)),
    );
  const classes = [...reachable(graph.roots, usable)];
  const nodes = classes.flatMap((c) => usable(c));
  const variableOf = new Map(nodes.map((node, index) => [node, `n${index}`]));
  const sum = (of: ReadonlyArray<FlatNode>, sign: string): string =>
    of.map((node) => `${sign} ${variableOf.get(node)}`).join(' ');

  const lines = ['Minimize', 'obj:'];
  for (const node of nodes) lines.push(` + ${node.cost} ${variableOf.get(node)}`);
  lines.push('Subject To');
  for (const root of new Set(graph.roots)) lines.push(`${sum(usable(root), '+')} >= 1`);
  for (const eclass of classes) {
    for (const node of usable(eclass)) {
      for (const below of childClasses(node)) {
        lines.push(`${sum(usable(below), '+')} - ${variableOf.get(node)} >= 0`);
      }
    }
  }
  const ordered = orderLines(classes, usable, sum);
  lines.push(...ordered.constraints, 'Bounds', ...ordered.bounds, 'Binary');
  for (const name of variableOf.values()) lines.push(` ${name}`);
  lines.push('End');
  return { text: lines.join('\n'), nodes };
}

function orderLines(
  classes: ReadonlyArray<number>,
  usable: Usable,
  sum: (of: ReadonlyArray<FlatNode>, sign: string) => string,
): { readonly constraints: ReadonlyArray<string>; readonly bounds: ReadonlyArray<string> } {
  const place = new Map(classes.map((eclass, index) => [eclass, index]));
  const component = components(classes.length, (index) =>
    usable(classes[index] as number)
      .flatMap((node) => childClasses(node))
      .map((below) => place.get(below) as number),
  );
  const size = new Map<number, number>();
  for (const c of component) size.set(c, (size.get(c) ?? 0) + 1);
  const constraints: string[] = [];
  const bounds: string[] = [];
  classes.forEach((eclass, index) => {
    const own = component[index] as number;
    const members = size.get(own) as number;
    if (members < 2) return;
    bounds.push(` 0 <= t${index} <= ${members - 1}`);
    const leadingTo = new Map<number, FlatNode[]>();
    for (const node of usable(eclass)) {
      for (const below of childClasses(node)) {
        const target = place.get(below) as number;
        if (component[target] !== own) continue;
        remember(leadingTo, target, () => []).push(node);
      }
    }
    for (const [target, via] of leadingTo) {
      constraints.push(`t${index} - t${target} ${sum(via, `- ${members}`)} >= ${1 - members}`);
    }
  });
  return { constraints, bounds };
}

/** The classes below a node, each once. */
const childClasses = (node: FlatNode): ReadonlyArray<number> => [...new Set(node.children)];

interface Vertex {
  readonly index: number;
  readonly to: Vertex[];
  readonly from: Vertex[];
}

/**
 * The strongly connected component of each of `count` vertices, as a number. `edges` lists where a
 * vertex leads.
 *
 * **Complexity** linear. **Source** Sharir 1981.
 */
function components(count: number, edges: (vertex: number) => ReadonlyArray<number>): Int32Array {
  const component = new Int32Array(count).fill(-1);
  const vertices = Array.from(
    { length: count },
    (_, index): Vertex => ({ index, to: [], from: [] }),
  );
  for (const vertex of vertices) {
    for (const target of edges(vertex.index)) {
      vertex.to.push(vertices[target] as Vertex);
      vertices[target]?.from.push(vertex);
    }
  }
  const isDone = ({ index }: Vertex): boolean => component[index] !== -1;
  for (const root of postOrder((v) => v.to, vertices).toReversed()) {
    for (const { index } of postOrder((v) => v.from, [root], isDone)) component[index] = root.index;
  }
  return component;
}
