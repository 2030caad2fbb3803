/** What Relay says with several calls, the file says with fewer nodes, which compute the same. */
import { mulberry32, orThrow } from '@baton/base';
import { isStaticDim } from '@baton/ir';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { allClose, fromNumbers, shapeSize, type Tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { mainOf } from './helpers/import.ts';
import { run } from './helpers/run.ts';

const SEED = 20_261_124;

/** The size of open axes in a run. */
const OPEN_SIZE = 3;

/** A program, the nodes of its file, and the operator set. */
type Case = [name: string, program: string, nodes: string, opset?: number];

const VERSION = '#[version = "0.0.5"]\n';

const X = 'def @main(%x: Tensor[(2, 3, 4), float32])';
const HARD = 'clip(%x + 3f, a_min=0f, a_max=6f)';

const normal = (square: string, more = '') => `def @main(%x: Tensor[(2, 3, 4), float32],
  %g: Tensor[(4), float32], %b: Tensor[(4), float32]) {
  %0 = mean(%x, axis=[2], keepdims=True); %1 = %x - %0;
  %2 = mean(${square}, axis=[2], keepdims=True);
  %3 = sqrt(%2 + 0.001f); %4 = %1 / %3; %4 * %g + %b ${more} }`;

const IDIOMS: ReadonlyArray<Case> = [
  [
    'a slope for each channel',
    `def @main(%x: Tensor[(2, 3, 4), float32], %s: Tensor[(3, 1), float32]) { where(%x < 0f, %x * %s, %x) }`,
    'PRelu',
  ],
  [
    'a slope that makes the result larger',
    `def @main(%x: Tensor[(3, 1), float32], %s: Tensor[(3, 4), float32]) { where(%x < 0f, %x * %s, %x) }`,
    'Less Mul Where',
  ],
  [
    'the inverse of a root',
    'def @main(%x: Tensor[(3), float32], %y: Tensor[(3), float32]) { %x * rsqrt(%y * %y + 1f) }',
    'Mul Add Sqrt Div',
  ],
  ['a hard swish', `${X} { %x * ${HARD} / 6f }`, 'HardSwish'],
  ['a hard swish, divided first', `${X} { ${HARD} / 6f * %x }`, 'HardSwish'],
  ['a hard swish in set 13', `${X} { %x * ${HARD} / 6f }`, 'Add Clip Mul Div', 13],
  ['another limit', `${X} { %x * clip(%x + 3f, a_min=0f, a_max=5f) / 6f }`, 'Add Clip Mul Div'],
  ['a hard sigmoid', `${X} { ${HARD} / 6f }`, 'HardSigmoid'],
  ['a line, limited', `${X} { clip(%x * 0.3f + 0.4f, a_min=0f, a_max=1f) }`, 'HardSigmoid'],
  [
    'a line that others use',
    `${X} { %0 = %x * 0.3f + 0.4f; (clip(%0, a_min=0f, a_max=1f), %0) }`,
    'Mul Add Clip',
  ],
  [
    'bytes with a scale',
    `def @main(%x: Tensor[(2, 3), float32]) {
      (cast(cast(%x * 9f, dtype="int8"), dtype="float32") - 4f) * 0.5f }`,
    'Mul Cast DequantizeLinear',
  ],
  [
    'bytes with a zero that is no byte',
    `def @main(%x: Tensor[(2, 3), float32]) {
      (cast(cast(%x * 9f, dtype="int8"), dtype="float32") - 0.5f) * 0.5f }`,
    'Mul Cast Cast Sub Mul',
  ],
  ['places of maxima', `${X} { cast(argmax(%x, axis=[1]), dtype="int64") }`, 'ArgMax'],
  [
    'twice a GELU, before a product',
    `def @main(%x: Tensor[(2, 3), float32]) {
      nn.dense(%x * (erf(%x / 1.4142135f) + 1f), full(0.25f, shape=[4, 3], dtype="float32")) }`,
    'Div Erf Add Mul Mul Gemm',
  ],
  ['a layer normalization', normal('%1 * %1'), 'LayerNormalization'],
  ['a layer normalization by powers', normal('power(%1, 2f)'), 'LayerNormalization'],
  [
    'a layer normalization in set 16',
    normal('%1 * %1'),
    'ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add',
    16,
  ],
  [
    'a mean over an axis that is not the last',
    normal('%1 * %1').replaceAll('axis=[2]', 'axis=[1]'),
    'ReduceMean Sub Mul ReduceMean Add Sqrt Div Mul Add',
  ],
  [
    'a mean and a variance over different axes',
    normal('%1 * %1').replace('axis=[2]', 'axis=[1]'),
    'ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add',
  ],
  [
    'a scale for each row',
    normal('%1 * %1').replace('Tensor[(4), float32], %b', 'Tensor[(3, 1), float32], %b'),
    'LayerNormalization Mul Add',
  ],
  [
    'a deviation that others use',
    normal('%1 * %1', '+ %3'),
    'ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add Add',
  ],
];

const ONES = 'full(1f, shape=[4], dtype="float32")';
const NORM = `nn.layer_norm(%x, ${ONES}, ${ONES}, center=False, scale=False)`;
const ERF = 'erf(%x / 1.4142135f)';

const WITHOUT: ReadonlyArray<Case> = [
  ['no scale', normal('%1 * %1').replace('* %g', ''), 'LayerNormalization'],
  ['neither scale nor shift', normal('%1 * %1').replace('* %g + %b', ''), 'LayerNormalization'],
  [
    'a shift of another shape',
    normal('%1 * %1').replace('* %g', '').replace('%b: Tensor[(4)', '%b: Tensor[(3, 1)'),
    'LayerNormalization Add',
  ],
  [
    'no scale in set 16',
    normal('%1 * %1').replace('* %g', ''),
    'ReduceMean Sub Pow ReduceMean Add Sqrt Div Add',
    16,
  ],
  [
    'a constant shift with an axis in front',
    `def @main(%x: Tensor[(2, 4), float32]) {
      %0 = mean(%x, axis=[1], keepdims=True); %1 = %x - %0;
      %2 = mean(%1 * %1, axis=[1], keepdims=True);
      %1 / sqrt(%2 + 0.001f) + full(0.5f, shape=[1, 4], dtype="float32") }`,
    'LayerNormalization',
  ],
  [
    'a constant scale and shift with an axis in front',
    `def @main(%x: Tensor[(2, 4), float32]) {
      %0 = mean(%x, axis=[1], keepdims=True); %1 = %x - %0;
      %2 = mean(%1 * %1, axis=[1], keepdims=True); %3 = %1 / sqrt(%2 + 0.001f);
      %3 * full(2f, shape=[1, 4], dtype="float32") + full(0.5f, shape=[1, 4], dtype="float32") }`,
    'LayerNormalization',
  ],
  [
    'a shift after a normalization without one',
    `${X} { ${NORM} + full(0.5f, shape=[4], dtype="float32") }`,
    'LayerNormalization',
  ],
  [
    'a shift of rows after a normalization',
    `${X} { ${NORM} + full(0.5f, shape=[3, 1], dtype="float32") }`,
    'LayerNormalization Add',
  ],
  [
    'a shift after a normalization that others use',
    `${X} { %0 = ${NORM}; (%0 + full(0.5f, shape=[4], dtype="float32"), %0) }`,
    'LayerNormalization Add',
  ],
  ['half of the sum', `${X} { %x * (${ERF} * 0.5f + 0.5f) }`, 'Div Erf Add Mul Mul'],
  ['the sum halved', `${X} { %x * ((${ERF} + 1f) * 0.5f) }`, 'Div Erf Add Mul Mul'],
  ['half of the data', `${X} { (${ERF} + 1f) * (%x * 0.5f) }`, 'Div Erf Add Mul Mul'],
  [
    'half of other data',
    `${X} { %0 = tanh(%x); %0 * (${ERF} * 0.5f + 0.5f) }`,
    'Tanh Div Erf Mul Add Mul',
  ],
];

/** Views of tensors that have open sizes. */
const OPEN: ReadonlyArray<Case> = [
  [
    'an axis that comes back',
    'def @main(%x: Tensor[(1, ?, ?), float32]) { nn.relu(expand_dims(squeeze(%x, axis=[0]), axis=0)) }',
    'Relu',
  ],
  [
    'an axis that goes again',
    'def @main(%x: Tensor[(?, ?), float32]) { nn.relu(squeeze(expand_dims(%x, axis=1), axis=[1])) }',
    'Relu',
  ],
  [
    'an axis between transposes',
    `def @main(%x: Tensor[(1, 4, ?, ?), float32]) {
      %0 = squeeze(transpose(%x, axes=[0, 2, 3, 1]), axis=[0]);
      nn.relu(transpose(expand_dims(%0, axis=0), axes=[0, 3, 1, 2])) }`,
    'Relu',
  ],
  [
    'an axis that comes elsewhere',
    'def @main(%x: Tensor[(1, ?, ?), float32]) { nn.relu(expand_dims(squeeze(%x, axis=[0]), axis=1)) }',
    'Squeeze Unsqueeze Relu',
  ],
  [
    'two axes made',
    'def @main(%x: Tensor[(?, ?), float32]) { nn.relu(expand_dims(expand_dims(%x, axis=1), axis=0)) }',
    'Unsqueeze Relu',
  ],
  [
    'two axes dropped',
    'def @main(%x: Tensor[(1, ?, 1, ?), float32]) { nn.relu(squeeze(squeeze(%x, axis=[0]), axis=[1])) }',
    'Squeeze Relu',
  ],
  [
    'the sizes that it has',
    'def @main(%x: Tensor[(?, 1, 4), float32]) { nn.relu(reshape(%x, newshape=[-1, 1, 4])) }',
    'Relu',
  ],
  [
    'other sizes',
    'def @main(%x: Tensor[(?, 1, 4), float32]) { exp(reshape(%x, newshape=[-1, 2, 2])) }',
    'Reshape Exp',
  ],
];

const AT_RUN: ReadonlyArray<Case> = [1, 3].map((size) => [
  `a broadcast to the sizes of the data where a list has ${size}`,
  `def @main[n: ShapeVar, m: ShapeVar](%x: Tensor[(n, 1), float32], %y: Tensor[(n, m), float32]) {
    %0 = shape_of(%y, dtype="int64");
    exp(dyn.broadcast_to(%x, where(equal(%0, ${size}i64), shape_of(%x, dtype="int64"), %0))) }`,
  size === 1 ? 'Shape Expand Exp' : 'Shape Equal Shape Where Expand Exp',
]);

const VIEWS: ReadonlyArray<Case> = [
  [
    'a chain of views',
    `${X} { nn.relu(expand_dims(squeeze(expand_dims(%x, axis=0), axis=[0]), axis=1)) }`,
    'Relu Reshape',
  ],
  ['views that come back', `${X} { squeeze(expand_dims(%x, axis=0), axis=[0]) + %x }`, 'Add'],
  [
    'a sum over one place',
    'def @main(%x: Tensor[(2, 1, 4), float32]) { expand_dims(mean(%x, axis=[1]), axis=2) * 2f }',
    'Mul Reshape',
  ],
  [
    'a transpose of axes that are longer than 1',
    'def @main(%x: Tensor[(1, 3, 1, 4), float32]) { expand_dims(squeeze(transpose(%x, axes=[0, 2, 3, 1]), axis=[0, 1]), axis=0) }',
    'Transpose Reshape',
  ],
  [
    'a transpose of axes of one place',
    'def @main(%x: Tensor[(1, 3, 1, 4), float32]) { nn.relu(transpose(%x, axes=[1, 0, 2, 3])) }',
    'Relu Reshape',
  ],
  [
    'a transpose and a view',
    'def @main(%x: Tensor[(1, 3, 1, 4), float32]) { expand_dims(squeeze(transpose(%x, axes=[0, 2, 3, 1]), axis=[0]), axis=3) }',
    'Transpose',
  ],
  [
    'a bias behind a view',
    `def @main(%x: Tensor[(1, 2, 1, 5), float32]) {
      %0 = nn.conv2d(%x, full(0.5f, shape=[3, 2, 1, 2], dtype="float32"), padding=[0, 0, 0, 0]);
      %1 = nn.relu(squeeze(%0, axis=[2]) + full(0.5f, shape=[1, 3, 1], dtype="float32"));
      nn.relu(expand_dims(%1, axis=2)) }`,
    'Conv Relu Relu',
  ],
  [
    'a result that is an argument',
    `${X} { (squeeze(expand_dims(%x, axis=0), axis=[0]), %x) }`,
    'Identity Identity',
  ],
];

/** Each operator of one tensor that a view may follow instead of precede, and some that it may not. */
const SINKING: ReadonlyArray<Case> = [
  ['Add', '{} + 2f', 'Add Reshape'],
  ['Sub', '{} - 2f', 'Sub Reshape'],
  ['Mul', '{} * 2f', 'Mul Reshape'],
  ['Div', '2f / {}', 'Div Reshape'],
  ['Neg', 'negative({})', 'Neg Reshape'],
  ['Relu', 'nn.relu({})', 'Relu Reshape'],
  ['LeakyRelu', 'nn.leaky_relu({}, alpha=0.1)', 'LeakyRelu Reshape'],
  ['Clip', 'clip({}, a_min=-1f, a_max=1f)', 'Clip Reshape'],
  ['Sigmoid', 'sigmoid({})', 'Sigmoid Reshape'],
  ['Tanh', 'tanh({})', 'Tanh Reshape'],
  ['HardSigmoid', 'clip({} * 0.3f + 0.4f, a_min=0f, a_max=1f)', 'HardSigmoid Reshape'],
  ['HardSwish', '%0 * clip(%0 + 3f, a_min=0f, a_max=6f) / 6f', 'HardSwish Reshape'],
  ['Exp', 'exp({})', 'Squeeze Exp'],
  ['Softmax', 'nn.softmax({})', 'Squeeze Softmax'],
  ['a sum of two tensors', '{} + %y', 'Squeeze Add'],
].map(([name = '', body = '', nodes = '']) => [
  `a view before ${name}`,
  `def @main(%x: Tensor[(3, 1, 4), float32], %y: Tensor[(3, 4), float32]) {
    %0 = squeeze(%x, axis=[1]); ${body.replaceAll('{}', '%0')} }`,
  nodes,
]);

const PARTS: ReadonlyArray<Case> = [
  ['equal nodes', `${X} { tanh(%x) * tanh(%x) }`, 'Tanh Mul'],
  ['equal nodes after equal nodes', `${X} { exp(tanh(%x)) * exp(tanh(%x)) }`, 'Tanh Exp Mul'],
  [
    'nodes with other attributes',
    `${X} { nn.leaky_relu(%x, alpha=0.1) * nn.leaky_relu(%x, alpha=0.2) }`,
    'LeakyRelu LeakyRelu Mul',
  ],
  ['nodes with other numbers', `${X} { (%x * 2f) - (%x * 3f) }`, 'Mul Mul Sub'],
  ['equal results', `${X} { (tanh(%x), tanh(%x)) }`, 'Tanh Identity'],
  [
    'slices of slices',
    `${X} { strided_slice(strided_slice(%x, begin=[1], end=[3], axes=[1]), begin=[0], end=[2], axes=[2]) }`,
    'Slice',
  ],
  [
    'slices of one axis',
    `${X} { strided_slice(strided_slice(%x, begin=[1], end=[3], axes=[1]), begin=[0], end=[1], axes=[1]) }`,
    'Slice Slice',
  ],
  [
    'joined twice',
    `${X} { %0 = concatenate((%x, nn.relu(%x)), axis=1); concatenate((%0, %x), axis=1) }`,
    'Relu Concat',
  ],
  [
    'joined transposes',
    `${X} { concatenate((transpose(%x, axes=[2, 0, 1]), transpose(nn.relu(%x), axes=[2, 0, 1])), axis=0) }`,
    'Relu Concat Transpose',
  ],
];

/** Every second row and column from each of these places. */
const spread = (places: ReadonlyArray<readonly [number, number]>): string => {
  const parts = places.map(
    ([row, column], i) =>
      `%${i} = strided_slice(%x, begin=[${row}, ${column}], end=[6, 4], strides=[2, 2], axes=[2, 3]);`,
  );
  const names = places.map((_, i) => `%${i}`).join(', ');
  return `def @main(%x: Tensor[(1, 2, 6, 4), float32]) { ${parts.join(' ')} concatenate((${names}), axis=1) }`;
};

/** These parts of rows and columns, joined. */
const joined = (attributes: ReadonlyArray<string>): string => {
  const parts = attributes.map((attrs, i) => `%${i} = strided_slice(%x, ${attrs});`);
  const names = attributes.map((_, i) => `%${i}`).join(', ');
  return `def @main(%x: Tensor[(1, 4, 4, 4), float32]) { ${parts.join(' ')} concatenate((${names}), axis=1) }`;
};

const SLICES = 'Slice Slice Slice Slice Concat';

const BLOCKS: ReadonlyArray<Case> = [
  [
    'blocks',
    spread([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]),
    'SpaceToDepth',
  ],
  [
    'blocks by columns',
    spread([
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]),
    'SpaceToDepth Gather',
  ],
  [
    'a place twice',
    spread([
      [0, 0],
      [1, 0],
      [0, 1],
      [0, 1],
    ]),
    'Slice Slice Slice Concat',
  ],
  [
    'blocks of which one is used again',
    spread([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]).replace(/concatenate\(.*axis=1\)/, '($&, %0)'),
    SLICES,
  ],
  [
    'blocks of an axis more',
    `def @main(%x: Tensor[(1, 2, 4, 4, 1), float32]) {
      %0 = strided_slice(%x, begin=[0, 0], end=[4, 4], strides=[2, 2], axes=[2, 3]);
      %1 = strided_slice(%x, begin=[0, 1], end=[4, 4], strides=[2, 2], axes=[2, 3]);
      %2 = strided_slice(%x, begin=[1, 0], end=[4, 4], strides=[2, 2], axes=[2, 3]);
      %3 = strided_slice(%x, begin=[1, 1], end=[4, 4], strides=[2, 2], axes=[2, 3]);
      concatenate((%0, %1, %2, %3), axis=1) }`,
    SLICES,
  ],
  [
    'quarters',
    joined(
      ['0, 0', '0, 2', '2, 0', '2, 2'].map((begin) => {
        const end = begin.split(', ').map((at) => Number(at) + 2);
        return `begin=[${begin}], end=[${end}], axes=[2, 3]`;
      }),
    ),
    SLICES,
  ],
  [
    'every second channel and row',
    joined(
      ['0, 0', '0, 1', '1, 0', '1, 1'].map(
        (begin) => `begin=[${begin}], end=[4, 4], strides=[2, 2], axes=[1, 2]`,
      ),
    ),
    SLICES,
  ],
  [
    'every second row, and half of the columns',
    joined(
      ['0, 0', '0, 2', '1, 0', '1, 2'].map(
        (begin) =>
          `begin=[${begin}], end=[4, ${Number(begin.slice(3)) + 2}], strides=[2, 1], axes=[2, 3]`,
      ),
    ),
    SLICES,
  ],
];

describe('fewer nodes', () => {
  test.each<Case>([
    ...IDIOMS,
    ...WITHOUT,
    ...VIEWS,
    ...OPEN,
    ...AT_RUN,
    ...SINKING,
    ...PARTS,
    ...BLOCKS,
  ])('%s', (_, program, nodes, opset = 18) => {
    const m = orThrow(parseModule(`${VERSION}${program}`, { ops: standardOps }));
    const file = orThrow(exportOnnx(m, { opset }));
    const written = orThrow(decodeModel(file)).graph?.nodes.map(({ opType }) => opType);
    expect(written?.join(' ')).toBe(nodes);
    const random = mulberry32(SEED);
    const values = mainOf(m).params.map(({ typeAnnotation: type }) => {
      const shape = type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [];
      return drawn(
        shape.map((dim) => (isStaticDim(dim) ? dim : OPEN_SIZE)),
        random,
      );
    });
    const [wanted, found] = [m, orThrow(importOnnx(file, { ops: standardOps }))].map((one) =>
      run(mainOf(one), values),
    );
    expect(found).toHaveLength(wanted?.length ?? 0);
    for (const [i, tensor] of (wanted ?? []).entries()) {
      expect(allClose(found?.[i] ?? tensor, tensor, { atol: 1e-5, rtol: 1e-4 })).toBe(true);
    }
  });
});

const drawn = (shape: ReadonlyArray<number>, random: () => number): Tensor =>
  fromNumbers(
    Float64Array.from({ length: shapeSize(shape) }, () => 8 * random() - 4),
    shape,
    'float32',
  );
