/** The layers that convolutional networks are written in, over Relay's operators. */
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
  variable,
} from '@baton/ir';
import { callOp } from '@baton/ops';
import { heUniform, uniform } from './weights.ts';

/** Keeps logits small enough for a softmax that spreads: a saturated one would hide errors. */
const LOGIT_SCALE = 0.5;

/** A convolution without bias. */
export interface ConvOptions {
  readonly inChannels: number;
  readonly outChannels: number;
  readonly kernel: number;
  readonly stride?: number;
  readonly groups?: number;
}

/** Builds one network; every layer's name seeds its weights and marks its provenance. */
export interface Network {
  /** A call of an operator. */
  readonly op: (layer: string, name: string, args: ReadonlyArray<Expr>, attrs?: Attrs) => Expr;
  /** A convolution that keeps the size at stride 1. Shapes: `x: [n, inChannels, h, w]`. */
  readonly conv: (layer: string, x: Expr, options: ConvOptions) => Expr;
  /**
   * Batch normalization over axis 1 with moving statistics that are not trivial. `gain` scales
   * gamma: below 1 at the end of a residual branch, so that sums do not grow with depth.
   */
  readonly batchNorm: (layer: string, x: Expr, channels: number, gain?: number) => Expr;
  /** A fully connected layer with bias. Shapes: `x: [n, inputs]`. */
  readonly dense: (layer: string, x: Expr, inputs: number, units: number) => Expr;
}

/** A network whose weights come from `seed`. */
export function network(ops: OpTable, seed: string): Network {
  const op: Network['op'] = (layer, name, args, attrs) =>
    callOp(ops, name, args, attrs, builderSpan(layer));
  const weights = (name: string) => `${seed}:${name}`;
  return {
    op,
    conv: (layer, x, { inChannels, outChannels, kernel, stride = 1, groups = 1 }) => {
      const shape = [outChannels, inChannels / groups, kernel, kernel];
      const fanIn = (inChannels / groups) * kernel * kernel;
      const weight = heUniform(weights(`${layer}.weight`), shape, fanIn);
      const pad = (kernel - 1) >> 1;
      return op(layer, 'nn.conv2d', [x, constant(weight, builderSpan(`${layer}.weight`))], {
        strides: [stride, stride],
        padding: [pad, pad, pad, pad],
        groups,
        channels: outChannels,
        kernel_size: [kernel, kernel],
      });
    },
    batchNorm: (layer, x, channels, gain = 1) => {
      const vector = (part: string, lo: number, hi: number): Expr =>
        constant(
          uniform(weights(`${layer}.${part}`), [channels], lo, hi),
          builderSpan(`${layer}.${part}`),
        );
      const normalized = op(layer, 'nn.batch_norm', [
        x,
        vector('gamma', 0.5 * gain, 1.5 * gain),
        vector('beta', -0.2, 0.2),
        vector('mean', -0.2, 0.2),
        vector('variance', 0.5, 1.5),
      ]);
      return tupleGetItem(normalized, 0, builderSpan(layer));
    },
    dense: (layer, x, inputs, units) => {
      const bound = LOGIT_SCALE / Math.sqrt(inputs);
      const weight = uniform(weights(`${layer}.weight`), [units, inputs], -bound, bound);
      const bias = uniform(weights(`${layer}.bias`), [units], -0.05, 0.05);
      const product = op(layer, 'nn.dense', [x, constant(weight, builderSpan(`${layer}.weight`))]);
      return op(layer, 'nn.bias_add', [product, constant(bias, builderSpan(`${layer}.bias`))]);
    },
  };
}

/** A module whose `@main` takes one image `data: [batch, channels, size, size]` of float32. */
export function imageModule(
  ops: OpTable,
  shape: readonly [number, number, number, number],
  body: (data: Expr) => Expr,
): IRModule {
  const data = variable('data', tensorType(shape, 'float32'), builderSpan('data'));
  return irModule({ ops, functions: new Map([['main', func([data], body(data))]]) });
}
