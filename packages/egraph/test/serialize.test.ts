import { mulberry32, orThrow } from '@baton/base';
import {
  defineLanguage,
  EGraph,
  extractTree,
  fromGraphData,
  numberLeaf,
  rewrite,
  run,
  type SerializedGraph,
  sizeCost,
  symbolLeaf,
  toDot,
  toGraphData,
  toSvg,
} from '@baton/egraph';
import { describe, expect, it } from 'vitest';
import { fastRule } from '../../../bench/src/egraph/fuzz/differential.ts';
import { generateCase } from '../../../bench/src/egraph/fuzz/generate.ts';
import { printTree } from '../../../bench/src/egraph/fuzz/naive.ts';
import { graphOf, randomClasses } from './extract-graphs.ts';

const arithmetic = defineLanguage({
  operators: { '+': 2, '*': 2 },
  leaves: { num: numberLeaf, sym: symbolLeaf },
});

/** `(* (+ a 2) 1)`, with commutativity and the unit: a graph with a cycle. */
function sample(): { readonly egraph: EGraph; readonly root: number } {
  const egraph = new EGraph({ language: arithmetic });
  const root = orThrow(egraph.addExpr('(* (+ a 2) 1)'));
  run(egraph, [
    rewrite<undefined>('comm', '(+ ?a ?b)', '(+ ?b ?a)'),
    rewrite<undefined>('unit', '(* ?a 1)', '?a'),
  ]);
  return { egraph, root };
}

/** The classes of some data as sets of nodes, with classes named by their smallest finite term. */
function signature(data: SerializedGraph): ReadonlyArray<string> {
  const { egraph, roots } = orThrow(fromGraphData(data));
  const name = new Map(
    egraph.classes().map((id) => {
      const [term] = orThrow(extractTree(egraph, [id], sizeCost)).terms;
      return [id, term === undefined ? '' : egraph.print(term)];
    }),
  );
  const nodes = egraph.classes().flatMap((id) =>
    egraph.nodes(id).map((node) => {
      const children = egraph.childrenOf(node).map((child) => name.get(child));
      return `${name.get(id)} holds ${egraph.printOperator(node)}(${children.join(', ')})`;
    }),
  );
  return [...nodes.sort(), ...roots.map((root) => `root ${name.get(root)}`)];
}

describe('the JSON format of the extraction gym', () => {
  it('names nodes class by class and children by a node of their class', () => {
    const egraph = new EGraph({ language: arithmetic });
    const root = orThrow(egraph.addExpr('(+ a 2)'));
    expect(toGraphData(egraph, { roots: [root], cost: (n) => n.children.length })).toEqual({
      nodes: {
        '0.0': { op: 'a', children: [], eclass: '0', cost: 0 },
        '1.0': { op: '2', children: [], eclass: '1', cost: 0 },
        '2.0': { op: '+', children: ['0.0', '1.0'], eclass: '2', cost: 2 },
      },
      root_eclasses: ['2'],
      class_data: {},
    });
  });

  it('gives back the e-graph, its roots, its cycles and its payloads', () => {
    const { egraph, root } = sample();
    const text = JSON.stringify(toGraphData(egraph, { roots: [root] }));
    const read = orThrow(fromGraphData(JSON.parse(text), { language: arithmetic }));
    expect([read.egraph.nodeCount, read.egraph.classCount]).toEqual([
      egraph.nodeCount,
      egraph.classCount,
    ]);
    const sum = orThrow(read.egraph.lookupExpr('(+ 2 a)'));
    expect(read.roots).toEqual([sum]);
    const two = read.egraph.lookup('num', [], 2);
    expect(two).toBeDefined();
    expect(orThrow(read.egraph.lookupExpr('(* (+ a 2) 1)'))).toBe(sum);
  });

  it('round-trips 200 random e-graphs', () => {
    for (let seed = 0; seed < 200; seed++) {
      const { terms, rules } = generateCase(seed, false);
      const egraph = new EGraph<boolean>();
      const roots = terms.map((term) => orThrow(egraph.addExpr(printTree(term))));
      run(egraph, rules.map(fastRule), { iterationLimit: 2, nodeLimit: 300 });
      const data = toGraphData(egraph, { roots });
      const read = orThrow(fromGraphData(data));
      const again = toGraphData(read.egraph, { roots: read.roots });
      expect([seed, signature(again)]).toEqual([seed, signature(data)]);
      expect(Object.keys(again.nodes)).toHaveLength(Object.keys(data.nodes).length);
    }
  });

  it.each([
    ['a list', [], 'the top'],
    ['no nodes', {}, '/nodes'],
    ['a node that is a text', { nodes: { x: 'f' } }, '/nodes/x'],
    [
      'a cost that is a text',
      { nodes: { x: { op: 'f', eclass: '1', cost: '1' } } },
      '/nodes/x/cost',
    ],
    [
      'children that are numbers',
      { nodes: { x: { op: 'f', eclass: '1', children: [1] } } },
      '/nodes/x/children',
    ],
    ['a node without an operator', { nodes: { x: { eclass: '1' } } }, '/nodes/x/op'],
    ['a node without a class', { nodes: { x: { op: 'f' } } }, '/nodes/x/eclass'],
    [
      'a child that is no node',
      { nodes: { x: { op: 'f', eclass: '1', children: ['y'] } } },
      '/nodes/x/children/0',
    ],
    [
      'a root that is no class',
      { nodes: { x: { op: 'f', eclass: '1' } }, root_eclasses: ['2'] },
      '/root_eclasses/0',
    ],
  ])('refuses %s and says where', (_, data, path) => {
    const read = fromGraphData(data);
    expect(read._tag === 'Left' && read.left[0]).toMatchObject({ code: 'EGRAPH_BAD_DATA' });
    expect(read._tag === 'Left' && read.left[0].message).toContain(` at ${path}`);
  });

  it('reads nodes in any order', () => {
    const chain = Array.from({ length: 30_000 }, (_, i) => {
      const children = i === 29_999 ? [] : [String(i + 1)];
      return [String(i), { op: 'f', eclass: String(i), children }] as const;
    });
    const data = { nodes: Object.fromEntries(chain), root_eclasses: ['0'] };
    expect(orThrow(fromGraphData(data)).egraph.classCount).toBe(30_000);
  });

  it('refuses a class that holds no finite term, and names it', () => {
    const read = fromGraphData({
      nodes: {
        x: { op: 'f', eclass: '1', children: ['y'] },
        leaf: { op: 'a', eclass: '1' },
        y: { op: 'g', eclass: '2', children: ['y'] },
      },
    });
    expect(read._tag === 'Left' && read.left).toMatchObject([
      { code: 'EGRAPH_CLASS_WITHOUT_TERM', message: 'class 2 holds no finite term' },
    ]);
  });
});

describe('drawings', () => {
  it('as DOT: a box for each class, edges to the boxes of children', () => {
    const egraph = new EGraph();
    orThrow(egraph.addExpr('(f "a" b)'));
    expect(toDot(egraph)).toBe(`digraph egraph {
  compound=true
  subgraph cluster_0 {
    style=dotted
    "0.0" [label="\\"a\\""]
  }
  subgraph cluster_1 {
    style=dotted
    "1.0" [label="b"]
  }
  subgraph cluster_2 {
    style=dotted
    "2.0" [label="f"]
  }
  "2.0" -> "0.0" [lhead=cluster_0, taillabel="0"]
  "2.0" -> "1.0" [lhead=cluster_1, taillabel="1"]
}
`);
  });

  it('as SVG: every node and edge, no class over another, names escaped', () => {
    const { egraph } = sample();
    orThrow(egraph.addExpr('(+ <b> 7)'));
    egraph.rebuild();
    const svg = toSvg(egraph);
    const count = (pattern: RegExp): number => [...svg.matchAll(pattern)].length;
    expect(count(/class="class"/g)).toBe(egraph.classCount);
    expect(count(/class="node"/g)).toBe(egraph.nodeCount);
    const edges = egraph
      .classes()
      .flatMap((id) => egraph.nodes(id).flatMap((n) => egraph.childrenOf(n)));
    expect(count(/<path d="M[\d.]+ [\d.]+V/g)).toBe(edges.length);
    // The order of arguments is written, and arrows show where edges lead.
    expect(count(/class="i">0</g)).toBe(count(/class="i">1</g));
    expect(count(/V[\d.]+m-3-6 3 6 3-6"\/>/g)).toBe(edges.length);
    expect(svg).toContain('&#60;b&#62;');
    expect(overlaps(svg)).toBe(0);
  });

  it('as SVG: random graphs with cycles, whose edges go around boxes (U.12)', () => {
    for (let seed = 0; seed < 50; seed++) {
      const svg = toSvg(graphOf(randomClasses(mulberry32(seed))));
      expect(overlaps(svg)).toBe(0);
      expect(crossings(svg)).toEqual([]);
    }
  });
});

/** The class boxes of a drawing: x, y, width, height. */
const boxesOf = (svg: string): ReadonlyArray<number[]> =>
  [
    ...svg.matchAll(
      /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" class="class"/g,
    ),
  ].map((match) => match.slice(1).map(Number));

/** Points along an edge of straight pieces. */
function pointsOf(path: string): ReadonlyArray<readonly [number, number]> {
  const points: (readonly [number, number])[] = [];
  let [x, y] = [0, 0];
  const line = (toX: number, toY: number): void => {
    const [fromX, fromY] = [x, y];
    for (let i = 0; i <= 40; i++) {
      points.push([fromX + ((toX - fromX) * i) / 40, fromY + ((toY - fromY) * i) / 40]);
    }
    [x, y] = [toX, toY];
  };
  for (const [, command, text = ''] of path.matchAll(/([A-Za-z])([-\d. ]*)/g)) {
    const [a = 0, b = 0] = text.trim().split(' ').map(Number);
    if (command === 'M') [x, y] = [a, b];
    else if (command === 'V') line(x, a);
    else if (command === 'H') line(a, y);
    else throw new Error(`unknown command ${command}`);
  }
  return points;
}

/** The points of edges that lie in a box, but for where an edge leaves its node, or off the sheet. */
function crossings(svg: string): ReadonlyArray<string> {
  const boxes = boxesOf(svg);
  const [, width = 0, height = 0] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? []).map(Number);
  const edges = [...svg.matchAll(/<path d="(M[^"]*)m-3-6 3 6 3-6"\/>/g)].map(
    (match) => match[1] ?? '',
  );
  expect(edges.length).toBeGreaterThan(0);
  return edges.flatMap((path) => {
    const points = pointsOf(path);
    const [[startX, startY] = [0, 0]] = points;
    return points.flatMap(([x, y]) => {
      const isOut = x < 0 || y < 0 || x > width || y > height;
      const isIn = boxes.some(
        ([left = 0, top = 0, w = 0, h = 0]) =>
          x > left && x < left + w && y > top + 0.01 && y < top + h - 0.01,
      );
      const isStart = x === startX && y <= startY + 12;
      return isOut || (isIn && !isStart) ? [`${path} at ${x},${y}`] : [];
    });
  });
}

/** How many pairs of class boxes of a drawing lie over one another. */
function overlaps(svg: string): number {
  const boxes = boxesOf(svg);
  const apart = (a: number[], b: number[]): boolean => {
    const [x = 0, y = 0, width = 0, height = 0] = a;
    const [x2 = 0, y2 = 0, width2 = 0, height2 = 0] = b;
    return x + width <= x2 || x2 + width2 <= x || y + height <= y2 || y2 + height2 <= y;
  };
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
}
