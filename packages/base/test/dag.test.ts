import { foldDag, postOrder, rebuildDag } from '@baton/base';
import { describe, expect, it } from 'vitest';

interface Node {
  readonly name: string;
  readonly children: ReadonlyArray<Node>;
}

const node = (name: string, ...children: ReadonlyArray<Node>): Node => ({ name, children });
const children = (n: Node): ReadonlyArray<Node> => n.children;

function chain(depth: number): Node {
  let top = node('leaf');
  for (let i = 0; i < depth; i++) top = node('n', top);
  return top;
}

function ladder(levels: number): Node {
  let top = node('leaf');
  for (let i = 0; i < levels; i++) top = node('n', top, top);
  return top;
}

describe('walks over DAGs', () => {
  it('visits children before parents, left to right, each once', () => {
    const shared = node('s');
    const root = node('r', node('a', shared), node('b', shared));
    expect(postOrder(children, [root]).map((n) => n.name)).toEqual(['s', 'a', 'b', 'r']);
  });

  it('skips what it is told to skip', () => {
    const hidden = node('h', node('below'));
    expect(
      postOrder(children, [node('r', hidden, node('x'))], (n) => n === hidden).map((n) => n.name),
    ).toEqual(['x', 'r']);
  });

  it('goes deeper than the stack and is not slowed by sharing', () => {
    const depth = foldDag<Node, number>(children, (n, get) =>
      n.children.reduce((most, c) => Math.max(most, get(c) + 1), 0),
    );
    expect(depth(chain(200_000))).toBe(200_000);
    expect(depth(ladder(1_000))).toBe(1_000);
  });

  it('returns the same object where nothing changes, and keeps sharing where something does', () => {
    const root = ladder(10);
    expect(rebuildDag<Node>(children, (n) => n)(root)).toBe(root);
    const renamed = rebuildDag<Node>(children, (n, get) =>
      node(`${n.name}!`, ...n.children.map(get)),
    )(root);
    expect(postOrder(children, [renamed])).toHaveLength(11);
  });
});
