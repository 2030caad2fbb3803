/** A model in an ONNX file of the user's. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isLeft, right } from '@baton/base';
import { importOnnx } from 'batonjs';
import { seededInputs } from './inputs.ts';
import type { Subject } from './subject.ts';

/** The model in `path`, its weights inside, run on seeded inputs; `dims` binds named dimensions. */
export function onnxSubject(path: string, dims: Readonly<Record<string, number>>): Subject {
  const name = basename(path).replace(/\.onnx$/, '');
  return {
    name,
    load: async () => {
      const imported = importOnnx(await readFile(path), { source: basename(path), dims });
      if (isLeft(imported)) return imported;
      const inputs = seededInputs(imported.right, name);
      if (isLeft(inputs)) return inputs;
      return right({ module: imported.right, inputs: inputs.right, weightsMs: 0 });
    },
    expected: undefined,
  };
}
