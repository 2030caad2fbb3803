/**
 * Layers as PyTorch's exporter writes them to ONNX and `importOnnx` reads them: each a series of
 * small operators, with dropout kept and matrix products with one batch axis.
 */
import { builderSpan, invariant } from '@baton/base';
import { type Expr, tuple, tupleGetItem } from '@baton/ir';
import { scalar } from '@baton/tensor';
import { type DenseOptions, type Network, RELU_GAIN, UNIT_GAIN } from './network.ts';

/** A fully connected layer, `bias + x · weight`. Shapes: `x: [..., inputs]`. */
export function linear(net: Network, layer: string, x: Expr, options: DenseOptions): Expr {
  const { inputs, units, gain = UNIT_GAIN } = options;
  const weight = net.weight(layer, [inputs, units], gain / Math.sqrt(inputs));
  return net.op(layer, 'add', [net.bias(layer, units), net.op(layer, 'nn.matmul', [x, weight])]);
}

export function layerNorm(net: Network, layer: string, x: Expr, size: number): Expr {
  const op = (name: string, ...args: ReadonlyArray<Expr>): Expr => net.op(layer, name, args);
  const mean = (y: Expr): Expr => net.op(layer, 'mean', [y], { axis: [-1], keepdims: true });
  const [gamma, beta] = net.affine(layer, size);
  const centred = op('subtract', x, mean(x));
  const variance = mean(op('power', centred, net.number(layer, 2)));
  const deviation = op('sqrt', op('add', variance, net.number(layer, EPSILON)));
  return op('add', op('multiply', op('divide', centred, deviation), gamma), beta);
}

const EPSILON = 1e-5;

/** `x · (erf(x / √2) + 1) · ½`. */
export function gelu(net: Network, layer: string, x: Expr): Expr {
  const op = (name: string, a: Expr, b: number | Expr): Expr =>
    net.op(layer, name, [a, typeof b === 'number' ? net.number(layer, b) : b]);
  const share = op('add', net.op(layer, 'erf', [op('divide', x, Math.SQRT2)]), 1);
  return op('multiply', op('multiply', x, share), 0.5);
}

export const dropout = (net: Network, layer: string, x: Expr): Expr =>
  tupleGetItem(net.op(layer, 'nn.dropout', [x]), 0, builderSpan(layer));

/** The slice of an axis at one index, without the axis. */
export const pick = (net: Network, layer: string, x: Expr, place: number, axis: number): Expr =>
  net.op(layer, 'take', [x, net.value(layer, scalar(BigInt(place), 'int64'))], { axis });

export const joined = (net: Network, layer: string, all: ReadonlyArray<Expr>, axis: number): Expr =>
  net.op(layer, 'concatenate', [tuple(all, builderSpan(layer))], { axis });

/** The parts of an axis: equal ones, or split at these indices. */
export function parts(
  net: Network,
  layer: string,
  x: Expr,
  cuts: number | ReadonlyArray<number>,
  axis: number,
): ReadonlyArray<Expr> {
  const all = net.op(layer, 'split', [x], { indices_or_sections: cuts, axis });
  const count = typeof cuts === 'number' ? cuts : cuts.length + 1;
  return Array.from({ length: count }, (_, i) => tupleGetItem(all, i, builderSpan(layer)));
}

/** The two layers after attention, with an activation between them. */
export function feedForward(
  net: Network,
  name: string,
  x: Expr,
  { width, hidden }: { readonly width: number; readonly hidden: number },
): Expr {
  const wide = linear(net, `${name}.expand`, x, { inputs: width, units: hidden, gain: RELU_GAIN });
  const active = gelu(net, `${name}.gelu`, wide);
  return linear(net, `${name}.project`, active, { inputs: hidden, units: width });
}

export interface Heads {
  readonly batch: number;
  readonly queries: number;
  readonly keys: number;
  readonly heads: number;
  readonly width: number;
}

/** The elements of one token for one head. */
export function headWidth({ heads, width }: Heads): number {
  invariant(width % heads === 0, `the ${heads} heads divide the width ${width}`);
  return width / heads;
}

/** One matrix for each head. Shapes: `[batch, queries, width]` to `[batch, heads, queries, width / heads]`. */
export function splitHeads(net: Network, layer: string, x: Expr, sizes: Heads): Expr {
  const newshape = [sizes.batch, sizes.queries, sizes.heads, headWidth(sizes)];
  return swapped(net, layer, net.op(layer, 'reshape', [x], { newshape }), [0, 2, 1, 3]);
}

const swapped = (net: Network, layer: string, x: Expr, axes: ReadonlyArray<number>): Expr =>
  net.op(layer, 'transpose', [x], { axes });

/** The inputs of attention, one matrix for each head. */
export interface Attention extends Heads {
  readonly query: Expr;
  readonly key: Expr;
  readonly value: Expr;
  /** The divisor of scores. */
  readonly scale: Expr;
  /** Lowers the scores of invisible tokens. @defaultValue all are visible */
  readonly mask?: (scores: Expr) => Expr;
}

/** The mean of the values for every query, by fit of its keys: `[batch, queries, width]`. */
export function attend(net: Network, name: string, attention: Attention): Expr {
  const { batch, queries, keys, heads, width, query, key, value, mask = (x) => x } = attention;
  const size = headWidth(attention);
  const turned = swapped(net, `${name}.scores`, key, [0, 1, 3, 2]);
  const product = (layer: string, a: Expr, b: Expr, [n, k, m]: Sizes): Expr => {
    const flat = (x: Expr, rows: number, columns: number): Expr =>
      net.op(layer, 'reshape', [x], { newshape: [batch * heads, rows, columns] });
    const result = net.op(layer, 'nn.batch_matmul', [flat(a, n, k), flat(b, k, m)]);
    return net.op(layer, 'reshape', [result], { newshape: [batch, heads, n, m] });
  };
  const scores = product(`${name}.scores`, query, turned, [queries, size, keys]);
  const scaled = net.op(`${name}.scale`, 'divide', [scores, attention.scale]);
  const weights = net.op(`${name}.softmax`, 'nn.softmax', [mask(scaled)], { axis: 3 });
  const means = product(`${name}.mean`, dropout(net, `${name}.dropout`, weights), value, [
    queries,
    keys,
    size,
  ]);
  const merged = swapped(net, `${name}.merge`, means, [0, 2, 1, 3]);
  return net.op(`${name}.merge`, 'reshape', [merged], { newshape: [batch, queries, width] });
}

/** Rows, summed elements, and columns. */
type Sizes = readonly [number, number, number];

/** Self-attention. Shapes: `x: [batch, tokens, width]` to the same. */
export function selfAttention(
  net: Network,
  name: string,
  x: Expr,
  sizes: Omit<Heads, 'queries' | 'keys'> & { readonly tokens: number },
  mask?: (scores: Expr) => Expr,
): Expr {
  const { tokens, width } = sizes;
  const all: Heads = { ...sizes, queries: tokens, keys: tokens };
  const project = (part: string, from: Expr): Expr =>
    linear(net, `${name}.${part}`, from, { inputs: width, units: width });
  const heads = (part: string): Expr => splitHeads(net, `${name}.${part}`, project(part, x), all);
  const attended = attend(net, name, {
    ...all,
    query: heads('query'),
    key: heads('key'),
    value: heads('value'),
    scale: net.number(`${name}.scale`, Math.sqrt(headWidth(all))),
    ...(mask === undefined ? {} : { mask }),
  });
  return project('output', attended);
}
