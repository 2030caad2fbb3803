/**
 * Convolutions of two axes as products: weight × windows.
 *
 * The windows of as many pixels as fit in a cache are packed, multiplied by the whole weight, and
 * forgotten: no matrix of windows lies in memory. Long sums are split into blocks, so that the
 * panel of windows that the innermost loop reads again and again stays in the first cache.
 */
import {
  call,
  type FunctionBuilder,
  type FunctionRef,
  i32,
  type ModuleBuilder,
  type Value,
} from '../emit/index.ts';
import { depthwise } from './depthwise.ts';
import {
  type Addresses,
  kernelFunction,
  operandsAt,
  outBytesOf,
  type Procedure,
} from './function.ts';
import { eachPart, type Geometry, geometryOf } from './geometry.ts';
import type { HandKernel, IntegerOperands, KernelEntry, Site } from './kernel.ts';
import { each, moved, smaller, vectorBytes } from './lanes.ts';
import type { Numbers } from './numbers.ts';
import { packMatrix } from './pack-matrix.ts';
import { packRows } from './packing.ts';
import { onPairs } from './pairs.ts';
import { bytesOf, copyPhases, type Phases, packPhases, phasesOf } from './phases.ts';
import { packPixels } from './pixels.ts';
import { product, tailsOf } from './product.ts';
import { eachIn, shareOf, sizeOfShare, wholeOf } from './share.ts';
import {
  bitsOf,
  blockDepthOf,
  type Ending,
  endingKey,
  endingOf,
  numbersOf,
  TILE_ROWS,
  tileColumns,
} from './tile.ts';
import { packWindows } from './windows.ts';
import { winograd, winogradOfPairs } from './winograd.ts';

/** Terms of a sum that are added in one go, if a channel has no more. */
const BLOCK_DEPTH = 768;

/** **Units** bytes. The windows that are packed at a time. */
const BLOCK_BYTES = 2 ** 18;

/** `nn.conv2d` in the layout NCHW. */
export const conv2d: KernelEntry = {
  op: 'nn.conv2d',
  channelAxis: 1,
  make: (site) => {
    const shape = geometryOf(site);
    if (shape === undefined) return undefined;
    // The other kernels are of numbers of 32 bits.
    if (site.epilogue.sums === 'float64') return kernelOf(shape, site);
    const isDepthwise = shape.groups > 1 && shape.channels === 1;
    if (isDepthwise) return depthwise(shape, site);
    if (site.integers) return ofPairs(shape, site, site.integers);
    return winograd(shape, site) ?? kernelOf(shape, site);
  },
};

/** Whether each pixel of the result is under the window that begins at it. */
const isPlain = ({ strides, top, left }: Geometry): boolean =>
  strides[0] === 1 && strides[1] === 1 && top === 0 && left === 0;

/** A window of one pixel, whose pixels lie as in one long row. */
function asOneRow(shape: Geometry): Geometry {
  const { kernel, strides, height, width, outHeight, outWidth } = shape;
  const isSame =
    [...kernel, ...strides].every((n) => n === 1) && height === outHeight && width === outWidth;
  if (!isSame || shape.top !== 0 || shape.left !== 0) return shape;
  const pixels = height * width;
  return { ...shape, height: 1, width: pixels, outHeight: 1, outWidth: pixels };
}

/** Two neighbouring channels are a pair. */
function ofPairs(shape: Geometry, site: Site, integers: IntegerOperands): HandKernel {
  const { batch, groups, channels, outputs, height, width, kernel } = shape;
  const halved = { ...shape, channels: Math.ceil(channels / 2) };
  const transformed = winogradOfPairs(halved, site, integers, channels);
  return onPairs(
    transformed ?? kernelOf(halved, site),
    site,
    integers,
    { along: 'planes', groups: batch * groups, count: channels, elements: height * width },
    { along: 'planes', groups: groups * outputs, count: channels, elements: kernel[0] * kernel[1] },
    transformed === undefined,
  );
}

function kernelOf(given: Geometry, site: Site): HandKernel {
  const shape = asOneRow(given);
  const plan = planOf(shape, site);
  const ending = endingOf(site, 'rows');
  const { groups, channels, outputs } = shape;
  const { bytes } = numbersOf(ending);
  const depth = channels * plan.taps;
  return {
    key: `conv2d ${JSON.stringify(shape)} ${site.isWeightConstant} ${endingKey(ending)}`,
    scratchBytes: plan.weightBytes + plan.panelBytes + plan.copyBytes,
    packedBytes: site.isWeightConstant ? bytes * groups * outputs * depth : 0,
    packKey: `rows ${bytes} ${groups} ${outputs} ${depth} ${plan.blockChannels * plan.taps}`,
    pack: (weight, into) => {
      for (let group = 0; site.isWeightConstant && group < groups; group++) {
        const start = group * outputs * depth;
        const matrix = { start, lanes: outputs, depth, laneStride: depth, depthStride: 1 };
        packRows(weight, matrix, plan.blockChannels * plan.taps, into, start);
      }
    },
    emit: (module) => emit(module, shape, plan, ending),
  };
}

/** How the loops are cut. */
interface Plan {
  /** Places of the window. */
  readonly taps: number;
  readonly pixels: number;
  /** Channels whose terms are added in one go. */
  readonly blockChannels: number;
  /** Pixels whose windows are packed at a time. */
  readonly columns: number;
  /** Scratch for a block of the weight, if it is not packed ahead; a multiple of 16. */
  readonly weightBytes: number;
  /** Scratch for the windows that are packed at a time. */
  readonly panelBytes: number;
  /** The copy of the data that windows are packed from, if they are, and its room. */
  readonly phases: Phases | undefined;
  readonly copyBytes: number;
}

function planOf(shape: Geometry, { isWeightConstant: isAhead, epilogue }: Site): Plan {
  const { kernel, channels, outputs, outHeight, outWidth } = shape;
  const taps = kernel[0] * kernel[1];
  const numbers = numbersOf({ epilogue });
  const { bytes } = numbers;
  const width = tileColumns(numbers);
  const blockDepth = blockDepthOf(epilogue, BLOCK_DEPTH, channels * taps);
  const blocks = Math.ceil(channels / Math.max(1, Math.floor(blockDepth / taps)));
  const blockChannels = Math.ceil(channels / blocks);
  const pixels = outHeight * outWidth;
  const panels = Math.floor(BLOCK_BYTES / (bytes * width * blockChannels * taps));
  const allPanels = Math.ceil(pixels / width);
  const columns = width * Math.max(1, Math.min(panels, allPanels));
  const weightBytes = isAhead ? 0 : vectorBytes(outputs * blockChannels * taps, bytes);
  const panelBytes = bytes * columns * blockChannels * taps;
  const phases = bytes === 4 ? phasesOf(shape) : undefined;
  const copyBytes = phases === undefined ? 0 : bytesOf(phases, shape);
  return { taps, pixels, blockChannels, columns, weightBytes, panelBytes, phases, copyBytes };
}

type Address = Value<'i32'>;

function emit(module: ModuleBuilder, shape: Geometry, plan: Plan, ending: Ending): Procedure {
  const { epilogue } = ending;
  const add = makePart(module, shape, plan, ending);
  const weightBytes = numbersOf(ending).bytes * shape.outputs * shape.channels * plan.taps;
  return kernelFunction(module, epilogue, (f, given) =>
    eachPart(f, shape, weightBytes, epilogue, given, (part) => add(f, part)),
  );
}

/** Threads share the outputs if there are fewer pixels than the first number, and at least the second of outputs. */
const SHARED_PIXELS = 512;
const SHARED_OUTPUTS = 128;

/** How the windows of an image are packed. */
interface Packing {
  /** Makes the copy that they are packed from, if there is one; gives where they are packed from. */
  readonly begin: (f: FunctionBuilder, image: Address, copy: Address) => Address;
  /** What a channel takes there. */
  readonly planeBytes: number;
  readonly pack: FunctionRef<ReadonlyArray<'i32'>, 'none'>;
  /** The other parameters of `pack`, after addresses, pixels, channels and the bytes of a panel. */
  readonly sizes: ReadonlyArray<number>;
}

function packingOf(module: ModuleBuilder, shape: Geometry, plan: Plan, numbers: Numbers): Packing {
  const { height, width, outWidth, top, left } = shape;
  const { phases, pixels, taps } = plan;
  if (phases !== undefined) {
    const makeCopy = copyPhases(module, shape, phases);
    return {
      begin: (f, image, copy) => {
        f.do(call(makeCopy, image, copy));
        return copy;
      },
      planeBytes: 4 * phases.plane,
      pack: packPhases(module, shape, phases),
      sizes: [],
    };
  }
  const isOneRow =
    numbers.bytes === 4 && height === 1 && pixels === width && taps === 1 && isPlain(shape);
  return {
    begin: (_, image) => image,
    planeBytes: numbers.bytes * height * width,
    pack: isOneRow ? packPixels(module) : packWindows(module, shape, numbers),
    sizes: isOneRow ? [pixels] : [height, width, outWidth, top, left],
  };
}

/** Writes the loops over one image and group. */
function makePart(module: ModuleBuilder, shape: Geometry, plan: Plan, ending: Ending) {
  const { channels, outputs } = shape;
  const { taps, pixels, blockChannels, columns, weightBytes } = plan;
  const { epilogue } = ending;
  const outBytes = outBytesOf(epilogue);
  const numbers = numbersOf(ending);
  const { bytes } = numbers;
  const width = tileColumns(numbers);
  const packing = packingOf(module, shape, plan, numbers);
  const tails = tailsOf(outputs, pixels, width);
  const multiply = product(module, module.isOpen ? { ...tails, columns: 'any' } : tails, ending);
  const packRow = weightBytes && packMatrix(module, { numbers, side: 'rows', dense: 'depth' });
  return (f: FunctionBuilder, { data, weight, operands, out, scratch }: Addresses): void => {
    const panels = f.let(moved(scratch, 1, weightBytes));
    const isByOutputs = pixels < SHARED_PIXELS && outputs >= SHARED_OUTPUTS;
    const own = isByOutputs ? shareOf(f, module, outputs, TILE_ROWS) : wholeOf(outputs);
    const places = isByOutputs ? wholeOf(pixels) : shareOf(f, module, pixels, width);
    const ofRows = (it: Address, each: number) => f.let(moved(it, own.first, each * pixels));
    const ofChannels = (it: Address) => f.let(moved(it, own.first, bytes));
    const ofOwn = operandsAt(epilogue, operands, ofRows, ofChannels);
    const result = ofRows(out, outBytes);
    const source = packing.begin(f, data, f.let(moved(panels, 1, plan.panelBytes)));
    each(f, channels, blockChannels, (channel) => {
      const count = smaller(f, i32.sub(channels, channel), blockChannels);
      const ahead = moved(weight, channel, bytes * outputs * taps);
      const block = f.let(moved(source, channel, packing.planeBytes));
      const depth = f.let(i32.mul(count, taps));
      const rows = packRow ? scratch : f.let(moved(ahead, i32.mul(depth, own.first), bytes));
      const rowCount = sizeOfShare(own);
      if (packRow) {
        const rowBytes = bytes * channels * taps;
        const from = moved(moved(weight, channel, bytes * taps), own.first, rowBytes);
        f.do(call(packRow, from, rows, rowCount, depth, rowBytes));
      }
      const panelBytes = f.let(i32.mul(depth, bytes * width));
      const bits = bitsOf(f, channel, count, channels);
      eachIn(f, places, columns, (first) => {
        const end = smaller(f, i32.add(first, columns), places.end);
        const place = (address: Address, each: number) => moved(address, first, each);
        f.do(call(packing.pack, block, panels, first, end, count, ...packing.sizes, panelBytes));
        const size = i32.sub(end, first);
        const others = operandsAt(epilogue, ofOwn, place);
        const strided = [place(result, outBytes), outBytes * pixels] as const;
        f.do(call(multiply, rows, panels, rowCount, size, depth, ...strided, bits, ...others));
      });
    });
  };
}
