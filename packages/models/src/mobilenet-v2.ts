/** MobileNet v2. */
import type { Expr, IRModule, OpTable } from '@baton/ir';
import { type ConvOptions, classifierHead, dataModule, type Network, network } from './network.ts';

export interface MobileNetV2Options {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image. @defaultValue 224 */
  readonly imageSize?: number;
  /** Multiplies every channel count, rounded to multiples of 8. @defaultValue 1 */
  readonly widthMultiplier?: number;
  /** @defaultValue 1000 */
  readonly classes?: number;
  /** @defaultValue `mobilenet_v2` */
  readonly seed?: string;
}

/** Expansion, output channels, repetitions and first stride of each stage: table 2 of the paper. */
const STAGES: ReadonlyArray<readonly [number, number, number, number]> = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
];

const LAST_CHANNELS = 1280;

/**
 * MobileNet v2 with seeded weights: inverted residuals with depthwise convolutions and ReLU6, batch
 * normalization not folded, softmax at the end.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, classes]`.
 *
 * **Source** Sandler et al., MobileNetV2: Inverted Residuals and Linear Bottlenecks, 2018.
 */
export function mobilenetV2(options: MobileNetV2Options): IRModule {
  const { ops, batch = 1, imageSize = 224, widthMultiplier = 1, classes = 1000 } = options;
  const net = network(ops, options.seed ?? 'mobilenet_v2');
  const scaled = (channels: number): number =>
    Math.max(8, Math.round((channels * widthMultiplier) / 8) * 8);
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    let channels = scaled(32);
    let x = convNormRelu6(net, 'stem', data, {
      inChannels: 3,
      outChannels: channels,
      kernel: 3,
      stride: 2,
    });
    STAGES.forEach(([expansion, stageChannels, repetitions, firstStride], stage) => {
      const outChannels = scaled(stageChannels);
      for (let block = 0; block < repetitions; block++) {
        const stride = block === 0 ? firstStride : 1;
        const name = `stage${stage + 1}.${block}`;
        x = invertedResidual(net, name, x, {
          inChannels: channels,
          outChannels,
          expansion,
          stride,
        });
        channels = outChannels;
      }
    });
    const last = widthMultiplier > 1 ? scaled(LAST_CHANNELS) : LAST_CHANNELS;
    x = convNormRelu6(net, 'head', x, { inChannels: channels, outChannels: last, kernel: 1 });
    return classifierHead(net, x, last, classes);
  });
}

interface BlockOptions {
  readonly inChannels: number;
  readonly outChannels: number;
  readonly expansion: number;
  readonly stride: number;
}

/** Expands the channels, filters each, projects them, and adds the input if the shape allows it. */
function invertedResidual(net: Network, name: string, x: Expr, options: BlockOptions): Expr {
  const { inChannels, outChannels, expansion, stride } = options;
  const hidden = inChannels * expansion;
  const expanded =
    expansion === 1
      ? x
      : convNormRelu6(net, `${name}.expand`, x, { inChannels, outChannels: hidden, kernel: 1 });
  const filtered = convNormRelu6(net, `${name}.depthwise`, expanded, {
    inChannels: hidden,
    outChannels: hidden,
    kernel: 3,
    stride,
    groups: hidden,
  });
  const projected = net.batchNorm(
    `${name}.project.bn`,
    net.conv(`${name}.project.conv`, filtered, { inChannels: hidden, outChannels, kernel: 1 }),
    outChannels,
  );
  return stride === 1 && inChannels === outChannels
    ? net.op(`${name}.add`, 'add', [x, projected])
    : projected;
}

function convNormRelu6(net: Network, name: string, x: Expr, options: ConvOptions): Expr {
  const conv = net.conv(`${name}.conv`, x, options);
  const normalized = net.batchNorm(`${name}.bn`, conv, options.outChannels);
  return net.op(`${name}.relu6`, 'clip', [normalized], { a_min: 0, a_max: 6 });
}
