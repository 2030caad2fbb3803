/** R: a file with operators of another domain is refused for that, before any limit. */
import { isLeft } from '@baton/base';
import { importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import {
  bytes,
  type FunctionParts,
  type GraphParts,
  int,
  modelBytes,
  type NodeParts,
  text,
} from './helpers/encode.ts';
import { diagnosticText } from './helpers/import.ts';

const x = { name: 'x', dims: ['n', 4] };

/** The problems of a model that names these domains, with room for ten items of attributes. */
function problems(
  graph: GraphParts,
  domains: ReadonlyArray<string>,
  functions: ReadonlyArray<FunctionParts> = [],
): ReadonlyArray<string> {
  const named = domains.flatMap((domain) => bytes(8, [...text(1, domain), ...int(2, 1)]));
  const file = Uint8Array.from([...modelBytes(graph, 17, functions), ...named]);
  const limits = { attributeItems: 40 };
  const result = importOnnx(file, { ops: standardOps, source: 'test', limits });
  return isLeft(result) ? result.left.map((d) => `${diagnosticText(d)} [${d.hint ?? ''}]`) : [];
}

const many = { floats: new Array<number>(100).fill(1) };
const trees = (inputs: ReadonlyArray<string>, out: string): NodeParts => ({
  op: 'TreeEnsembleClassifier',
  domain: 'ai.onnx.ml',
  in: inputs,
  out: [out],
  attrs: { nodes_values: many },
});
const own: NodeParts = { op: 'Own', domain: 'my.domain', in: ['x'], out: ['o'] };
const ML = 'operators of classical machine learning are not imported';
const OTHER = 'its domain is none of ONNX, and the model has no function of this name';

describe('operators of other domains', () => {
  test('of ai.onnx.ml, with more attributes than the limit', () => {
    const graph = { nodes: [trees(['x'], 'y')], inputs: [x] };
    expect(problems(graph, ['ai.onnx.ml'])).toEqual([
      `ONNX_UNSUPPORTED at test: TreeEnsembleClassifier #0: operator ai.onnx.ml::TreeEnsembleClassifier is not imported: 1 node [${ML}]`,
    ]);
  });

  test('several, each with its count', () => {
    const graph = {
      nodes: [own, trees(['o'], 't'), { op: 'Add', in: ['t', 'u'] }, trees(['o'], 'u')],
      inputs: [x],
    };
    expect(problems(graph, ['ai.onnx.ml', 'my.domain'])).toEqual([
      `ONNX_UNSUPPORTED at test: Own #0: operator my.domain::Own is not imported: 1 node [${OTHER}]`,
      `ONNX_UNSUPPORTED at test: TreeEnsembleClassifier #1: operator ai.onnx.ml::TreeEnsembleClassifier is not imported: 2 nodes [${ML}]`,
    ]);
  });

  test('a domain that no node uses, or none that the outputs need, is no problem', () => {
    const relu = { op: 'Relu', in: ['x'] };
    expect(problems({ nodes: [relu], inputs: [x] }, ['ai.onnx.ml', 'any'])).toEqual([]);
    expect(problems({ nodes: [{ ...own }, relu], inputs: [x] }, ['my.domain'])).toEqual([]);
  });

  test('a function of the model is no foreign operator', () => {
    const f = {
      name: 'Own',
      domain: 'my.domain',
      inputs: ['a'],
      outputs: ['b'],
      nodes: [{ op: 'Relu', in: ['a'], out: ['b'] }],
    };
    const nodes = [own, { op: 'Neg', in: ['o'] }];
    expect(problems({ nodes, inputs: [x] }, ['my.domain'], [f])).toEqual([]);
  });

  test('operators of onnxruntime that are imported are none', () => {
    const nodes = [{ op: 'QuickGelu', domain: 'com.microsoft', in: ['x'] }];
    expect(problems({ nodes, inputs: [x] }, ['com.microsoft'])).toEqual([]);
  });

  test('a file cut short is refused as such', () => {
    const whole = modelBytes({ nodes: [own], inputs: [x] }, 17);
    const named = bytes(8, [...text(1, 'my.domain'), ...int(2, 1)]);
    const cut = Uint8Array.from([...named, ...whole.slice(0, whole.length - 5)]);
    const result = importOnnx(cut, { ops: standardOps, source: 'test' });
    expect(isLeft(result) && result.left[0].code).toBe('ONNX_MALFORMED');
  });
});
