/** Matrices as offsets into storage: products read and write this form. */
import type { TensorData } from '@baton/tensor';

/** A matrix as offsets into storage. */
export interface Matrix {
  readonly data: TensorData;
  readonly offset: number;
  readonly rows: Int32Array;
  readonly cols: Int32Array;
}

/** The target of a product: element (i, j) goes to `data[offset + i * rowStride + j]`. */
export interface Target {
  readonly data: TensorData;
  readonly offset: number;
  readonly rowStride: number;
}
