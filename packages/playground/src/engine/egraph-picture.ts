/** Draws e-graphs: a class is a card, and its nodes are the rows. */
import { postOrder } from '@baton/base';
import { drawingOf, KINDS, makeTextTable, type Row } from '@baton/drawing';
import type { ClassId, NodeId, ReadableEGraph } from '@baton/egraph';
import type { Moment } from '../protocol.ts';

const MAX_CLASSES = 3_000;

export interface Pictured {
  readonly graph: ReadableEGraph;
  readonly roots: ReadonlyArray<ClassId>;
  readonly label: (node: NodeId) => string;
  /** The cost of a node without its children, if it is known. */
  readonly costOf?: (node: NodeId) => number;
  /** Whether the extraction selects a node. Default: the cheapest of each class. */
  readonly isChosen?: (node: NodeId) => boolean;
}

/**
 * Draws the classes from the roots down, then the rest. An edge leads from a class to those that
 * its nodes need; edges that close a cycle do not affect the layers and are drawn straight.
 */
export function egraphPicture({
  graph,
  roots,
  label,
  costOf,
  isChosen,
}: Pictured): Pick<Moment, 'picture' | 'ids' | 'chosen' | 'costs'> {
  const texts = makeTextTable();
  const all = [...new Set([...roots.map((root) => graph.find(root)), ...graph.classes()])];
  const needs = new Map<ClassId, ReadonlyArray<ClassId>>(
    all.map((id) => [
      id,
      [...new Set(graph.nodes(id).flatMap((n) => graph.childrenOf(n).map((c) => graph.find(c))))],
    ]),
  );
  // Each class comes before those that it needs, unless a cycle prevents it.
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
  const whole = costOf && termCosts(graph, order.toReversed(), costOf);
  const costs = whole && order.map((id) => graph.nodes(id).map(whole));
  const chosen = order.map((id, i) => {
    const at =
      isChosen === undefined
        ? costs?.[i]?.indexOf(Math.min(...(costs[i] ?? [])))
        : graph.nodes(id).findIndex(isChosen);
    return at === -1 ? undefined : at;
  });
  return {
    picture: { drawing: { ...drawn, edges: [...drawn.edges, ...closing] }, texts: texts.all() },
    ids: order,
    chosen,
    costs,
  };
}

/** The most rounds of {@link termCosts}: cheapest terms with more levels are rare. */
const MOST_ROUNDS = 60;

/** The cost of the cheapest term with each node at its root, shared parts counted each time. */
function termCosts(
  graph: ReadableEGraph,
  classes: ReadonlyArray<ClassId>,
  costOf: (node: NodeId) => number,
): (node: NodeId) => number {
  const best = new Map<ClassId, number>();
  const whole = (node: NodeId): number =>
    graph
      .childrenOf(node)
      .reduce(
        (sum, child) => sum + (best.get(graph.find(child)) ?? Number.POSITIVE_INFINITY),
        costOf(node),
      );
  for (let round = 0, isDone = false; round < MOST_ROUNDS && !isDone; round++) {
    isDone = true;
    for (const id of classes) {
      const cost = Math.min(...graph.nodes(id).map(whole));
      if (cost >= (best.get(id) ?? Number.POSITIVE_INFINITY)) continue;
      best.set(id, cost);
      isDone = false;
    }
  }
  return whole;
}

/** E-nodes have the colour of elementwise operators, leaves that of inputs. */
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
