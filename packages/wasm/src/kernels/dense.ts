/** `nn.dense`, `nn.matmul` and `nn.batch_matmul`. */
import { shapeSize } from '@baton/tensor';
import type { HandKernel, IntegerOperands, KernelEntry, Site } from './kernel.ts';
import { type Matrices, matrixProduct } from './matrix-product.ts';
import { onPairs, type Pairing } from './pairs.ts';
import { vectorProduct } from './vector-product.ts';

/** Which operands of a product are turned. */
interface Turned {
  readonly data: boolean;
  readonly weight: boolean;
}

const entry = (op: string, turned: (site: Site) => Turned): KernelEntry => ({
  op,
  channelAxis: -1,
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
  const shape: Matrices = {
    ...{ batch, rows, columns, depth },
    isDataTurned: turned.data,
    isWeightTurned: turned.weight,
    isDataShared: hasBatch && data[0] === 1,
    isWeightShared: hasBatch && weight[0] === 1,
  };
  return site.integers ? ofPairs(shape, site, site.integers) : ofFloats(shape, site);
}

function ofFloats(shape: Matrices, site: Site): HandKernel {
  const { batch, rows, columns, depth, isWeightTurned } = shape;
  if (rows === 1 && batch === 1 && isWeightTurned) return vectorProduct(columns, depth, site);
  return matrixProduct(shape, site);
}

/** Two neighbours along the depth are a pair: of a row, or of two rows if the operand is turned. */
function ofPairs(shape: Matrices, site: Site, integers: IntegerOperands): HandKernel {
  const { batch, rows, columns, depth, isDataTurned, isWeightTurned } = shape;
  const pairing = (isAlongRows: boolean, isShared: boolean, lanes: number): Pairing => ({
    along: isAlongRows ? 'rows' : 'planes',
    groups: isShared ? 1 : batch,
    ...(isAlongRows ? { count: lanes, elements: depth } : { count: depth, elements: lanes }),
  });
  return onPairs(
    ofFloats({ ...shape, depth: Math.ceil(depth / 2) }, site),
    site,
    integers,
    pairing(!isDataTurned, shape.isDataShared, rows),
    pairing(isWeightTurned, shape.isWeightShared, columns),
  );
}
