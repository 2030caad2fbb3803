import { orThrow, spanLeaves } from '@baton/base';
import { type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { decodeModel, type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { toNumbers } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { corpus, modelFile, recipeWeights } from './helpers/corpus.ts';
import { mainOf, typeText } from './helpers/import.ts';

/** The number of calls of each operator in a module. */
function callCounts(module: IRModule): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const expr of postOrderExprs([mainOf(module).body])) {
    if (expr._tag !== 'Call' || expr.op._tag !== 'Op') continue;
    counts[expr.op.name] = (counts[expr.op.name] ?? 0) + 1;
  }
  return counts;
}

function load(root: string, model: string, options: Partial<ImportOptions> = {}): IRModule {
  const file = modelFile(root, model);
  const dims = model === 'bert-tiny' ? { batch: 1, seq: 16 } : {};
  // Without its weights, one layer of alexnet would be a constant of 151 MB.
  const maxConstantBytes = 2 ** 28;
  const all = { ops: standardOps, source: model, dims, maxConstantBytes, ...options };
  return orThrow(importOnnx(file, all));
}

/** The operators in the graph of each model, and the resulting calls. */
const MODELS: ReadonlyArray<{
  readonly model: string;
  readonly nodes: number;
  readonly inputs: ReadonlyArray<string>;
  readonly calls: Readonly<Record<string, number>>;
}> = [
  {
    model: 'squeezenet',
    nodes: 105,
    inputs: ['data_0: float32(1, 3, 224, 224)'],
    calls: {
      concatenate: 8,
      'nn.bias_add': 26,
      'nn.conv2d': 26,
      'nn.dropout': 1,
      'nn.global_avg_pool2d': 1,
      'nn.max_pool2d': 3,
      'nn.relu': 26,
      'nn.softmax': 1,
    },
  },
  {
    model: 'resnet50',
    nodes: 415,
    inputs: ['gpu_0/data_0: float32(1, 3, 224, 224)'],
    calls: {
      add: 16,
      'nn.avg_pool2d': 1,
      'nn.batch_norm': 53,
      'nn.bias_add': 1,
      'nn.conv2d': 53,
      'nn.dense': 1,
      'nn.max_pool2d': 1,
      'nn.relu': 49,
      'nn.softmax': 1,
      reshape: 1,
    },
  },
  {
    model: 'bvlc_alexnet',
    nodes: 40,
    inputs: ['data_0: float32(1, 3, 224, 224)'],
    calls: {
      'nn.bias_add': 8,
      'nn.conv2d': 5,
      'nn.dense': 3,
      'nn.dropout': 2,
      'nn.lrn': 2,
      'nn.max_pool2d': 3,
      'nn.relu': 7,
      'nn.softmax': 1,
      reshape: 1,
    },
  },
  {
    model: 'densenet121',
    nodes: 1746,
    inputs: ['data_0: float32(1, 3, 224, 224)'],
    calls: {
      add: 121,
      concatenate: 58,
      expand_dims: 242,
      multiply: 121,
      'nn.avg_pool2d': 3,
      'nn.batch_norm': 121,
      'nn.bias_add': 1,
      'nn.conv2d': 121,
      'nn.global_avg_pool2d': 1,
      'nn.max_pool2d': 1,
      'nn.relu': 121,
    },
  },
  {
    model: 'inception_v1',
    nodes: 237,
    inputs: ['data_0: float32(1, 3, 224, 224)'],
    calls: {
      concatenate: 9,
      'nn.avg_pool2d': 1,
      'nn.bias_add': 58,
      'nn.conv2d': 57,
      'nn.dense': 1,
      'nn.dropout': 1,
      'nn.lrn': 2,
      'nn.max_pool2d': 13,
      'nn.relu': 57,
      'nn.softmax': 1,
      reshape: 2,
    },
  },
  {
    model: 'bert-tiny',
    nodes: 220,
    inputs: ['input_ids: int64(1, 16)', 'attention_mask: int64(1, 16)'],
    // The subgraphs of Shape, Gather, Unsqueeze and Concat are gone: only their results are left.
    calls: {
      add: 31,
      cast: 1,
      divide: 9,
      erf: 2,
      expand_dims: 2,
      mean: 10,
      multiply: 10,
      'nn.batch_matmul': 4,
      'nn.bias_add': 1,
      'nn.dense': 1,
      'nn.dropout': 3,
      'nn.matmul': 12,
      'nn.softmax': 2,
      power: 5,
      reshape: 20,
      sqrt: 5,
      subtract: 6,
      take: 3,
      tanh: 1,
      transpose: 10,
    },
  },
];

describe.runIf(corpus !== undefined)('models of the corpus', () => {
  const root = corpus ?? '';
  test.each(MODELS)('$model becomes calls', ({ model, nodes, inputs, calls }) => {
    const graph = orThrow(decodeModel(modelFile(root, model))).graph;
    expect(graph?.nodes).toHaveLength(nodes);
    const module = load(root, model);
    expect(callCounts(module)).toEqual(calls);
    const { params } = mainOf(module);
    expect(params.map((p) => `${p.nameHint}: ${typeText(p.typeAnnotation)}`)).toEqual(inputs);
  });

  test.each(MODELS)('every call of $model names the node that it came from', ({ model }) => {
    const graph = orThrow(decodeModel(modelFile(root, model))).graph;
    const names = new Set(graph?.nodes.map((node) => node.name));
    for (const expr of postOrderExprs([mainOf(load(root, model)).body])) {
      if (expr._tag !== 'Call') continue;
      const places = spanLeaves(expr.span).map((l) => (l._tag === 'NodeSpan' ? l.name : ''));
      expect(places.map((name) => names.has(name))).toEqual([true]);
    }
  });

  test('the weights come from the recipe, by the names of their values', () => {
    const weights = recipeWeights(root, 'squeezenet');
    const body = mainOf(load(root, 'squeezenet', { weights })).body;
    const constants = postOrderExprs([body]).flatMap((e: Expr) =>
      e._tag === 'Constant' ? [e] : [],
    );
    expect(constants).toHaveLength(52);
    // Without weights every one of them holds 0.02.
    const spread = constants.map((c) => Math.min(...Array.from(toNumbers(c.data).slice(0, 16))));
    expect(spread.every((least) => least < 0.02)).toBe(true);
  });
});
