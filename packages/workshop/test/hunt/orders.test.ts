/** What a model's nodes are called, and in which order they stand, does not change what becomes of it. */
import { mulberry32, type Random } from '@baton/base';
import { structuralEqual } from '@baton/ir';
import type { GraphProto, ModelProto, NodeProto } from '@baton/onnx';
import {
  type IRModule,
  importOnnx,
  isLeft,
  measureModule,
  optimize,
  orThrow,
  runPass,
} from 'batonjs';
import { expect, test } from 'vitest';
import { amount } from '../../../../test/tier.ts';
import { generate } from '../../src/hunt/generate.ts';
import { bytesOf, graphOf, readsOf } from '../../src/hunt/model.ts';

/** The models of this seed. */
const SEED = 34;

/** A graph whose values, but its inputs and outputs, have other names; so have those of inner graphs. */
function renamed(graph: GraphProto, kept: ReadonlySet<string>): GraphProto {
  const name = (old: string): string =>
    old === '' || kept.has(old) ? old : `${[...old].reverse().join('')}.é`;
  const node = (given: NodeProto): NodeProto => ({
    ...given,
    name: name(given.name),
    inputs: given.inputs.map(name),
    outputs: given.outputs.map(name),
    attributes: given.attributes.map((attribute) =>
      attribute.value.kind === 'graph'
        ? { ...attribute, value: { kind: 'graph', value: renamed(attribute.value.value, kept) } }
        : attribute,
    ),
  });
  return {
    ...graph,
    nodes: graph.nodes.map(node),
    inputs: graph.inputs.map((info) => ({ ...info, name: name(info.name) })),
    outputs: graph.outputs.map((info) => ({ ...info, name: name(info.name) })),
    initializers: graph.initializers.map((t) => ({ ...t, name: name(t.name) })),
  };
}

/** The nodes in another order in which each stands after what it reads. */
function permuted(graph: GraphProto, random: Random): GraphProto {
  const made = new Set(graph.nodes.flatMap(({ outputs }) => outputs));
  const waiting = [...graph.nodes];
  const nodes: NodeProto[] = [];
  while (waiting.length > 0) {
    const ready = waiting.filter((node) => readsOf(node).every((name) => !made.has(name)));
    const next = ready[Math.floor(random() * ready.length)];
    if (next === undefined) throw new Error('the graph has a circle');
    waiting.splice(waiting.indexOf(next), 1);
    nodes.push(next);
    for (const name of next.outputs) made.delete(name);
  }
  return { ...graph, nodes };
}

const withGraph = (model: ModelProto, change: (graph: GraphProto) => GraphProto): ModelProto => ({
  ...model,
  graph: change(graphOf(model)),
});

/** The program of a model at level 3; `undefined` if it is not imported. */
function optimized(model: ModelProto): IRModule | undefined {
  const m = importOnnx(bytesOf(model));
  return isLeft(m) ? undefined : orThrow(runPass(optimize({ level: 3 }))(m.right)).module;
}

const bodyOf = (m: IRModule) => m.functions.get('main');

test('other names give the same program up to names, another order one of the same size', () => {
  let imported = 0;
  for (let index = 0; index < amount(200, { quick: 20 }); index++) {
    const { model } = generate(SEED, index);
    const graph = graphOf(model);
    const ports = new Set([...graph.inputs, ...graph.outputs].map(({ name }) => name));
    const own = optimized(model);
    const other = optimized(withGraph(model, (g) => renamed(g, ports)));
    const moved = optimized(withGraph(model, (g) => permuted(g, mulberry32(index))));
    if (own === undefined || other === undefined || moved === undefined) {
      expect([own, other, moved], `model ${index}`).toEqual([undefined, undefined, undefined]);
      continue;
    }
    imported++;
    const [a, b] = [bodyOf(own), bodyOf(other)];
    expect(a && b && structuralEqual(a, b), `names of model ${index}`).toBe(true);
    expect(measureModule(moved).nodes, `order of model ${index}`).toBe(measureModule(own).nodes);
  }
  expect(imported).toBeGreaterThan(amount(150, { quick: 15 }));
});
