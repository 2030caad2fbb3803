/** Builds networks from Relay's operators. */
import { builderSpan } from '@baton/base';
import {
  type Attrs,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  type OpTable,
  tensorType,
  tupleGetItem,
  type Var,
  variable,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import { type DType, scalar, type Tensor } from '@baton/tensor';
import { heBound, uniform } from './weights.ts';

/** Keeps logits small, so that the softmax is not saturated: a saturated one would hide errors. */
const LOGIT_SCALE = 0.5;

/** A {@link DenseOptions.gain} that keeps the variance of its inputs. */
export const UNIT_GAIN = Math.sqrt(3);

/** A {@link DenseOptions.gain} that keeps the variance through the ReLU that follows. */
export const RELU_GAIN = Math.sqrt(6);

export interface ConvOptions {
  readonly inChannels: number;
  readonly outChannels: number;
  readonly kernel: number;
  readonly stride?: number;
  readonly groups?: number;
  /** The padding on every side. Default: the one that keeps the size at stride 1. */
  readonly padding?: number;
  /** @defaultValue false */
  readonly bias?: boolean;
  /** Scales the weights: below 1 if the next layer would saturate. @defaultValue 1 */
  readonly gain?: number;
}

export interface DenseOptions {
  readonly inputs: number;
  readonly units: number;
  /** Weights are uniform up to `gain / √inputs`. Default: a gain that suits logits. */
  readonly gain?: number;
}

/** Biases are uniform in ± this bound. */
const BIAS_BOUND = 0.05;

/** Builds one network; every layer's name seeds its weights and marks its provenance. */
export interface Network {
  readonly op: (layer: string, name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  readonly weight: (layer: string, shape: ReadonlyArray<number>, bound: number) => Expr;
  readonly bias: (layer: string, size: number) => Expr;
  readonly conv: (layer: string, x: Expr, options: ConvOptions) => Expr;
  /**
   * Batch normalization over axis 1 with nontrivial moving statistics. `gain` scales gamma: a value
   * below 1 at the end of a residual branch keeps sums from growing with depth.
   */
  readonly batchNorm: (layer: string, x: Expr, channels: number, gain?: number) => Expr;
  readonly layerNorm: (layer: string, x: Expr, size: number) => Expr;
  /** Scale and shift of a normalization: vectors of this size. */
  readonly affine: (layer: string, size: number) => readonly [gamma: Expr, beta: Expr];
  readonly value: (layer: string, value: Tensor) => Expr;
  readonly number: (layer: string, value: number) => Expr;
  /** A fully connected layer with bias. Shapes: `x: [..., inputs]`. */
  readonly dense: (layer: string, x: Expr, options: DenseOptions) => Expr;
}

export function network(ops: OpTable, seed: string): Network {
  const parameter = (name: string, shape: ReadonlyArray<number>, lo: number, hi: number): Expr =>
    constant(uniform(`${seed}:${name}`, shape, lo, hi), builderSpan(name));
  const value: Network['value'] = (layer, own) => constant(own, builderSpan(layer));
  const op: Network['op'] = (layer, name, args, attrs) =>
    callOp(ops, name, args, attrs, builderSpan(layer));
  const weight: Network['weight'] = (layer, shape, bound) =>
    parameter(`${layer}.weight`, shape, -bound, bound);
  const bias: Network['bias'] = (layer, size) =>
    parameter(`${layer}.bias`, [size], -BIAS_BOUND, BIAS_BOUND);
  const biasAdd = (layer: string, x: Expr, size: number, axis: number): Expr =>
    op(layer, 'nn.bias_add', [x, bias(layer, size)], { axis });
  const affine = (layer: string, size: number, gain = 1): readonly [Expr, Expr] => [
    parameter(`${layer}.gamma`, [size], 0.5 * gain, 1.5 * gain),
    parameter(`${layer}.beta`, [size], -0.2, 0.2),
  ];
  return {
    op,
    weight,
    bias,
    conv: (layer, x, options) => {
      const { inChannels, outChannels, kernel, stride = 1, groups = 1, gain = 1 } = options;
      const fanIn = (inChannels / groups) * kernel * kernel;
      const shape = [outChannels, inChannels / groups, kernel, kernel];
      const pad = options.padding ?? (kernel - 1) >> 1;
      const product = op(layer, 'nn.conv2d', [x, weight(layer, shape, gain * heBound(fanIn))], {
        strides: [stride, stride],
        padding: [pad, pad, pad, pad],
        groups,
        channels: outChannels,
        kernel_size: [kernel, kernel],
      });
      return options.bias === true ? biasAdd(layer, product, outChannels, 1) : product;
    },
    batchNorm: (layer, x, channels, gain = 1) => {
      const normalized = op(layer, 'nn.batch_norm', [
        x,
        ...affine(layer, channels, gain),
        parameter(`${layer}.mean`, [channels], -0.2, 0.2),
        parameter(`${layer}.variance`, [channels], 0.5, 1.5),
      ]);
      return tupleGetItem(normalized, 0, builderSpan(layer));
    },
    layerNorm: (layer, x, size) => op(layer, 'nn.layer_norm', [x, ...affine(layer, size)]),
    affine,
    value,
    number: (layer, own) => value(layer, scalar(own, 'float32')),
    dense: (layer, x, { inputs, units, gain = LOGIT_SCALE }) => {
      const matrix = weight(layer, [units, inputs], gain / Math.sqrt(inputs));
      return biasAdd(layer, op(layer, 'nn.dense', [x, matrix]), units, -1);
    },
  };
}

/** A convolution, batch normalization and ReLU: `layer.conv`, `layer.bn`, `layer.relu`. */
export function convNormRelu(net: Network, layer: string, x: Expr, options: ConvOptions): Expr {
  const conv = net.conv(`${layer}.conv`, x, options);
  const normalized = net.batchNorm(`${layer}.bn`, conv, options.outChannels);
  return net.op(`${layer}.relu`, 'nn.relu', [normalized]);
}

/** The start of residual and dense networks: a 7×7 convolution and a pooling of stride 2. */
export function imageStem(net: Network, data: Expr, outChannels: number): Expr {
  const active = convNormRelu(net, 'stem', data, {
    inChannels: 3,
    outChannels,
    kernel: 7,
    stride: 2,
  });
  return net.op('stem.pool', 'nn.max_pool2d', [active], {
    pool_size: [3, 3],
    strides: [2, 2],
    padding: [1, 1, 1, 1],
  });
}

export function classifierHead(net: Network, x: Expr, inputs: number, units: number): Expr {
  const pooled = net.op('head.pool', 'nn.global_avg_pool2d', [x]);
  const flat = net.op('head.flatten', 'nn.batch_flatten', [pooled]);
  return softmaxHead(net, flat, inputs, units);
}

export function softmaxHead(net: Network, x: Expr, inputs: number, units: number): Expr {
  return net.op('head.softmax', 'nn.softmax', [net.dense('head.dense', x, { inputs, units })]);
}

export const input = (name: string, shape: ReadonlyArray<number>, dtype: DType = 'float32'): Var =>
  variable(name, tensorType(shape, dtype), builderSpan(name));

export const mainModule = (ops: OpTable, params: ReadonlyArray<Var>, body: Expr): IRModule =>
  irModule({ ops, functions: new Map([['main', func(params, body)]]) });

export function dataModule(
  ops: OpTable,
  shape: ReadonlyArray<number>,
  body: (data: Expr) => Expr,
): IRModule {
  const data = input('data', shape);
  return mainModule(ops, [data], body(data));
}
