import { orThrow, spanLeaves } from '@baton/base';
import { type Expr, type IRModule, postOrderExprs } from '@baton/ir';
import { decodeModel, type ImportOptions, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { describe, expect, test } from 'vitest';
import { corpus, modelFile, recipeWeights } from './helpers/corpus.ts';
import { mainOf, typeText } from './helpers/import.ts';

/** How many calls of each operator a module has. */
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
  return orThrow(importOnnx(file, { ops: standardOps, source: model, ...options }));
}

/** The operators that the graph of each model has, and the calls that they become. */
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
];

describe.runIf(corpus !== undefined)('models of the corpus', () => {
  const root = corpus ?? '';
  test.each(MODELS)('$model becomes calls, one for one', ({ model, nodes, inputs, calls }) => {
    const graph = orThrow(decodeModel(modelFile(root, model))).graph;
    expect(graph?.nodes).toHaveLength(nodes);
    const module = load(root, model, { weights: recipeWeights(root, model) });
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

  test('the weights are those of the recipe, by the names of their values', () => {
    const weights = recipeWeights(root, 'squeezenet');
    const body = mainOf(load(root, 'squeezenet', { weights })).body;
    const constants = postOrderExprs([body]).flatMap((e: Expr) =>
      e._tag === 'Constant' ? [e] : [],
    );
    expect(constants).toHaveLength(52);
    // Without weights every one of them holds 0.02.
    const spread = constants.map((c) => Math.min(...c.data.data.slice(0, 16).map(Number)));
    expect(spread.every((least) => least < 0.02)).toBe(true);
  });
});
