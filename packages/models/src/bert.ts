/** BERT. */
import { builderSpan } from '@baton/base';
import { type Expr, type IRModule, type OpTable, tuple } from '@baton/ir';
import { tensor } from '@baton/tensor';
import { dropout, feedForward, layerNorm, pick, selfAttention } from './exported.ts';
import { input, mainModule, type Network, network } from './network.ts';

export interface BertOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** The number of tokens. @defaultValue 64 */
  readonly sequenceLength?: number;
  /** @defaultValue 4 */
  readonly layers?: number;
  /** Attention heads; their number divides the width. @defaultValue 4 */
  readonly heads?: number;
  /** The size of one token. @defaultValue 256 */
  readonly width?: number;
  /** @defaultValue 2048 */
  readonly vocabulary?: number;
  /** The most tokens of a text. @defaultValue 512 */
  readonly positions?: number;
  /** @defaultValue `bert` */
  readonly seed?: string;
}

/**
 * BERT with seeded weights, as PyTorch's exporter writes it: normalizations, attention with its
 * mask and GELU are expanded into small operators. Layers, heads and width are those of BERT-Mini.
 *
 * **Shapes** `input_ids`, `attention_mask` (1 for visible tokens) and `token_type_ids` (0 or 1):
 * `[batch, sequenceLength]` of int64. To a tuple: the tokens of the last layer,
 * `[batch, sequenceLength, width]`, and the pooled first token, `[batch, width]`.
 *
 * **Errors** throws an InvariantError if the heads do not divide the width.
 *
 * **Source** Devlin et al., BERT, 2018; Turc et al., Well-Read Students Learn Better, 2019, table
 * 1.
 */
export function bert(options: BertOptions): IRModule {
  const { ops, batch = 1, sequenceLength = 64, layers = 4, heads = 4, width = 256 } = options;
  const net = network(ops, options.seed ?? 'bert');
  const given = (name: string) => input(name, [batch, sequenceLength], 'int64');
  const [ids, seen, types] = [given('input_ids'), given('attention_mask'), given('token_type_ids')];
  const mask = masked(net, seen);
  let x = embedded(net, ids, types, options);
  for (let layer = 1; layer <= layers; layer++) {
    const name = `layer${layer}`;
    const sizes = { batch, tokens: sequenceLength, heads, width };
    const attended = selfAttention(net, `${name}.attention`, x, sizes, (scores) =>
      net.op(`${name}.attention.mask`, 'add', [scores, mask]),
    );
    x = addNorm(net, `${name}.attention`, attended, x, width);
    const fed = feedForward(net, `${name}.feed`, x, { width, hidden: 4 * width });
    x = addNorm(net, `${name}.feed`, fed, x, width);
  }
  const first = pick(net, 'pooler.token', x, 0, 1);
  const pooled = net.dense('pooler.dense', first, { inputs: width, units: width });
  const outputs = [x, net.op('pooler', 'tanh', [pooled])];
  return mainModule(ops, [ids, seen, types], tuple(outputs, builderSpan('outputs')));
}

function embedded(net: Network, ids: Expr, types: Expr, options: BertOptions): Expr {
  const { sequenceLength = 64, width = 256, vocabulary = 2048, positions = 512 } = options;
  const table = (layer: string, rows: number): Expr => net.weight(layer, [rows, width], 1);
  const rowsOf = (layer: string, rows: number, indices: Expr): Expr =>
    net.op(layer, 'take', [table(layer, rows), indices], { axis: 0, mode: 'fast' });
  const every = Array.from({ length: positions }, (_, i) => BigInt(i));
  const row = net.value('positions', tensor(every, [1, positions], 'int64'));
  const places = net.op('positions', 'strided_slice', [row], {
    begin: [0],
    end: [sequenceLength],
    axes: [1],
  });
  const typed = net.op('embed.types', 'add', [
    rowsOf('tokens', vocabulary, ids),
    rowsOf('types', 2, types),
  ]);
  const sum = net.op('embed.positions', 'add', [typed, rowsOf('positions', positions, places)]);
  return dropout(net, 'embed.dropout', layerNorm(net, 'embed.norm', sum, width));
}

/** Added to scores: 0 for visible tokens, else −10,000. */
function masked(net: Network, seen: Expr): Expr {
  const row = net.op('mask', 'expand_dims', [seen], { axis: 1 });
  const all = net.op('mask', 'expand_dims', [row], { axis: 2 });
  const one = net.op('mask', 'cast', [all], { dtype: 'float32' });
  const hidden = net.op('mask', 'subtract', [net.number('mask', 1), one]);
  return net.op('mask', 'multiply', [hidden, net.number('mask', -10_000)]);
}

function addNorm(net: Network, name: string, branch: Expr, x: Expr, width: number): Expr {
  const sum = net.op(`${name}.add`, 'add', [dropout(net, `${name}.drop`, branch), x]);
  return layerNorm(net, `${name}.norm`, sum, width);
}
