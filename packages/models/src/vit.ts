/** A vision transformer. */
import { invariant } from '@baton/base';
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { dropout, feedForward, joined, layerNorm, pick, selfAttention } from './exported.ts';
import { dataModule, type Network, network } from './network.ts';

export interface VitOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image. @defaultValue 128 */
  readonly imageSize?: number;
  /** Height and width of a patch, which divide those of the image. @defaultValue 16 */
  readonly patchSize?: number;
  /** @defaultValue 4 */
  readonly layers?: number;
  /** Attention heads; their number divides the width. @defaultValue 3 */
  readonly heads?: number;
  /** The size of one token. @defaultValue 192 */
  readonly width?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** @defaultValue `vit` */
  readonly seed?: string;
}

/**
 * A vision transformer with seeded weights, as PyTorch's exporter writes it: normalizations,
 * attention and GELU are expanded into small operators. A class token, before those of the patches,
 * is classified. The width and the heads are those of ViT-Ti; the image is smaller and the layers
 * are fewer.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to logits `[batch, classes]`.
 *
 * **Errors** throws an InvariantError if patches do not divide the image, or the heads the width.
 *
 * **Source** Dosovitskiy et al., An Image is Worth 16x16 Words, 2021; Touvron et al., Training
 * data-efficient image transformers, 2021, table 1.
 */
export function vit(options: VitOptions): IRModule {
  const { ops, batch = 1, imageSize = 128, patchSize = 16, layers = 4 } = options;
  const { heads = 3, width = 192, classes = 1000 } = options;
  invariant(imageSize % patchSize === 0, `patches of ${patchSize} divide an image of ${imageSize}`);
  const patches = (imageSize / patchSize) ** 2;
  const net = network(ops, options.seed ?? 'vit');
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    let x = embedded(net, data, { batch, patches, patchSize, width });
    for (let layer = 1; layer <= layers; layer++) {
      const name = `layer${layer}`;
      const sizes = { batch, tokens: patches + 1, heads, width };
      const own = layerNorm(net, `${name}.attention.norm`, x, width);
      const attended = selfAttention(net, `${name}.attention`, own, sizes);
      x = net.op(`${name}.attention.add`, 'add', [attended, x]);
      const normalized = layerNorm(net, `${name}.feed.norm`, x, width);
      const fed = feedForward(net, `${name}.feed`, normalized, { width, hidden: 4 * width });
      x = net.op(`${name}.feed.add`, 'add', [fed, x]);
    }
    const first = pick(net, 'head.token', layerNorm(net, 'head.norm', x, width), 0, 1);
    return net.dense('head.dense', first, { inputs: width, units: classes });
  });
}

interface EmbeddingOptions {
  readonly batch: number;
  readonly patches: number;
  readonly patchSize: number;
  readonly width: number;
}

/** The class token, then one for each patch, with their positions. */
function embedded(net: Network, data: Expr, options: EmbeddingOptions): Expr {
  const { batch, patches, patchSize, width } = options;
  const image = net.conv('patches', data, {
    inChannels: 3,
    outChannels: width,
    kernel: patchSize,
    stride: patchSize,
    padding: 0,
    bias: true,
  });
  const flat = net.op('patches', 'reshape', [image], { newshape: [batch, width, patches] });
  const tokens = net.op('patches', 'transpose', [flat], { axes: [0, 2, 1] });
  const first = net.op('token', 'broadcast_to', [net.weight('token', [1, 1, width], 1)], {
    shape: [batch, 1, width],
  });
  const all = joined(net, 'tokens', [first, tokens], 1);
  const positions = net.weight('positions', [1, patches + 1, width], 1);
  return dropout(net, 'tokens.dropout', net.op('tokens.add', 'add', [all, positions]));
}
