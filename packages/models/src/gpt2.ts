/** GPT-2, one token per step. */
import { builderSpan } from '@baton/base';
import { type Expr, type IRModule, type OpTable, tuple, type Var } from '@baton/ir';
import { dense, FLOAT32_MAX, tensor, transposeView } from '@baton/tensor';
import {
  attend,
  type Heads,
  headWidth,
  joined,
  layerNorm,
  parts,
  pick,
  splitHeads,
} from './exported.ts';
import {
  type DenseOptions,
  input,
  mainModule,
  type Network,
  network,
  RELU_GAIN,
  UNIT_GAIN,
} from './network.ts';
import { uniform } from './weights.ts';

export interface Gpt2Options {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** The earlier tokens, whose keys and values are cached. @defaultValue 64 */
  readonly past?: number;
  /** @defaultValue 4 */
  readonly layers?: number;
  /** Attention heads; their number divides the width. @defaultValue 6 */
  readonly heads?: number;
  /** The size of one token. @defaultValue 384 */
  readonly width?: number;
  /** @defaultValue 2048 */
  readonly vocabulary?: number;
  /** The most tokens of a text, more than `past`. @defaultValue 256 */
  readonly positions?: number;
  /** @defaultValue `gpt2` */
  readonly seed?: string;
}

/**
 * A step of GPT-2 with seeded weights over a cache of keys and values, as PyTorch's exporter writes
 * it: normalizations, attention with its two masks and GELU are expanded into small operators, and
 * the divisor of scores is computed from a shape. Logits are products with the embeddings of
 * tokens.
 *
 * **Shapes** `input_ids` and `position_ids: [batch, 1]`, `attention_mask: [batch, past + 1]` (1 for
 * visible tokens) of int64; for each layer `past_key` and
 * `past_value: [batch, heads, past, width / heads]` of float32. To a tuple: the logits
 * `[batch, 1, vocabulary]`, then keys and values of each layer, `past + 1` of each.
 *
 * **Errors** throws an InvariantError if the heads do not divide the width.
 *
 * **Source** Radford et al., Language Models are Unsupervised Multitask Learners, 2019, section
 * 2.3.
 */
export function gpt2(options: Gpt2Options): IRModule {
  const { ops, batch = 1, past = 64, layers = 4, heads = 6, width = 384 } = options;
  const { vocabulary = 2048, positions = 256 } = options;
  const seed = options.seed ?? 'gpt2';
  const net = network(ops, seed);
  const sizes: Heads = { batch, queries: 1, keys: past + 1, heads, width };
  const ids = input('input_ids', [batch, 1], 'int64');
  const places = input('position_ids', [batch, 1], 'int64');
  const seen = input('attention_mask', [batch, past + 1], 'int64');
  const caches = Array.from({ length: layers }, (_, layer): Cache => {
    const cache = (name: string): Var =>
      input(`${name}${layer + 1}`, [batch, heads, past, headWidth(sizes)]);
    return { key: cache('past_key'), value: cache('past_value') };
  });
  const mask = masks(net, seen, { past, positions });
  // Logits of normalized tokens have a variance near 1.
  const bound = UNIT_GAIN / Math.sqrt(width);
  const embeddings = uniform(`${seed}:tokens.weight`, [vocabulary, width], -bound, bound);
  const rows = (layer: string, table: Expr, from: Expr): Expr =>
    net.op(layer, 'take', [table, from], { axis: 0, mode: 'fast' });
  let x = net.op('embed', 'add', [
    rows('tokens', net.value('tokens.weight', embeddings), ids),
    rows('positions', net.weight('positions', [positions, width], bound), places),
  ]);
  const present: Expr[] = [];
  caches.forEach((cache, i) => {
    const name = `layer${i + 1}`;
    const own = layerNorm(net, `${name}.attention.norm`, x, width);
    const { attended, key, value } = attention(net, `${name}.attention`, own, cache, sizes, mask);
    x = net.op(`${name}.attention.add`, 'add', [attended, x]);
    const normalized = layerNorm(net, `${name}.feed.norm`, x, width);
    const fed = feedForward(net, `${name}.feed`, normalized, sizes);
    x = net.op(`${name}.feed.add`, 'add', [x, fed]);
    present.push(key, value);
  });
  // An exporter folds the transposition.
  const turned = net.value('head.tokens', dense(transposeView(embeddings, [1, 0])));
  const logits = net.op('head', 'nn.matmul', [layerNorm(net, 'head.norm', x, width), turned]);
  const params = [ids, places, seen, ...caches.flatMap(({ key, value }) => [key, value])];
  return mainModule(ops, params, tuple([logits, ...present], builderSpan('outputs')));
}

interface Cache<A extends Expr = Var> {
  readonly key: A;
  readonly value: A;
}

/** Hides later tokens, then those that the mask excludes. */
function masks(
  net: Network,
  seen: Expr,
  { past, positions }: { readonly past: number; readonly positions: number },
): (name: string, scores: Expr) => Expr {
  const before = Array.from({ length: positions ** 2 }, (_, i) =>
    i % positions <= Math.floor(i / positions) ? 1 : 0,
  );
  const square = net.value('causal', tensor(before, [1, 1, positions, positions], 'bool'));
  const cut = (x: Expr, begin: number, axis: number): Expr =>
    net.op('causal', 'strided_slice', [x], { begin: [begin], end: [past + 1], axes: [axis] });
  const causal = cut(cut(square, past, 2), 0, 3);
  const row = net.op('mask', 'expand_dims', [seen], { axis: 1 });
  const all = net.op('mask', 'expand_dims', [row], { axis: 2 });
  const one = net.op('mask', 'cast', [all], { dtype: 'float32' });
  const hidden = net.op('mask', 'subtract', [net.number('mask', 1), one]);
  const bias = net.op('mask', 'multiply', [hidden, net.number('mask', -FLOAT32_MAX)]);
  return (name, scores) => {
    const kept = net.op(name, 'where', [causal, scores, net.number(name, -FLOAT32_MAX)]);
    return net.op(name, 'add', [kept, bias]);
  };
}

function attention(
  net: Network,
  name: string,
  x: Expr,
  past: Cache,
  sizes: Heads,
  mask: (name: string, scores: Expr) => Expr,
): Cache<Expr> & { readonly attended: Expr } {
  const { width } = sizes;
  const all = affine(net, `${name}.all`, x, sizes, { inputs: width, units: 3 * width });
  const [query, key, value] = parts(net, `${name}.all`, all, [width, 2 * width], 2).map((part) =>
    splitHeads(net, `${name}.heads`, part, sizes),
  ) as [Expr, Expr, Expr];
  const keys = joined(net, `${name}.key`, [past.key, key], 2);
  const values = joined(net, `${name}.value`, [past.value, value], 2);
  const attended = attend(net, name, {
    ...sizes,
    query,
    key: keys,
    value: values,
    scale: rootOfSize(net, `${name}.scale`, values),
    mask: (scores) => mask(`${name}.mask`, scores),
  });
  const output = affine(net, `${name}.output`, attended, sizes, {
    inputs: width,
    units: width,
  });
  return { attended: output, key: keys, value: values };
}

function rootOfSize(net: Network, layer: string, x: Expr): Expr {
  const size = pick(net, layer, net.op(layer, 'shape_of', [x], { dtype: 'int64' }), 3, 0);
  const number = net.op(layer, 'cast', [size], { dtype: 'float32' });
  return net.op(layer, 'power', [number, net.number(layer, 0.5)]);
}

/** A fully connected layer as in GPT-2: rows of tokens, and a weight `[inputs, units]`. */
function affine(
  net: Network,
  layer: string,
  x: Expr,
  { batch }: Heads,
  options: DenseOptions,
): Expr {
  const { inputs, units, gain = UNIT_GAIN } = options;
  const shaped = (y: Expr, newshape: ReadonlyArray<number>): Expr =>
    net.op(layer, 'reshape', [y], { newshape });
  const weight = net.weight(layer, [inputs, units], gain / Math.sqrt(inputs));
  const turned = net.op(layer, 'transpose', [weight], { axes: [1, 0] });
  const product = net.op(layer, 'nn.dense', [shaped(x, [-1, inputs]), turned]);
  const sum = net.op(layer, 'nn.bias_add', [product, net.bias(layer, units)], { axis: 1 });
  return shaped(sum, [batch, 1, units]);
}

function feedForward(net: Network, name: string, x: Expr, sizes: Heads): Expr {
  const { width } = sizes;
  const wide = affine(net, `${name}.expand`, x, sizes, {
    inputs: width,
    units: 4 * width,
    gain: RELU_GAIN,
  });
  const active = gelu(net, `${name}.gelu`, wide);
  return affine(net, `${name}.project`, active, sizes, { inputs: 4 * width, units: width });
}

/** `x · ½ · (tanh((x + x³ · 0.044715) · √(2/π)) + 1)`. */
function gelu(net: Network, layer: string, x: Expr): Expr {
  const op = (name: string, a: Expr, b: number | Expr): Expr =>
    net.op(layer, name, [a, typeof b === 'number' ? net.number(layer, b) : b]);
  const inner = op('add', x, op('multiply', op('power', x, 3), 0.044715));
  const turned = net.op(layer, 'tanh', [op('multiply', inner, Math.sqrt(2 / Math.PI))]);
  return op('multiply', op('multiply', x, 0.5), op('add', turned, 1));
}
