/** `nn.dense`, `nn.matmul` and `nn.batch_matmul`. */
import { type Shape, shapeSize } from '@baton/tensor';
import type { HandKernel, IntegerOperands, KernelEntry, Site } from './kernel.ts';
import { type Layout, type Matrices, matrixProduct } from './matrix-product.ts';
import { onPairs, type Pairing } from './pairs.ts';
import { vectorOfBytes, vectorProduct } from './vector-product.ts';

/** Which operands of a product are turned. */
interface Turned {
  readonly data: boolean;
  readonly weight: boolean;
}

const entry = (op: string, turned: (site: Site) => Turned): KernelEntry => ({
  op,
  channelAxis: -1,
  readsViews: true,
  make: (site) => ofMatrices(site, turned(site)),
});

const turnedBy = ({ attrs }: Site): Turned => ({
  data: attrs.transpose_a === true,
  weight: attrs.transpose_b === true,
});

export const dense = entry('nn.dense', () => ({ data: false, weight: true }));
export const matmul = entry('nn.matmul', turnedBy);
export const batchMatmul = entry('nn.batch_matmul', turnedBy);

/**
 * The kernel for data (…, M, K), or (…, K, M) if turned, and a weight of rank 2, or a batch of
 * them. With one weight for all, the leading axes of the data are rows too.
 */
function ofMatrices(site: Site, turned: Turned): HandKernel | undefined {
  const { data, weight, out, level } = site;
  if (level === 'scalar' || [...data, ...weight, ...out].some((dim) => dim === 0)) return undefined;
  const columns = out.at(-1) ?? 1;
  const [first, last] = weight.slice(-2) as [number, number];
  const depth = turned.weight ? last : first;
  const hasBatch = weight.length > 2;
  if (turned.data && !hasBatch && data.length > 2) return undefined;
  const batch = hasBatch ? (out[0] ?? 1) : 1;
  const rows = shapeSize(out) / columns / batch;
  const sizes = { batch, rows, columns, depth };
  const [ofData, ofWeight] = site.strides ?? [];
  const left = layoutOf(data, ofData, { lanes: rows, depth, hasBatch, isDepthLast: !turned.data });
  const right = layoutOf(weight, ofWeight, {
    ...{ lanes: columns, depth, hasBatch },
    isDepthLast: turned.weight,
  });
  if (left === undefined || right === undefined) return undefined;
  const shape: Matrices = { ...sizes, data: left, weight: right };
  if (site.integers) return site.strides ? undefined : ofPairs(shape, site, site.integers);
  return ofFloats(shape, site);
}

/** The sizes of an operand, and the order of its last two axes. */
interface OperandSizes {
  readonly lanes: number;
  readonly depth: number;
  readonly hasBatch: boolean;
  readonly isDepthLast: boolean;
}

/** The layout of an operand; `undefined` if it is a view of which no axis is without gaps. */
function layoutOf(
  shape: Shape,
  strides: Shape | undefined,
  { lanes, depth, hasBatch, isDepthLast }: OperandSizes,
): Layout | undefined {
  const isShared = !hasBatch || shape[0] === 1;
  if (strides === undefined) return contiguous({ lanes, depth, isDepthLast, isShared });
  if (shape.length > (hasBatch ? 3 : 2)) return undefined;
  const [first = 0, last = 0] = strides.slice(-2);
  const [lane, along] = isDepthLast ? [first, last] : [last, first];
  const matrix = isShared ? 0 : (strides[0] as number);
  // An axis of size 1 has no gaps.
  if (along === 1 || depth === 1) return { matrix, lane, depth: 1 };
  return lane === 1 || lanes === 1 ? { matrix, lane: 1, depth: along } : undefined;
}

const contiguous = ({
  lanes,
  depth,
  isDepthLast,
  isShared,
}: Omit<OperandSizes, 'hasBatch'> & { readonly isShared: boolean }): Layout => ({
  matrix: isShared ? 0 : lanes * depth,
  ...(isDepthLast ? { lane: depth, depth: 1 } : { lane: 1, depth: lanes }),
});

function ofFloats(shape: Matrices, site: Site): HandKernel {
  const { batch, rows, columns, depth, weight } = shape;
  const isVector = rows === 1 && batch === 1 && weight.depth === 1 && weight.lane === depth;
  return isVector ? vectorProduct(columns, depth, site) : matrixProduct(shape, site);
}

/** The greatest size of signed bytes of both signs. */
const MOST_BYTE = 127;

/** Two neighbours along the depth are a pair: of a row, or of two rows if the operand is turned. */
function ofPairs(shape: Matrices, site: Site, integers: IntegerOperands): HandKernel {
  const { batch, rows, columns, depth } = shape;
  const areBytes = integers.weight === 'int8' || integers.weightMost <= MOST_BYTE;
  if (rows === 1 && batch === 1 && site.isWeightConstant && areBytes) {
    return vectorOfBytes(columns, depth, shape.weight.depth === 1, site, integers);
  }
  const pairs = Math.ceil(depth / 2);
  const halved = (layout: Layout, lanes: number): Layout =>
    contiguous({
      ...{ lanes, depth: pairs },
      isDepthLast: layout.depth === 1,
      isShared: layout.matrix === 0,
    });
  const pairing = (layout: Layout, lanes: number): Pairing => ({
    along: layout.depth === 1 ? 'rows' : 'planes',
    groups: layout.matrix === 0 ? 1 : batch,
    ...(layout.depth === 1 ? { count: lanes, elements: depth } : { count: depth, elements: lanes }),
  });
  const { data, weight } = shape;
  return onPairs(
    ofFloats(
      {
        ...{ batch, rows, columns, depth: pairs },
        data: halved(data, rows),
        weight: halved(weight, columns),
      },
      site,
    ),
    site,
    integers,
    pairing(data, rows),
    pairing(weight, columns),
  );
}
