/** A model in a user's ONNX file. */
import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isLeft, right } from '@baton/base';
import { readBeside } from '@baton/cli';
import type { Subject } from '@baton/report';
import { importOnnx } from 'batonjs';
import { readConstants } from './constants.ts';
import { seededInputs } from './inputs.ts';

/** The choices of the command line about the ONNX files. */
export interface OnnxChoices {
  /** Sizes of dimensions by name. */
  readonly dims: Readonly<Record<string, number>>;
  /** Values of inputs by name, as written on the command line. */
  readonly constants: Readonly<Record<string, string>>;
}

/** The model in `path`, run on seeded inputs. Its weights are inside, or in files next to it. */
export function onnxSubject(path: string, choices: OnnxChoices): Subject {
  const name = basename(path).replace(/\.onnx$/, '');
  return {
    name,
    load: async () => {
      const bytes = await readFile(path);
      const constants = await readConstants(bytes, choices.constants);
      if (isLeft(constants)) return constants;
      const imported = importOnnx(bytes, {
        source: basename(path),
        dims: choices.dims,
        constants: constants.right,
        externalData: (place) => readBeside(dirname(path), place),
      });
      if (isLeft(imported)) return imported;
      const inputs = seededInputs(imported.right, name);
      if (isLeft(inputs)) return inputs;
      return right({ module: imported.right, inputs: inputs.right, weightsMs: 0 });
    },
    expected: undefined,
  };
}
