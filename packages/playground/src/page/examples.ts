/** The gallery: programs and searches to begin with. */
import { MODEL_NAMES, type ModelName } from '../protocol.ts';
import { type Document, modelFile } from './document.ts';

export interface Example {
  readonly name: string;
  readonly doc: string;
  readonly parts: Partial<Document>;
}

const DOCS: Readonly<Record<ModelName, string>> = {
  squeezenet: 'a network for images, with made-up weights',
  'mobilenet-v2': 'a network for images with depthwise convolutions, with made-up weights',
  resnet18: 'a residual network for images, with made-up weights',
  transformer: 'an encoder with attention, with made-up weights',
  lstm: 'a recurrent network, with made-up weights',
};

export const EXAMPLES: ReadonlyArray<Example> = [
  {
    name: 'Convolution, batch norm, relu',
    doc: 'the scale of a batch normalization moves into the weight',
    parts: {
      view: 'program',
      text: `def @main(%x: Tensor[(1, 3, 8, 8), float32]) {
  let %c = nn.conv2d(%x, meta[relay.Constant][0], padding=[1, 1, 1, 1], channels=2, kernel_size=[3, 3]);
  let %n = nn.batch_norm(%c, meta[relay.Constant][1], meta[relay.Constant][2], meta[relay.Constant][3], meta[relay.Constant][4]);
  nn.relu(%n.0)
}

#[metadata]
{"relay.Constant": [
{"dtype": "float32", "shape": [2, 3, 3, 3], "data": [-0.625, 0.25, -0.25, 0.625, 0.125, -0.375, 0.5, 0, -0.5, 0.375, -0.125, -0.625, 0.25, -0.25, 0.625, 0.125, -0.375, 0.5, 0, -0.5, 0.375, -0.125, -0.625, 0.25, -0.25, 0.625, 0.125, -0.375, 0.5, 0, -0.5, 0.375, -0.125, -0.625, 0.25, -0.25, 0.625, 0.125, -0.375, 0.5, 0, -0.5, 0.375, -0.125, -0.625, 0.25, -0.25, 0.625, 0.125, -0.375, 0.5, 0, -0.5, 0.375]},
{"dtype": "float32", "shape": [2], "data": [2, 0.5]},
{"dtype": "float32", "shape": [2], "data": [0.25, -1]},
{"dtype": "float32", "shape": [2], "data": [0.1, 0.2]},
{"dtype": "float32", "shape": [2], "data": [1, 4]}
]}
`,
    },
  },
  {
    name: 'Factorial',
    doc: 'recursion and a branch: the entire language runs',
    parts: {
      view: 'run',
      text: `def @fact(%n: Tensor[(), int32]) -> Tensor[(), int32] {
  if (equal(%n, 0)) {
    1
  } else {
    multiply(%n, @fact(subtract(%n, 1)))
  }
}

def @main(%n: Tensor[(), int32]) -> Tensor[(), int32] {
  @fact(%n)
}
`,
    },
  },
  {
    name: 'Phase ordering',
    doc: 'the order of two passes decides what the second one sees',
    parts: {
      view: 'pipeline',
      text: `def @main(%x: Tensor[(8), float32]) {
  let %a = multiply(%x, add(1f, 1f));
  let %b = multiply(%x, 2f);
  add(%a, %b)
}
`,
      steps: [
        { key: 'eliminateCommonSubexpr', options: {}, isOn: true },
        { key: 'foldConstant', options: {}, isOn: true },
      ],
    },
  },
  {
    name: 'Attention',
    doc: 'scores, softmax and a product, written out',
    parts: {
      view: 'program',
      text: `def @main(%q: Tensor[(2, 8, 16), float32], %k: Tensor[(2, 8, 16), float32], %v: Tensor[(2, 16, 8), float32]) {
  let %scores = nn.batch_matmul(%q, %k);
  let %scaled = multiply(%scores, 0.25f);
  let %p = nn.softmax(%scaled);
  nn.batch_matmul(%p, %v)
}
`,
    },
  },
  {
    name: '(a * 2) / 2',
    doc: 'the classic of e-graphs: why one keeps both sides',
    parts: { view: 'egraph', searched: 'term', term: '(a * 2) / 2' },
  },
  {
    name: 'Distributive law',
    doc: 'factors are extracted, one product remains',
    parts: {
      view: 'egraph',
      searched: 'term',
      term: '(a * b) + (a * c)',
      termRules: `distribute: ?x * (?y + ?z) <=> (?x * ?y) + (?x * ?z)
commute *: ?x * ?y = ?y * ?x
commute +: ?x + ?y = ?y + ?x`,
    },
  },
  ...MODEL_NAMES.map((name) => ({
    name: `Network: ${name}`,
    doc: DOCS[name],
    parts: { view: 'program' as const, file: modelFile(name) },
  })),
];
