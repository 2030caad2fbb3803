/**
 * The strongly connected component of each of `count` vertices: a number, smaller for what is
 * deeper. `edges` lists where a vertex leads.
 *
 * **Complexity** linear. **Source** Tarjan 1972, with an explicit stack.
 */
export function components(
  count: number,
  edges: (vertex: number) => ReadonlyArray<number>,
): Int32Array {
  const component = new Int32Array(count).fill(-1);
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const open: number[] = [];
  const path: { readonly vertex: number; readonly to: ReadonlyArray<number>; at: number }[] = [];
  let nextIndex = 0;
  let nextComponent = 0;
  const lower = (vertex: number, value: number): void => {
    if (value < (low[vertex] as number)) low[vertex] = value;
  };
  const enter = (vertex: number): void => {
    index[vertex] = nextIndex;
    low[vertex] = nextIndex;
    nextIndex += 1;
    open.push(vertex);
    path.push({ vertex, to: edges(vertex), at: 0 });
  };
  const close = (vertex: number): void => {
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      component[member] = nextComponent;
      if (member === vertex) break;
    }
    nextComponent += 1;
  };
  for (let start = 0; start < count; start++) {
    if (index[start] !== -1) continue;
    enter(start);
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const next = frame.to[frame.at];
      frame.at += 1;
      if (next === undefined) {
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) lower(above.vertex, low[frame.vertex] as number);
        if (low[frame.vertex] === index[frame.vertex]) close(frame.vertex);
      } else if (index[next] === -1) {
        enter(next);
      } else if (component[next] === -1) {
        lower(frame.vertex, index[next] as number);
      }
    }
  }
  return component;
}
