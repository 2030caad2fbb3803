/** A decoder like GPT-2, one token per step. */
import { builderSpan, invariant } from '@baton/base';
import {
  constant,
  dimOf,
  type Expr,
  func,
  type IRModule,
  irModule,
  type OpTable,
  tensorType,
  tuple,
  typeVar,
  variable,
} from '@baton/ir';
import { scalar } from '@baton/tensor';
import { type Network, network, RELU_GAIN, UNIT_GAIN } from './network.ts';

export interface DecoderOptions {
  readonly ops: OpTable;
  /** @defaultValue 4 */
  readonly layers?: number;
  /** Attention heads; their number divides the width. @defaultValue 4 */
  readonly heads?: number;
  /** The size of one token. @defaultValue 128 */
  readonly width?: number;
  /** @defaultValue 512 */
  readonly vocabulary?: number;
  /** The most tokens of a text. @defaultValue 1024 */
  readonly positions?: number;
  /** @defaultValue `decoder` */
  readonly seed?: string;
}

/**
 * A decoder with seeded weights that reads one token, given the keys and values of `past` earlier
 * ones, and returns them with its own: the cache grows by one per step. Layers are normalized
 * before they compute, as in GPT-2, and logits are products with the embeddings of tokens.
 *
 * **Shapes** `token: [1]` of int64; for each layer `keys` and
 * `values: [heads, past, width / heads]` of float32. To a tuple: the logits `[1, vocabulary]`, then
 * keys and values of each layer, `past + 1` of each.
 *
 * **Errors** throws an InvariantError if the heads do not divide the width.
 *
 * **Source** Radford et al., Language Models are Unsupervised Multitask Learners, 2019, section
 * 2.3.
 */
export function decoder(options: DecoderOptions): IRModule {
  const { ops, layers = 4, heads = 4, width = 128, vocabulary = 512 } = options;
  invariant(width % heads === 0, `the ${heads} heads divide the width ${width}`);
  const net = network(ops, options.seed ?? 'decoder');
  const past = typeVar('past', 'ShapeVar');
  const cacheType = tensorType([heads, dimOf(past), width / heads], 'float32');
  const token = variable('token', tensorType([1], 'int64'), builderSpan('token'));
  const caches = Array.from({ length: layers }, (_, layer) => {
    const part = (name: string) => {
      const label = `${name}${layer + 1}`;
      return variable(label, cacheType, builderSpan(label));
    };
    return { keys: part('keys'), values: part('values') };
  });
  const embeddings = net.weight('embed', [vocabulary, width], 1);
  const embedded = net.op('embed', 'take', [embeddings, token], { axis: 0 });
  let x = net.op('embed.add', 'add', [
    embedded,
    positionOf(net, caches[0]?.keys ?? token, options),
  ]);
  const present: Expr[] = [];
  for (const [i, cache] of caches.entries()) {
    const name = `layer${i + 1}`;
    const own = net.layerNorm(`${name}.attention.norm`, x, width);
    const { attended, keys, values } = attention(
      net,
      `${name}.attention`,
      own,
      cache,
      heads,
      width,
    );
    x = net.op(`${name}.attention.add`, 'add', [x, attended]);
    const fed = feedForward(net, `${name}.feed`, x, width);
    x = net.op(`${name}.feed.add`, 'add', [x, fed]);
    present.push(keys, values);
  }
  const last = net.layerNorm('head.norm', x, width);
  const logits = net.op('head', 'nn.dense', [last, embeddings]);
  const params = [token, ...caches.flatMap(({ keys, values }) => [keys, values])];
  const body = tuple([logits, ...present], builderSpan('outputs'));
  const main = func(params, body, { typeParams: [past] });
  return irModule({ ops, functions: new Map([['main', main]]) });
}

/** The embedding of the position after the cached ones. */
function positionOf(
  net: Network,
  keys: Expr,
  { width = 128, positions = 1024 }: DecoderOptions,
): Expr {
  const table = net.weight('position', [positions, width], 1);
  const shape = net.op('position.shape', 'shape_of', [keys], { dtype: 'int64' });
  const axis = constant(scalar(1n, 'int64'), builderSpan('position.axis'));
  const size = net.op('position.size', 'take', [shape, axis], { axis: 0 });
  const index = net.op('position.index', 'expand_dims', [size], { axis: 0 });
  return net.op('position', 'take', [table, index], { axis: 0 });
}

interface Cache {
  readonly keys: Expr;
  readonly values: Expr;
}

/** Attention: the mean of the values up to the token, weighted by the fit of query and keys. */
function attention(
  net: Network,
  name: string,
  x: Expr,
  cache: Cache,
  heads: number,
  width: number,
): Cache & { readonly attended: Expr } {
  const sizes = { inputs: width, units: width, gain: UNIT_GAIN };
  const part = (label: string): Expr =>
    net.op(`${name}.${label}`, 'reshape', [net.dense(`${name}.${label}`, x, sizes)], {
      newshape: [heads, 1, width / heads],
    });
  const join = (label: string, past: Expr): Expr =>
    net.op(
      `${name}.${label}.join`,
      'concatenate',
      [tuple([past, part(label)], builderSpan(`${name}.${label}.join`))],
      { axis: 1 },
    );
  const keys = join('keys', cache.keys);
  const values = join('values', cache.values);
  const products = net.op(`${name}.scores`, 'nn.batch_matmul', [part('query'), keys], {
    transpose_b: true,
  });
  const scale = net.number(`${name}.scale`, 1 / Math.sqrt(width / heads));
  const weights = net.op(`${name}.softmax`, 'nn.softmax', [
    net.op(`${name}.scale`, 'multiply', [products, scale]),
  ]);
  const means = net.op(`${name}.mean`, 'nn.batch_matmul', [weights, values], {
    transpose_b: false,
  });
  const merged = net.op(`${name}.merge`, 'reshape', [means], { newshape: [1, width] });
  return { attended: net.dense(`${name}.output`, merged, sizes), keys, values };
}

/** A normalization, then two layers with GELU between them. */
function feedForward(net: Network, name: string, x: Expr, width: number): Expr {
  const own = net.layerNorm(`${name}.norm`, x, width);
  const wide = net.dense(`${name}.expand`, own, {
    inputs: width,
    units: 4 * width,
    gain: RELU_GAIN,
  });
  return net.dense(`${name}.project`, gelu(net, `${name}.gelu`, wide), {
    inputs: 4 * width,
    units: width,
    gain: UNIT_GAIN,
  });
}

/** `x · ½ · (1 + tanh(√(2/π) · (x + 0.044715 · x³)))`, as GPT-2 computes GELU. */
function gelu(net: Network, name: string, x: Expr): Expr {
  const number = (value: number): Expr => net.number(name, value);
  const op = (call: string, a: Expr, b: Expr): Expr => net.op(name, call, [a, b]);
  const cube = op('multiply', op('multiply', x, x), x);
  const inner = op('add', x, op('multiply', cube, number(0.044715)));
  const turned = net.op(name, 'tanh', [op('multiply', inner, number(Math.sqrt(2 / Math.PI)))]);
  return op('multiply', op('multiply', x, number(0.5)), op('add', turned, number(1)));
}
