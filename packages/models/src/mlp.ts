/** A multi-layer perceptron. */
import type { IRModule, OpTable } from '@baton/ir';
import { dataModule, network, RELU_GAIN, softmaxHead } from './network.ts';

export interface MlpOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** The size of one example. @defaultValue 784, an image of 28 × 28 */
  readonly inputs?: number;
  /** Units of each hidden layer. @defaultValue [128, 64] */
  readonly hidden?: ReadonlyArray<number>;
  /** @defaultValue 10 */
  readonly classes?: number;
  /** @defaultValue `mlp` */
  readonly seed?: string;
}

/**
 * A multi-layer perceptron with seeded weights: fully connected layers with ReLU between them,
 * softmax at the end.
 *
 * **Shapes** `data: [batch, inputs]` to `[batch, classes]`.
 *
 * **Source** Rumelhart et al., Learning representations by back-propagating errors, 1986; the sizes
 * come from TVM's and MXNet's network for handwritten digits.
 */
export function mlp(options: MlpOptions): IRModule {
  const { ops, batch = 1, inputs = 784, hidden = [128, 64], classes = 10 } = options;
  const net = network(ops, options.seed ?? 'mlp');
  return dataModule(ops, [batch, inputs], (data) => {
    let x = data;
    let width = inputs;
    hidden.forEach((units, layer) => {
      const name = `layer${layer + 1}`;
      const sum = net.dense(`${name}.dense`, x, { inputs: width, units, gain: RELU_GAIN });
      x = net.op(`${name}.relu`, 'nn.relu', [sum]);
      width = units;
    });
    return softmaxHead(net, x, width, classes);
  });
}
