/**
 * A small node of every operator is imported. It is refused with an input too few or too many, with
 * an unknown attribute, and by a table that lacks an operator of Baton that it calls.
 */
import { isLeft } from '@baton/base';
import { opTable, typeOf } from '@baton/ir';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { onnxImporters } from '../src/catalogue.ts';
import { factsOf } from '../src/schemas/schemas.ts';
import { catalogue, graphOf, nameOf, type Small } from './helpers/catalogue.ts';
import { type GraphParts, modelBytes } from './helpers/encode.ts';
import { diagnosticText, mainOf, typeText } from './helpers/import.ts';

const bytesOf = (graph: GraphParts, { opset = 21 }: Small): Uint8Array => modelBytes(graph, opset);

const tableOf = (names: ReadonlyArray<string>) =>
  opTable(names.flatMap((name) => standardOps.get(name) ?? []));

const operators = [...onnxImporters.values()].map((operator) => ({
  name: nameOf(operator),
  operator,
}));

describe.each(operators)('$name', ({ name, operator }) => {
  const small = catalogue[name];
  if (small === undefined) throw new Error(`no small node of ${name}`);
  const graph = graphOf(operator, small);
  const node = graph.nodes.at(-1);
  if (node === undefined) throw new Error('one node');
  const refusal = (changed: Partial<typeof node>, ops = standardOps): string => {
    const found = importOnnx(
      bytesOf({ ...graph, nodes: [...graph.nodes.slice(0, -1), { ...node, ...changed }] }, small),
      {
        ops,
      },
    );
    return isLeft(found) ? found.left.map(diagnosticText).join('; ') : 'imported';
  };

  test('has the type of its result', () => {
    const found = importOnnx(bytesOf(graph, small), { ops: standardOps });
    if (isLeft(found)) throw new Error(found.left.map(diagnosticText).join('; '));
    const { body } = mainOf(found.right);
    const first = (body._tag === 'Tuple' ? body.fields[0] : undefined) ?? body;
    expect(first && typeText(typeOf(found.right, first))).toBe(small.result);
  });

  test('is refused by a table that lacks one of the operators that it calls', () => {
    const asked = new Set<string>();
    const get = (name: string) => {
      asked.add(name);
      return standardOps.get(name);
    };
    expect(refusal({}, { ...standardOps, get })).toBe('imported');
    for (const name of asked) {
      expect(refusal({}, tableOf([...asked].filter((other) => other !== name)))).toContain(
        `the operator table lacks ${name}, which this node needs`,
      );
    }
  });

  test('is refused with another number of inputs, or with an attribute that it lacks', () => {
    const [least, most] = factsOf(operator).inputs;
    const given = node.in ?? [];
    if (least > 0) {
      expect(refusal({ in: given.slice(0, least - 1) })).toContain('ONNX_INPUTS');
      expect(refusal({ in: given.map((input, i) => (i === least - 1 ? '' : input)) })).toContain(
        'ONNX_INPUTS',
      );
    }
    if (Number.isFinite(most)) {
      const more = Array.from({ length: most + 1 }, (_, i) => given[i] ?? given[0] ?? 'x0');
      expect(refusal({ in: more })).toContain('ONNX_');
    }
    expect(refusal({ attrs: { ...node.attrs, no_such: { i: 1 } } })).toContain('no_such');
  });
});
