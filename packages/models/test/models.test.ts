import { InvariantError, orThrow, spanLeaves } from '@baton/base';
import { type IRModule, inferTypes, postOrderExprs } from '@baton/ir';
import {
  bert,
  decoder,
  densenet121,
  detector,
  gpt2,
  lstm,
  mlp,
  mobilenetV2,
  resnet18,
  resnet50,
  squeezenet,
  transformerEncoder,
  unet,
  vit,
} from '@baton/models';
import { standardOps as ops } from '@baton/ops';
import { tensorsEqual } from '@baton/tensor';
import { printType } from '@baton/text';
import { describe, expect, it } from 'vitest';

const nodes = (m: IRModule) => postOrderExprs([...m.functions.values()]);

const opCounts = (m: IRModule): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const node of nodes(m)) {
    if (node._tag !== 'Call' || node.op._tag !== 'Op') continue;
    counts[node.op.name] = (counts[node.op.name] ?? 0) + 1;
  }
  return counts;
};

const WEIGHT = /\.(weight|bias|gamma|beta|mean|variance)$/;

/** The weights: every constant that depends on the seed. */
const weights = (m: IRModule) =>
  nodes(m).flatMap((n) => {
    if (n._tag !== 'Constant') return [];
    const [leaf] = spanLeaves(n.span);
    return leaf?._tag === 'BuilderSpan' && WEIGHT.test(leaf.name) ? [n.data] : [];
  });

interface Small {
  readonly build: (seeded: { readonly seed?: string }) => IRModule;
  readonly type: string;
}

const CLASSIFIER = 'Tensor[(1, 10), float32]';
const image = { ops, imageSize: 32, classes: 10 };

const small: Readonly<Record<string, Small>> = {
  mlp: {
    build: (seeded) => mlp({ ops, inputs: 12, hidden: [8, 6], ...seeded }),
    type: CLASSIFIER,
  },
  resnet18: { build: (seeded) => resnet18({ ...image, width: 4, ...seeded }), type: CLASSIFIER },
  resnet50: { build: (seeded) => resnet50({ ...image, width: 4, ...seeded }), type: CLASSIFIER },
  mobilenetV2: {
    build: (seeded) => mobilenetV2({ ...image, widthMultiplier: 0.25, ...seeded }),
    type: CLASSIFIER,
  },
  'squeezenet 1.0': {
    build: (seeded) => squeezenet({ ...image, widthMultiplier: 0.25, ...seeded }),
    type: CLASSIFIER,
  },
  'squeezenet 1.1': {
    build: (seeded) => squeezenet({ ...image, version: '1.1', widthMultiplier: 0.25, ...seeded }),
    type: CLASSIFIER,
  },
  densenet121: {
    build: (seeded) => densenet121({ ...image, growth: 4, ...seeded }),
    type: CLASSIFIER,
  },
  lstm: {
    build: (seeded) =>
      lstm({ ops, batch: 2, steps: 3, inputs: 5, hidden: 4, layers: 2, ...seeded }),
    type: 'Tensor[(2, 10), float32]',
  },
  transformerEncoder: {
    build: (seeded) =>
      transformerEncoder({
        ops,
        batch: 2,
        sequenceLength: 5,
        layers: 2,
        heads: 2,
        width: 8,
        ...seeded,
      }),
    type: 'Tensor[(2, 5, 8), float32]',
  },
  vit: {
    build: (seeded) =>
      vit({ ...image, batch: 2, patchSize: 16, layers: 2, heads: 2, width: 8, ...seeded }),
    type: 'Tensor[(2, 10), float32]',
  },
  bert: {
    build: (seeded) =>
      bert({ ...{ ops, batch: 2, sequenceLength: 5, layers: 2, heads: 2, width: 8 }, ...seeded }),
    type: '(Tensor[(2, 5, 8), float32], Tensor[(2, 8), float32])',
  },
  gpt2: {
    build: (seeded) =>
      gpt2({
        ...{ ops, batch: 2, past: 3, layers: 1, heads: 2, width: 8 },
        ...{ vocabulary: 6, positions: 5 },
        ...seeded,
      }),
    type: '(Tensor[(2, 1, 6), float32], Tensor[(2, 2, 4, 4), float32], Tensor[(2, 2, 4, 4), float32])',
  },
  unet: {
    build: (seeded) =>
      unet({ ops, batch: 2, imageSize: 21, width: 4, depth: 2, classes: 3, ...seeded }),
    type: 'Tensor[(2, 3, 21, 21), float32]',
  },
  detector: {
    build: (seeded) =>
      detector({ ops, batch: 2, imageSize: 64, width: 4, classes: 3, detections: 7, ...seeded }),
    type: 'Tensor[(2, 7, 6), float32]',
  },
  decoder: {
    build: (seeded) =>
      decoder({ ops, layers: 1, heads: 2, width: 8, vocabulary: 6, positions: 5, ...seeded }),
    type: '(Tensor[(1, 6), float32], Tensor[(2, past + 1, 4), float32], Tensor[(2, past + 1, 4), float32])',
  },
};

describe.each(Object.entries(small))('%s', (_, { build, type }) => {
  it('has the type that its documentation says', () => {
    const main = orThrow(inferTypes(build({}))).functions.get('main');
    expect(main?.retType && printType(main.retType)).toBe(type);
  });

  it('is the same network for the same seed and another for another', () => {
    const [a, b, c] = [build({}), build({}), build({ seed: 'other' })].map(weights);
    expect(a?.length).toBeGreaterThan(0);
    expect(a?.every((x, i) => b?.[i] !== undefined && tensorsEqual(x, b[i]))).toBe(true);
    expect(a?.every((x, i) => c?.[i] !== undefined && !tensorsEqual(x, c[i]))).toBe(true);
  });

  it('draws no two weights alike', () => {
    const seen = new Set(weights(build({})).map((t) => `${t.shape}:${t.data.slice(0, 8)}`));
    expect(seen.size).toBe(weights(build({})).length);
  });

  it('names the layer that every node belongs to', () => {
    for (const node of nodes(build({}))) {
      if (node._tag === 'Function' || node._tag === 'Op') continue;
      expect(spanLeaves(node.span).length).toBeGreaterThan(0);
    }
  });
});

describe('the papers give the networks their operators', () => {
  const head = {
    'nn.global_avg_pool2d': 1,
    'nn.batch_flatten': 1,
    'nn.dense': 1,
    'nn.bias_add': 1,
    'nn.softmax': 1,
  };
  /** The operators of attention layers and normalizations, except sums. */
  const spelledLayers = (layers: number, norms: number) => ({
    'nn.matmul': layers * 6,
    'nn.batch_matmul': layers * 2,
    'nn.softmax': layers,
    erf: layers,
    mean: norms * 2,
    subtract: norms,
    power: norms,
    sqrt: norms,
    // Of normalizations, of scores, and of GELU.
    divide: norms + layers * 2,
    multiply: norms + layers * 2,
  });
  const table: ReadonlyArray<readonly [string, IRModule, Readonly<Record<string, number>>]> = [
    [
      'an MLP its three layers',
      mlp({ ops }),
      { 'nn.dense': 3, 'nn.bias_add': 3, 'nn.relu': 2, 'nn.softmax': 1 },
    ],
    [
      'ResNet-18 its 20 convolutions and 8 shortcuts',
      resnet18({ ops, imageSize: 32 }),
      {
        ...head,
        'nn.conv2d': 20,
        'nn.batch_norm': 20,
        'nn.relu': 17,
        'nn.max_pool2d': 1,
        add: 8,
      },
    ],
    [
      'ResNet-50 its 53 convolutions and 16 shortcuts',
      resnet50({ ops, imageSize: 32, width: 4 }),
      {
        ...head,
        'nn.conv2d': 53,
        'nn.batch_norm': 53,
        'nn.relu': 49,
        'nn.max_pool2d': 1,
        add: 16,
      },
    ],
    [
      'MobileNet v2 its 52 convolutions and 10 shortcuts',
      mobilenetV2({ ops, imageSize: 32 }),
      { ...head, 'nn.conv2d': 52, 'nn.batch_norm': 52, clip: 35, add: 10 },
    ],
    ...(['1.0', '1.1'] as const).map(
      (version) =>
        [
          `SqueezeNet ${version} its 26 convolutions and 8 fire modules`,
          squeezenet({ ops, version, imageSize: 32 }),
          {
            'nn.conv2d': 26,
            'nn.bias_add': 26,
            'nn.relu': 26,
            'nn.max_pool2d': 3,
            concatenate: 8,
            'nn.dropout': 1,
            'nn.global_avg_pool2d': 1,
            'nn.batch_flatten': 1,
            'nn.softmax': 1,
          },
        ] as const,
    ),
    [
      'DenseNet-121 its 120 convolutions and 58 dense layers',
      densenet121({ ops, imageSize: 32, growth: 4 }),
      {
        ...head,
        'nn.conv2d': 120,
        'nn.batch_norm': 121,
        'nn.relu': 121,
        'nn.max_pool2d': 1,
        'nn.avg_pool2d': 3,
        concatenate: 58,
      },
    ],
    [
      'an LSTM three sigmoids and two tanh for each of its 2 × 5 cells',
      lstm({ ops, steps: 5, inputs: 3, hidden: 4, layers: 2 }),
      {
        take: 5,
        split: 10,
        'nn.dense': 20 + 1,
        'nn.bias_add': 10 + 1,
        sigmoid: 30,
        tanh: 20,
        multiply: 30,
        add: 20,
        'nn.softmax': 1,
      },
    ],
    [
      'the encoder of a transformer its 6 layers',
      transformerEncoder({ ops, width: 16 }),
      {
        'nn.dense': 6 * 6,
        'nn.bias_add': 6 * 6,
        reshape: 6 * 8,
        transpose: 6 * 4,
        'nn.batch_matmul': 6 * 2,
        'nn.softmax': 6,
        'nn.layer_norm': 6 * 2,
        erf: 6,
        multiply: 6 * 4,
        add: 6 * 3,
      },
    ],
    [
      'a vision transformer its 4 layers, spelled out',
      vit({ ops, imageSize: 32, width: 12 }),
      {
        ...spelledLayers(4, 9),
        'nn.conv2d': 1,
        concatenate: 1,
        broadcast_to: 1,
        take: 1,
        'nn.dense': 1,
        'nn.bias_add': 2,
        'nn.dropout': 4 + 1,
        reshape: 4 * 10 + 1,
        transpose: 4 * 5 + 1,
        // The layers, the normalizations, the positions.
        add: 4 * (6 + 1 + 2) + 9 * 2 + 1,
      },
    ],
    [
      'BERT its 4 layers and its pooler, spelled out',
      bert({ ops, width: 16, sequenceLength: 4 }),
      {
        ...spelledLayers(4, 9),
        take: 3 + 1,
        strided_slice: 1,
        expand_dims: 2,
        cast: 1,
        subtract: 9 + 1,
        multiply: 9 + 4 * 2 + 1,
        'nn.dense': 1,
        'nn.bias_add': 1,
        tanh: 1,
        'nn.dropout': 4 * 3 + 1,
        reshape: 4 * 10,
        transpose: 4 * 5,
        // The layers with their masks, the normalizations, the embeddings.
        add: 4 * (6 + 1 + 2 + 1) + 9 * 2 + 2,
      },
    ],
    [
      'U-Net its 18 convolutions of 3×3, its head and its 4 transposed ones',
      unet({ ops, imageSize: 32 }),
      {
        'nn.conv2d': 18 + 1,
        'nn.batch_norm': 18,
        'nn.relu': 18,
        'nn.max_pool2d': 4,
        'nn.conv2d_transpose': 4,
        'nn.pad': 4,
        concatenate: 4,
        'nn.bias_add': 4 + 1,
      },
    ],
  ];

  it.each(table)('%s', (_, m, counts) => {
    expect(opCounts(m)).toEqual(counts);
  });

  it('and 17 of the convolutions of MobileNet v2 are depthwise', () => {
    const grouped = nodes(mobilenetV2({ ops, imageSize: 32 })).filter(
      (n) => n._tag === 'Call' && n.attrs?.groups !== undefined && n.attrs.groups !== 1,
    );
    expect(grouped).toHaveLength(17);
  });
});

describe('the number of parameters is the published one', () => {
  // The published counts omit moving statistics: twice the normalized channels.
  const table: ReadonlyArray<readonly [string, () => IRModule, number]> = [
    ['an MLP for handwritten digits', () => mlp({ ops }), 109_386],
    ['ResNet-18', () => resnet18({ ops, imageSize: 32 }), 11_689_512 + 9_600],
    ['ResNet-50', () => resnet50({ ops, imageSize: 32 }), 25_557_032 + 53_120],
    ['MobileNet v2', () => mobilenetV2({ ops, imageSize: 32 }), 3_504_872 + 34_112],
    ['SqueezeNet 1.0', () => squeezenet({ ops }), 1_248_424],
    ['SqueezeNet 1.1', () => squeezenet({ ops, version: '1.1' }), 1_235_496],
    ['DenseNet-121', () => densenet121({ ops, imageSize: 32 }), 7_978_856 + 83_648],
    ['an LSTM of 128 units on rows of 28, and its classifier', () => lstm({ ops }), 80_384 + 1_290],
    ['the encoder of the base transformer', () => transformerEncoder({ ops }), 18_914_304],
    [
      'the encoder of BERT base',
      () => transformerEncoder({ ops, layers: 12, heads: 12, width: 768 }),
      85_054_464,
    ],
    ['DeiT-Ti', () => vit({ ops, imageSize: 224, layers: 12 }), 5_717_416],
    ['BERT-Mini', () => bert({ ops, vocabulary: 30_522 }), 11_170_560],
    [
      'GPT-2 with one token in place of 50,257',
      () => gpt2({ ops, layers: 12, heads: 12, width: 768, vocabulary: 1, positions: 1024 }),
      124_439_808 - 50_256 * 768,
    ],
    ['U-Net of one class', () => unet({ ops, width: 64, classes: 1 }), 31_037_633 + 11_776],
  ];

  it.each(table)('of %s', (_, build, count) => {
    expect(weights(build()).reduce((n, t) => n + t.data.length, 0)).toBe(count);
  });
});

describe('sizes that make no network are a bug of the caller', () => {
  it.each([
    [
      'heads that do not divide the width',
      () => transformerEncoder({ ops, heads: 3, width: 8 }),
      InvariantError,
    ],
    ['no time steps', () => lstm({ ops, steps: 0 }), InvariantError],
    ['patches that do not divide the image', () => vit({ ops, imageSize: 40 }), InvariantError],
    ['heads that do not divide a step', () => gpt2({ ops, heads: 3, width: 8 }), InvariantError],
  ])('%s', (_, build, error) => {
    expect(build).toThrow(error);
  });
});
