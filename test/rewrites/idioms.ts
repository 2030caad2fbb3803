/** For each rule about idioms a program on which it fires, and where such programs come from. */

/** A program in which a rule fires. */
export interface Instance {
  readonly rule: string;
  /** The parameters of `main` with their types; one without has the type `Tensor[(2, 3), float32]`. */
  readonly params: string;
  readonly body: string;
  /** A model of the corpus or of `@baton/models`, a paper, or a library. */
  readonly source: string;
}

const X = '%x';
const IMAGE = '%x:Tensor[(1,2,4,4),float32]';
const SCORES = '%q:Tensor[(4,3,2),float32] %k:Tensor[(4,2,5),float32]';
const MASKED = `${SCORES} %m:Tensor[(2,1,1,5),float32] %v:Tensor[(4,5,2),float32]`;
const PRODUCT = 'nn.batch_matmul(%q, %k)';
const FOUR = `reshape(${PRODUCT}, newshape=[2, 2, 3, 5])`;

const row = (rule: string, params: string, body: string, source: string): Instance => ({
  rule,
  params,
  body,
  source,
});

/** One for each rule of the sets about idioms. */
export const INSTANCES: ReadonlyArray<Instance> = [
  row('x / 2^k', X, '%x / 8f', 'transformer_encoder'),
  row('x / n', X, '%x / 3f', 'bert-tiny'),
  row('(x * n) * y', '%x %y', '(%x * 0.5f) * %y', 'transformer_encoder'),
  row('x^2', X, 'power(%x, 2f)', 'bert-tiny'),
  row('x^3', X, 'tanh(power(%x, 3f))', 'GPT-2, as exported by PyTorch'),
  row('x^(1/2)', X, 'power(exp(%x), 0.5f)', 'layer norm in TensorFlow 1'),
  row('x^(-1/2)', X, 'power(exp(%x), -0.5f)', 'RMS norm in T5'),
  row('sigmoid', '%x %y', '%y / (1f + exp(negative(%x)))', 'SiLU: Elfwing et al., 2017'),
  row('tanh as sigmoid', '%x %y', '%x * (1f + tanh(%y)) * 0.5f', 'GELU: Hendrycks, Gimpel, 2016'),
  row('relu', X, 'maximum(%x, 0f)', 'tf2onnx'),
  row('relu below n', X, 'minimum(nn.relu(%x), 6f)', 'MobileNet v2: Sandler et al., 2018'),
  row('clip of relu', X, 'clip(nn.relu(%x), a_min=-1.0, a_max=6.0)', 'MobileNet v2, quantized'),
  row(
    'relu of clip',
    X,
    'nn.relu(clip(%x, a_min=-1.0, a_max=1.0))',
    'BinaryConnect: Courbariaux et al., 2015',
  ),
  row('leaky relu', X, 'where(%x > 0f, %x, %x * 0.1f)', 'Maas et al., 2013'),
  row('leaky relu as maximum', X, 'maximum(%x, 0.1f * %x)', 'YOLO v2, as exported by Darknet'),
  row('gelu of halves', X, '%x * (0.5f * (1f + erf(%x * 0.70710677f)))', 'GELU, in another order'),
  row('gelu of half of x', X, '(%x * 0.5f) * (1f + erf(%x * 0.70710677f))', 'bert-tiny'),
  row('gelu', X, '(%x * 0.5f) * (1f + erf(%x / 1.4142135f))', 'bert-tiny'),
  row(
    'gelu_tanh',
    X,
    '(%x * 0.5f) * (1f + tanh(0.7978846f * (%x + 0.044715f * power(%x, 3f))))',
    'GPT-2',
  ),
  row('quick_gelu', X, '%x * sigmoid(1.702f * %x)', 'CLIP: Radford et al., 2021'),
  row('silu', X, '%x * sigmoid(%x)', 'EfficientNet: Tan, Le, 2019'),
  row('softplus', X, 'log(exp(%x) + 1f)', 'Dugas et al., 2000'),
  row('mish', X, '%x * tanh(log(exp(%x) + 1f))', 'YOLO v4: Bochkovskiy et al., 2020'),
  row(
    'hard_sigmoid',
    X,
    'clip(%x + 3f, a_min=0.0, a_max=6.0) / 6f',
    'MobileNet v3: Howard et al., 2019',
  ),
  row(
    'hard_swish',
    X,
    '%x * (clip(%x + 3f, a_min=0.0, a_max=6.0) / 6f)',
    'MobileNet v3: Howard et al., 2019',
  ),
  row(
    'layer norm',
    X,
    '%0 = %x - mean(%x, axis=[-1], keepdims=True); %0 / sqrt(mean(power(%0, 2f), axis=[-1], keepdims=True) + 0.001f)',
    'bert-tiny',
  ),
  row(
    'scale of layer norm',
    '%x %g:Tensor[(3),float32]',
    'nn.layer_norm(%x, %g, %g, center=False, scale=False) * %g',
    'bert-tiny',
  ),
  row(
    'shift of layer norm',
    '%x %g:Tensor[(3),float32]',
    'nn.layer_norm(%x, %g, %g, center=False) + %g',
    'bert-tiny',
  ),
  row(
    'variance',
    X,
    '%0 = mean(%x, axis=[1], keepdims=True); (%x - %0) * rsqrt(variance(%x, %0, axis=[1], keepdims=True) + 0.001f)',
    'Relay, SimplifyInference',
  ),
  row(
    'softmax',
    X,
    '%0 = exp(%x); %0 / sum(%0, axis=[1], keepdims=True)',
    'attention in TensorFlow 1',
  ),
  row(
    'softmax of shifted',
    X,
    'nn.softmax(%x - max(%x, axis=[1], keepdims=True))',
    'JAX, jax.nn.softmax',
  ),
  row(
    'log softmax of shifted',
    X,
    'nn.log_softmax(%x - max(%x, axis=[1], keepdims=True))',
    'JAX, jax.nn.log_softmax',
  ),
  row('nn.dropout', X, 'nn.dropout(%x).0', 'squeezenet'),
  row('log of softmax', X, 'log(nn.softmax(%x))', 'cross entropy in PyTorch'),
  row(
    'log softmax',
    X,
    '%x - log(sum(exp(%x), axis=[1], keepdims=True))',
    'JAX, jax.nn.log_softmax',
  ),
  row(
    'batch norm of conv2d',
    IMAGE,
    'nn.batch_norm(nn.conv2d(%x, Constant(0.5, (3, 2, 3, 3), float32), channels=3, kernel_size=[3, 3]), Constant(2, (3), float32), Constant(1, (3), float32), Constant(-1, (3), float32), Constant(3, (3), float32)).0',
    'resnet50',
  ),
  row(
    'rms_norm',
    '%x %g:Tensor[(3),float32]',
    '%g * (%x / sqrt(mean(power(%x, 2f), axis=[-1], keepdims=True) + 0.001f))',
    'Llama: Touvron et al., 2023',
  ),
  row('scale of reshaped', X, 'reshape(%x, newshape=[6]) * 2f', 'bert-tiny'),
  row('scale of batch_matmul', SCORES, `${PRODUCT} * 0.5f`, 'bert-tiny'),
  row('sum with reshaped', MASKED, `nn.softmax(${FOUR} + %m)`, 'bert-tiny'),
  row('softmax of last', SCORES, `nn.softmax(${PRODUCT}, axis=2)`, 'bert-tiny'),
  row('softmax of reshaped', SCORES, `nn.softmax(${FOUR})`, 'bert-tiny'),
  row(
    'masked where not',
    MASKED,
    `where(%m == 0f, -3.4028234663852886e38f, ${FOUR})`,
    'DistilBERT',
  ),
  row('masked where', MASKED, `where(%m > 0f, ${FOUR}, -3.4028234663852886e38f)`, 'GPT-2'),
  row(
    'sum of masks',
    `${SCORES} %m:Tensor[(4,1,5),float32]`,
    `(${PRODUCT} + %m) + exp(%m)`,
    'GPT-2',
  ),
  row('unmasked', SCORES, `nn.softmax(${PRODUCT})`, 'transformer_encoder'),
  row(
    'attention',
    MASKED,
    `nn.batch_matmul(nn.softmax(${PRODUCT} + Constant(1, (4, 1, 5), float32)), %v)`,
    'bert-tiny',
  ),
];
