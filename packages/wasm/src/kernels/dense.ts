/** `nn.dense`, `nn.matmul` and `nn.batch_matmul`. */
import { shapeSize } from '@baton/tensor';
import type { HandKernel, KernelEntry, Site } from './kernel.ts';
import { matrixProduct } from './matrix-product.ts';
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
  if (rows === 1 && batch === 1 && turned.weight) return vectorProduct(columns, depth, site);
  return matrixProduct(
    {
      ...{ batch, rows, columns, depth },
      isDataTurned: turned.data,
      isWeightTurned: turned.weight,
      isDataShared: hasBatch && data[0] === 1,
      isWeightShared: hasBatch && weight[0] === 1,
    },
    site,
  );
}
