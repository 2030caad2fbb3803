/** The dimensions of an ONNX file's inputs that have no size, with sizes. */
import { andThen, ok, type Result } from '@baton/base';
import { decodeModel } from '@baton/onnx';
import { OPEN_SIZE } from './draw.ts';
import type { Inputs } from './values.ts';

/** Sizes of the open dimensions for `importOnnx`; those of the inputs if there are some. */
export const openDims = (
  file: Uint8Array,
  inputs: Inputs | undefined,
): Result<Readonly<Record<string, number>>> =>
  andThen(decodeModel(file), ({ graph }) => {
    const weights = new Set(graph?.initializers.map(({ name }) => name));
    const sizes: Record<string, number> = {};
    for (const { name, type } of graph?.inputs ?? []) {
      if (type?._tag !== 'Tensor' || weights.has(name)) continue;
      for (const [axis, dim] of (type.shape ?? []).entries()) {
        if (typeof dim !== 'string' && dim !== undefined) continue;
        const key = dim === undefined || dim === '' ? `${name}:${axis}` : dim;
        sizes[key] = inputs?.[name]?.shape[axis] ?? OPEN_SIZE;
      }
    }
    return ok(sizes);
  });
