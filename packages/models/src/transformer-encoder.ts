/** The encoder of a transformer. */
import { invariant } from '@baton/base';
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { dataModule, type Network, network, RELU_GAIN, UNIT_GAIN } from './network.ts';

export interface TransformerEncoderOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** The number of tokens. @defaultValue 128 */
  readonly sequenceLength?: number;
  /** @defaultValue 6 */
  readonly layers?: number;
  /** Attention heads; their number divides the width. @defaultValue 8 */
  readonly heads?: number;
  /** The size of one token. @defaultValue 512 */
  readonly width?: number;
  /** Units between the two layers that follow attention. Default: four times the width. */
  readonly hidden?: number;
  /** @defaultValue `transformer_encoder` */
  readonly seed?: string;
}

/**
 * The encoder of a transformer with seeded weights, for embedded tokens: multi-head attention and a
 * pair of fully connected layers, each with a shortcut and followed by layer normalization. The
 * activation is GELU, computed by `erf`, as in BERT.
 *
 * **Shapes** `data: [batch, sequenceLength, width]` to the same.
 *
 * **Errors** throws an InvariantError if the heads do not divide the width.
 *
 * **Source** Vaswani et al., Attention Is All You Need, 2017, section 3; Devlin et al., BERT, 2018.
 */
export function transformerEncoder(options: TransformerEncoderOptions): IRModule {
  const { ops, batch = 1, sequenceLength = 128, layers = 6, heads = 8, width = 512 } = options;
  const { hidden = 4 * width } = options;
  const net = network(ops, options.seed ?? 'transformer_encoder');
  return dataModule(ops, [batch, sequenceLength, width], (data) => {
    let x = data;
    for (let layer = 1; layer <= layers; layer++) {
      const name = `layer${layer}`;
      const sizes = { batch, sequenceLength, heads, width };
      const attended = attention(net, `${name}.attention`, x, sizes);
      x = addNorm(net, `${name}.attention`, x, attended, width);
      const fed = feedForward(net, `${name}.feed`, x, width, hidden);
      x = addNorm(net, `${name}.feed`, x, fed, width);
    }
    return x;
  });
}

interface AttentionOptions {
  readonly batch: number;
  readonly sequenceLength: number;
  readonly heads: number;
  readonly width: number;
}

/** Attention: the mean of all values for every token, weighted by the fit of query and keys. */
function attention(net: Network, name: string, x: Expr, options: AttentionOptions): Expr {
  const { batch, sequenceLength, heads, width } = options;
  invariant(width % heads === 0, `the ${heads} heads divide the width ${width}`);
  const headWidth = width / heads;
  const project = (part: string, from: Expr): Expr =>
    net.dense(`${name}.${part}`, from, { inputs: width, units: width, gain: UNIT_GAIN });
  const swapHeads = (part: string, from: Expr): Expr =>
    net.op(`${name}.${part}`, 'transpose', [from], { axes: [0, 2, 1, 3] });
  const reshape = (part: string, from: Expr, newshape: ReadonlyArray<number>): Expr =>
    net.op(`${name}.${part}`, 'reshape', [from], { newshape });

  /** One matrix `[sequenceLength, headWidth]` for each head of each example. */
  const split = (part: string): Expr => {
    const divided = reshape(part, project(part, x), [batch, sequenceLength, heads, headWidth]);
    return reshape(part, swapHeads(part, divided), [batch * heads, sequenceLength, headWidth]);
  };
  const [query, key, value] = [split('query'), split('key'), split('value')];
  const products = net.op(`${name}.scores`, 'nn.batch_matmul', [query, key], {
    transpose_b: true,
  });
  const scores = net.op(`${name}.scale`, 'multiply', [
    products,
    net.number(`${name}.scale`, 1 / Math.sqrt(headWidth)),
  ]);
  const weights = net.op(`${name}.softmax`, 'nn.softmax', [scores]);
  const means = net.op(`${name}.mean`, 'nn.batch_matmul', [weights, value]);
  const divided = reshape('merge', means, [batch, heads, sequenceLength, headWidth]);
  const merged = reshape('merge', swapHeads('merge', divided), [batch, sequenceLength, width]);
  return project('output', merged);
}

function feedForward(net: Network, name: string, x: Expr, width: number, hidden: number): Expr {
  const wide = net.dense(`${name}.expand`, x, { inputs: width, units: hidden, gain: RELU_GAIN });
  return net.dense(`${name}.project`, gelu(net, `${name}.gelu`, wide), {
    inputs: hidden,
    units: width,
    gain: UNIT_GAIN,
  });
}

/** `x · ½ · (1 + erf(x / √2))`. */
function gelu(net: Network, name: string, x: Expr): Expr {
  const inner = net.op(name, 'multiply', [x, net.number(name, Math.SQRT1_2)]);
  const share = net.op(name, 'add', [net.op(name, 'erf', [inner]), net.number(name, 1)]);
  const half = net.op(name, 'multiply', [x, net.number(name, 0.5)]);
  return net.op(name, 'multiply', [half, share]);
}

function addNorm(net: Network, name: string, x: Expr, branch: Expr, width: number): Expr {
  return net.layerNorm(`${name}.norm`, net.op(`${name}.add`, 'add', [x, branch]), width);
}
