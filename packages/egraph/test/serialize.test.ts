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
import { fastRule } from '../../workshop/src/egraph/differential.ts';
import { generateCase } from '../../workshop/src/egraph/generate.ts';
import { printTree } from '../../workshop/src/egraph/naive.ts';
import { graphOf, node, randomClasses } from './extract-graphs.ts';

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
    ['nothing', null, 'the top'],
    ['nodes that are nothing', { nodes: null }, '/nodes'],
    ['nodes that are a list', { nodes: [] }, '/nodes'],
    ['roots that are a text', { nodes: {}, root_eclasses: '1' }, '/root_eclasses'],
    [
      'the first of several mistakes',
      { nodes: { x: { op: 1, eclass: 2 } }, root_eclasses: ['2'] },
      '/nodes/x/op',
    ],
    [
      'a later child that is no node',
      { nodes: { x: { op: 'f', eclass: '1', children: ['x', 'y'] } } },
      '/nodes/x/children/1',
    ],
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

describe('operators in the JSON format', () => {
  const one = (op: string, children: ReadonlyArray<string> = []) => ({
    nodes: { x: { op, eclass: '1', children }, y: { op: '2', eclass: '2' } },
  });
  const read = (data: unknown) => {
    const result = fromGraphData(data, { language: arithmetic });
    return result._tag === 'Left' ? result.left[0].code : 'success';
  };
  it('is checked against the language', () => {
    expect(read(one('+', ['y', 'y']))).toBe('success');
    expect(read(one('+', ['y']))).toBe('EGRAPH_ARITY_MISMATCH');
    expect(read(one('-', ['y', 'y']))).toBe('EGRAPH_UNKNOWN_OPERATOR');
  });

  it('may be read in another way', () => {
    const asked: unknown[] = [];
    const result = orThrow(
      fromGraphData(one('times two', ['y']), {
        readOperator: (text, arity) => {
          asked.push([text, arity]);
          return { name: arity === 0 ? 'leaf' : 'node', payload: text };
        },
      }),
    );
    expect(asked).toEqual([
      ['2', 0],
      ['times two', 1],
    ]);
    const leaf = result.egraph.lookup('leaf', [], '2');
    expect(leaf !== undefined && result.egraph.lookup('node', [leaf], 'times two')).toBeDefined();
    expect(result.roots).toEqual([]);
  });

  it('holds for nodes that lie in one class', () => {
    const data = {
      nodes: {
        a: { op: 'a', eclass: '1' },
        b: { op: 'b', eclass: '1' },
        f: { op: 'f', eclass: '2', children: ['b'] },
        g: { op: 'f', eclass: '3', children: ['a'] },
      },
      root_eclasses: ['3', '1'],
    };
    const { egraph, roots } = orThrow(fromGraphData(data));
    expect([egraph.nodeCount, egraph.classCount]).toEqual([3, 2]);
    expect(roots).toEqual([orThrow(egraph.lookupExpr('(f a)')), orThrow(egraph.lookupExpr('b'))]);
  });
});

/** A graph with a cycle, an edge that skips a layer, and a class of two nodes. */
const drawn = graphOf([
  [node('f', 0, [1, 2]), node('g', 0, [0])],
  [node('a', 0)],
  [node('h', 0, [1]), node('two words', 0, [3, 3, 0])],
  [node('k', 0)],
]);

describe('drawings', () => {
  it('as DOT: edges within a class name a node, and labels may have any characters', () => {
    const dot = toDot(drawn);
    expect(dot).toContain('    "2.1" [label="two words:0"]\n');
    expect(dot).toContain('  "0.1" -> "0.0" [taillabel="0"]\n');
    expect(dot).toContain('  "2.1" -> "3.0" [lhead=cluster_3, taillabel="1"]\n');
    expect(dot).toContain('  "2.1" -> "0.0" [lhead=cluster_0, taillabel="2"]\n');
    const odd = graphOf([[{ name: 'a"b\\c\nd\n"', payload: undefined, children: [] }]]);
    expect(toDot(odd)).toContain('[label="a\\"b\\\\c\\nd\\n\\""]');
  });

  it('as SVG: where each class, node, argument and edge is', () => {
    const shapes = toSvg(drawn)
      .split('\n')
      .filter((line) => /^<(svg|rect|text|path)/.test(line));
    expect(
      shapes.join('\n'),
    ).toBe(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 252 348" width="252" height="348">
<rect x="12" y="140" width="116" height="48" class="class"/>
<rect x="24" y="152" width="40" height="24" class="node"/>
<text x="44" y="168" class="l">f:0</text>
<text x="42.333333333333336" y="187" class="i">0</text>
<text x="55.66666666666667" y="187" class="i">1</text>
<rect x="76" y="152" width="40" height="24" class="node"/>
<text x="96" y="168" class="l">g:0</text>
<rect x="12" y="244" width="64" height="48" class="class"/>
<rect x="24" y="256" width="40" height="24" class="node"/>
<text x="44" y="272" class="l">a:0</text>
<rect x="12" y="36" width="180" height="48" class="class"/>
<rect x="24" y="48" width="40" height="24" class="node"/>
<text x="44" y="64" class="l">h:0</text>
<rect x="76" y="48" width="104" height="24" class="node"/>
<text x="128" y="64" class="l">two words:0</text>
<text x="107" y="83" class="i">0</text>
<text x="133" y="83" class="i">1</text>
<text x="159" y="83" class="i">2</text>
<rect x="140" y="140" width="64" height="48" class="class"/>
<rect x="152" y="152" width="40" height="24" class="node"/>
<text x="172" y="168" class="l">k:0</text>
<path d="M37.333333333333336 176V194H44V244m-3-6 3 6 3-6"/>
<path d="M50.66666666666667 176V198H224V26H102V36m-3-6 3 6 3-6"/>
<path d="M96 176V202H232V126H70V140m-3-6 3 6 3-6"/>
<path d="M44 72V102H240V226H44V244m-3-6 3 6 3-6"/>
<path d="M102 72V106H172V140m-3-6 3 6 3-6"/>
<path d="M128 72V110H172V140m-3-6 3 6 3-6"/>
<path d="M154 72V90H70V140m-3-6 3 6 3-6"/>`);
  });

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
    // The order of arguments is written, and arrows show the targets of edges.
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

/** The points of edges inside a box or off the sheet, except where an edge leaves its node. */
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

/** The number of overlapping pairs of class boxes of a drawing. */
function overlaps(svg: string): number {
  const boxes = boxesOf(svg);
  const apart = (a: number[], b: number[]): boolean => {
    const [x = 0, y = 0, width = 0, height = 0] = a;
    const [x2 = 0, y2 = 0, width2 = 0, height2 = 0] = b;
    return x + width <= x2 || x2 + width2 <= x || y + height <= y2 || y2 + height2 <= y;
  };
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
}
