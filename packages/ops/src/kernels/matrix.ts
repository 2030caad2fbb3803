/** Matrices as offsets into storage, which products read and write. */
import type { TensorData } from '@baton/tensor';

export interface Matrix {
  readonly data: TensorData;
  readonly offset: number;
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** The target of a product: element (i, j) is written to `data[offset + i * rowStride + j]`. */
export interface Target {
  readonly data: TensorData;
  readonly offset: number;
  readonly rowStride: number;
}
