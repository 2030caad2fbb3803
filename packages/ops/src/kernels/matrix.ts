/** Matrices as offsets into storage, which is how products read and write them. */
import type { TensorData } from '@baton/tensor';

/** A matrix as offsets into storage. */
export interface Matrix {
  readonly data: TensorData;
  readonly offset: number;
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** Where a product goes: element (i, j) to `data[offset + i * rowStride + j]`. */
export interface Target {
  readonly data: TensorData;
  readonly offset: number;
  readonly rowStride: number;
}
