/** E-graphs as drawings: a class is a card, its nodes are the rows. */
import { postOrder } from '@baton/base';
import { drawingOf, KINDS, makeTextTable, type Row } from '@baton/drawing';
import type { ClassId, NodeId, ReadableEGraph } from '@baton/egraph';
import type { Moment } from '../protocol.ts';

/** The most classes that are drawn. */
const MAX_CLASSES = 3_000;

/** An e-graph at one moment. `chosen` is the node of each class that the extraction takes. */
export interface Pictured {
  readonly graph: ReadableEGraph;
  readonly roots: ReadonlyArray<ClassId>;
  readonly label: (node: NodeId) => string;
  readonly chosen: (eclass: ClassId, nodes: ReadonlyArray<NodeId>) => number | undefined;
}

/**
 * The classes from the roots down, and the rest. An edge leads from a class to those that its nodes
 * need; edges that close a cycle are left out of the layers and drawn straight.
 */
export function egraphPicture({
  graph,
  roots,
  label,
  chosen,
}: Pictured): Pick<Moment, 'picture' | 'ids' | 'chosen'> {
  const texts = makeTextTable();
  const all = [...new Set([...roots.map((root) => graph.find(root)), ...graph.classes()])];
  const needs = new Map<ClassId, ReadonlyArray<ClassId>>(
    all.map((id) => [
      id,
      [...new Set(graph.nodes(id).flatMap((n) => graph.childrenOf(n).map((c) => graph.find(c))))],
    ]),
  );
  // Each class comes before those that it needs, unless a cycle forbids it.
  const order = postOrder((id: ClassId) => needs.get(id) ?? [], all).toReversed();
  const position = new Map(order.map((id, i) => [id, i]));
  const cards = order.map((id) => graph.nodes(id).map((node) => rowOf(label(node), id, texts.add)));
  const forward: [number, number][] = [];
  const backward: [number, number][] = [];
  for (const [i, id] of order.entries()) {
    for (const child of needs.get(id) ?? []) {
      const to = position.get(child) ?? i;
      if (to > i) forward.push([i, to]);
      else backward.push([i, to]);
    }
  }
  const drawn = drawingOf({ cards, links: forward }, texts.all(), { most: MAX_CLASSES });
  const closing = backward.flatMap(([from, to]) => {
    const [start, end] = [drawn.cards[from], drawn.cards[to]];
    if (start === undefined || end === undefined) return [];
    return [{ from, to, points: [start.x + start.w / 2, start.y, end.x + end.w / 2, end.y] }];
  });
  return {
    picture: { drawing: { ...drawn, edges: [...drawn.edges, ...closing] }, texts: texts.all() },
    ids: order,
    chosen: order.map((id) => chosen(id, graph.nodes(id))),
  };
}

/** E-nodes have the colour of elementwise operators, leaves the colour of inputs. */
const KIND = KINDS.findIndex(({ name }) => name === 'element');

const rowOf = (label: string, id: number, add: (text: string) => number): Row => ({
  kind: KIND,
  call: true,
  places: [],
  op: add(label),
  note: 0,
  type: add(`#${id}`),
  inputs: 0,
  attrs: 0,
});
