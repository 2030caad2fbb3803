/** Components of graphs. */
import { postOrder } from '@baton/base';

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
export function strongComponents(
  count: number,
  edges: (vertex: number) => Iterable<number>,
): Int32Array {
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
