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
    expect(count(/<path d="M[\d.]+ [\d.]+C/g)).toBe(edges.length);
    expect(svg).toContain('&#60;b&#62;');
    expect(overlaps(svg)).toBe(0);
  });

  it('as SVG: random graphs with cycles', () => {
    for (let seed = 0; seed < 50; seed++) {
      expect(overlaps(toSvg(graphOf(randomClasses(mulberry32(seed)))))).toBe(0);
    }
  });
});

/** How many pairs of class boxes of a drawing lie over one another. */
function overlaps(svg: string): number {
  const boxes = [
    ...svg.matchAll(
      /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" class="class"/g,
    ),
  ].map((match) => match.slice(1).map(Number));
  const apart = (a: number[], b: number[]): boolean => {
    const [x = 0, y = 0, width = 0, height = 0] = a;
    const [x2 = 0, y2 = 0, width2 = 0, height2 = 0] = b;
    return x + width <= x2 || x2 + width2 <= x || y + height <= y2 || y2 + height2 <= y;
  };
  return boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => !apart(a, b))).length;
}
