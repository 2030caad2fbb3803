/** The diagnostics of tensors. */
import { type Diagnostic, diagnostic } from '@baton/base';
import type { DType } from './dtype.ts';
import { MAX_ELEMENTS, MAX_RANK, printShape, type Shape } from './shape.ts';

export const badDimension = (shape: Shape): Diagnostic =>
  diagnostic(
    'TENSOR_DIMENSION',
    `expected whole dimensions of at least 0, found shape ${printShape(shape)}`,
  );

export const rankTooHigh = (rank: number): Diagnostic =>
  diagnostic('TENSOR_RANK', `expected at most ${MAX_RANK} dimensions, found ${rank}`);

export const tooManyElements = (shape: Shape): Diagnostic =>
  diagnostic(
    'TENSOR_TOO_LARGE',
    `expected at most ${MAX_ELEMENTS} elements, found shape ${printShape(shape)}`,
  );

export const lengthMismatch = (shape: Shape, expected: number, found: number): Diagnostic =>
  diagnostic(
    'TENSOR_LENGTH',
    `expected ${expected} elements for shape ${printShape(shape)}, found ${found}`,
  );

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

export const wrongStorage = (dtype: DType, found: string): Diagnostic =>
  diagnostic('TENSOR_STORAGE', `expected the storage of ${dtype}, found ${found}`, {
    hint: 'give a plain array to have the values converted',
  });
