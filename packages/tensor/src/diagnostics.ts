/** Every diagnostic of tensors, one constructor each. */
import { type Diagnostic, diagnostic } from '@baton/base';
import type { DType } from './dtype.ts';
import { MAX_ELEMENTS, MAX_RANK, printShape, type Shape } from './shape.ts';

/** A dimension that is not a whole number, or is negative. */
export const badDimension = (shape: Shape): Diagnostic =>
  diagnostic(
    'TENSOR_DIMENSION',
    `expected whole dimensions of at least 0, found shape ${printShape(shape)}`,
  );

/** More dimensions than a tensor may have. */
export const rankTooHigh = (rank: number): Diagnostic =>
  diagnostic('TENSOR_RANK', `expected at most ${MAX_RANK} dimensions, found ${rank}`);

/** More elements than a tensor may have. */
export const tooManyElements = (shape: Shape): Diagnostic =>
  diagnostic(
    'TENSOR_TOO_LARGE',
    `expected at most ${MAX_ELEMENTS} elements, found shape ${printShape(shape)}`,
  );

/** A length that differs from the shape's. */
export const lengthMismatch = (shape: Shape, expected: number, found: number): Diagnostic =>
  diagnostic(
    'TENSOR_LENGTH',
    `expected ${expected} elements for shape ${printShape(shape)}, found ${found}`,
  );

/** Raw bytes whose length does not fit the shape and element type. */
export const byteLengthMismatch = (
  shape: Shape,
  dtype: DType,
  expected: number,
  found: number,
): Diagnostic =>
  diagnostic(
    'TENSOR_BYTES',
    `expected ${expected} bytes for shape ${printShape(shape)} of ${dtype}, found ${found}`,
  );

/** A typed array of another element type. */
export const wrongStorage = (dtype: DType, found: string): Diagnostic =>
  diagnostic('TENSOR_STORAGE', `expected the storage of ${dtype}, found ${found}`, {
    hint: 'give a plain array to have the values converted',
  });
