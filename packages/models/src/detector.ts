/** A detector of objects, as YOLOv5. */
import { builderSpan } from '@baton/base';
import { type Expr, type IRModule, type OpTable, tupleGetItem } from '@baton/ir';
import { scalar, tensor } from '@baton/tensor';
import { joined, parts } from './exported.ts';
import { type ConvOptions, dataModule, type Network, network } from './network.ts';

export interface DetectorOptions {
  readonly ops: OpTable;
  /** @defaultValue 1 */
  readonly batch?: number;
  /** Height and width of the image, a multiple of 32. @defaultValue 160 */
  readonly imageSize?: number;
  /** Channels of the first layer. @defaultValue 16 */
  readonly width?: number;
  /** @defaultValue 20 */
  readonly classes?: number;
  /** The most boxes in the result. @defaultValue 100 */
  readonly detections?: number;
  /** @defaultValue `detector` */
  readonly seed?: string;
}

/** The sizes of boxes that are scaled, **Units** pixels, three for each size of the image. */
const ANCHORS = [
  {
    stride: 16,
    sizes: [
      [10, 14],
      [23, 27],
      [37, 58],
    ],
  },
  {
    stride: 32,
    sizes: [
      [81, 82],
      [135, 169],
      [344, 319],
    ],
  },
] as const satisfies ReadonlyArray<Scale>;

/** An image each of whose elements predicts boxes. */
interface Scale {
  readonly stride: number;
  readonly sizes: ReadonlyArray<readonly [width: number, height: number]>;
}

/** Keeps most scores away from 0 and 1. */
const HEAD_GAIN = 0.25;

/** Boxes with scores up to this are discarded. */
const SCORE_THRESHOLD = 0.25;

/** The overlap of two boxes from which the worse one is discarded. */
const OVERLAP_THRESHOLD = 0.45;

/**
 * A small detector with seeded weights, as PyTorch's exporter writes YOLOv5: convolutions with
 * SiLU, a coarse image that is enlarged and concatenated with the finer one, boxes computed from
 * anchors, and non-max suppression.
 *
 * **Shapes** `data: [batch, 3, imageSize, imageSize]` to `[batch, detections, 6]`: class, score,
 * left, top, right and bottom of the best boxes, then rows of −1.
 *
 * **Source** Redmon and Farhadi, YOLOv3, 2018, section 2, and its tiny network's anchors; Jocher et
 * al., YOLOv5, 2020.
 */
export function detector(options: DetectorOptions): IRModule {
  const { ops, batch = 1, imageSize = 160, width = 16, classes = 20, detections = 100 } = options;
  const net = network(ops, options.seed ?? 'detector');
  return dataModule(ops, [batch, 3, imageSize, imageSize], (data) => {
    const images = backbone(net, data, { imageSize, width });
    const found = images.map(({ x, channels }, i) => {
      const scale = ANCHORS[i] as Scale;
      const side = imageSize / scale.stride;
      return decoded(net, `scale${scale.stride}`, x, { batch, side, channels, classes, scale });
    });
    const boxes = joined(net, 'boxes', found, 1);
    return suppressed(net, 'best', labelled(net, 'label', boxes, classes), detections);
  });
}

interface Image {
  readonly x: Expr;
  readonly channels: number;
}

/** Images with 16 and with 32 pixels between two elements. */
function backbone(
  net: Network,
  data: Expr,
  { imageSize, width }: { readonly imageSize: number; readonly width: number },
): ReadonlyArray<Image> {
  let image = { x: data, channels: 3 };
  const stage = (index: number): Image => {
    const outChannels = width << index;
    const name = `stage${index}`;
    const narrow = { inChannels: image.channels, outChannels, kernel: 3, stride: 2 };
    const small = convNormSilu(net, `${name}.down`, image.x, narrow);
    image = { x: bottleneck(net, name, small, outChannels), channels: outChannels };
    return image;
  };
  const [, , , fine, coarse] = [0, 1, 2, 3, 4].map(stage) as [Image, Image, Image, Image, Image];
  const inChannels = coarse.channels;
  const outChannels = fine.channels;
  const reduced = convNormSilu(net, 'neck.reduce', coarse.x, {
    inChannels,
    outChannels,
    kernel: 1,
  });
  const large = net.op('neck.grow', 'image.resize2d', [reduced], {
    size: [imageSize / 16, imageSize / 16],
    method: 'nearest_neighbor',
    coordinate_transformation_mode: 'asymmetric',
    rounding_method: 'floor',
  });
  const both = joined(net, 'neck.join', [large, fine.x], 1);
  const mixed = convNormSilu(net, 'neck.mix', both, {
    inChannels: 2 * outChannels,
    outChannels,
    kernel: 3,
  });
  return [{ x: mixed, channels: outChannels }, coarse];
}

/** A convolution, batch normalization and `x · sigmoid(x)`. */
function convNormSilu(net: Network, layer: string, x: Expr, options: ConvOptions): Expr {
  const conv = net.conv(`${layer}.conv`, x, options);
  const normalized = net.batchNorm(`${layer}.bn`, conv, options.outChannels);
  const gate = net.op(`${layer}.silu`, 'sigmoid', [normalized]);
  return net.op(`${layer}.silu`, 'multiply', [normalized, gate]);
}

/** A 1×1 and a 3×3 convolution, with a shortcut around them. */
function bottleneck(net: Network, name: string, x: Expr, channels: number): Expr {
  const half = channels / 2;
  const narrow = convNormSilu(net, `${name}.narrow`, x, {
    inChannels: channels,
    outChannels: half,
    kernel: 1,
  });
  const wide = convNormSilu(net, `${name}.wide`, narrow, {
    inChannels: half,
    outChannels: channels,
    kernel: 3,
  });
  return net.op(`${name}.add`, 'add', [x, wide]);
}

interface DecodeOptions {
  readonly batch: number;
  readonly side: number;
  readonly channels: number;
  readonly classes: number;
  readonly scale: Scale;
}

/**
 * The boxes of one scale: centre, size, confidence, and a score for each class. Shapes:
 * `x: [batch, channels, side, side]` to `[batch, anchors · side², 5 + classes]`.
 */
function decoded(net: Network, name: string, x: Expr, options: DecodeOptions): Expr {
  const { batch, side, channels, classes, scale } = options;
  const anchors = scale.sizes.length;
  const columns = 5 + classes;
  const head = { inChannels: channels, outChannels: anchors * columns, kernel: 1, bias: true };
  const op = (operator: string, a: Expr, b: Expr): Expr => net.op(name, operator, [a, b]);
  const number = (value: number): Expr => net.number(name, value);
  const reshape = (from: Expr, newshape: ReadonlyArray<number>): Expr =>
    net.op(name, 'reshape', [from], { newshape });
  const raw = reshape(net.conv(`${name}.conv`, x, { ...head, gain: HEAD_GAIN }), [
    batch,
    anchors,
    columns,
    side,
    side,
  ]);
  const rows = net.op(name, 'transpose', [raw], { axes: [0, 1, 3, 4, 2] });
  const shares = net.op(name, 'sigmoid', [rows]);
  const [place, extent, scores] = parts(net, name, shares, [2, 4], 4) as [Expr, Expr, Expr];
  const grid = Array.from({ length: side * side }, (_, i) => [
    (i % side) - 0.5,
    Math.floor(i / side) - 0.5,
  ]).flat();
  const corners = net.value(name, tensor(grid, [1, 1, side, side, 2], 'float32'));
  const moved = op('add', op('multiply', place, number(2)), corners);
  const centre = op('multiply', moved, number(scale.stride));
  const anchor = net.value(name, tensor(scale.sizes.flat(), [1, anchors, 1, 1, 2], 'float32'));
  const doubled = op('multiply', extent, number(2));
  const size = op('multiply', op('power', doubled, number(2)), anchor);
  const boxes = joined(net, name, [centre, size, scores], 4);
  return reshape(boxes, [batch, anchors * side * side, columns]);
}

/** Boxes with their best class: class, score, left, top, right and bottom. */
function labelled(net: Network, name: string, boxes: Expr, classes: number): Expr {
  const op = (operator: string, a: Expr, b: Expr): Expr => net.op(name, operator, [a, b]);
  const cut = (begin: number, end: number): Expr =>
    net.op(name, 'strided_slice', [boxes], { begin: [begin], end: [end], axes: [2] });
  const [centre, size, isBox, own] = [cut(0, 2), cut(2, 4), cut(4, 5), cut(5, 5 + classes)];
  const scores = op('multiply', own, isBox);
  const half = op('divide', size, net.number(name, 2));
  const best = net.op(name, 'max', [scores], { axis: [2], keepdims: true });
  const label = net.op(name, 'argmax', [scores], { axis: [2], keepdims: true });
  const classOf = net.op(name, 'cast', [label], { dtype: 'float32' });
  const corners = [op('subtract', centre, half), op('add', centre, half)];
  return joined(net, name, [classOf, best, ...corners], 2);
}

/** The best boxes, without those that overlap a better one of their class. */
function suppressed(net: Network, name: string, boxes: Expr, detections: number): Expr {
  const threshold = net.number(name, SCORE_THRESHOLD);
  const found = net.op(name, 'vision.get_valid_counts', [boxes, threshold]);
  const [counts, valid, places] = [0, 1, 2].map((field) =>
    tupleGetItem(found, field, builderSpan(name)),
  ) as [Expr, Expr, Expr];
  const most = net.value(name, scalar(detections, 'int32'));
  const overlap = net.number(name, OVERLAP_THRESHOLD);
  const kept = net.op(name, 'vision.non_max_suppression', [valid, counts, places, most, overlap], {
    return_indices: false,
    invalid_to_bottom: true,
  });
  return net.op(name, 'strided_slice', [kept], { begin: [0], end: [detections], axes: [1] });
}
