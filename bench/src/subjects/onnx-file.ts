/** A model in a user's ONNX file. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve, sep } from 'node:path';
import { isLeft, right } from '@baton/base';
import type { ExternalLocation } from '@baton/onnx';
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

/** The model in `path`, run on seeded inputs. Its weights are inside, or in files beside it. */
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

/** Part of a file below the folder of the model; no path in a model leads outside. */
function readBeside(folder: string, place: ExternalLocation): Uint8Array | undefined {
  const root = resolve(folder);
  const file = resolve(root, place.location);
  if (!file.startsWith(root + sep)) return undefined;
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined || place.offset > size) return undefined;
  const length = place.length ?? size - place.offset;
  if (place.offset + length > size) return undefined;
  const bytes = new Uint8Array(length);
  const opened = openSync(file, 'r');
  try {
    for (let at = 0; at < length; ) {
      const count = readSync(opened, bytes, at, length - at, place.offset + at);
      if (count === 0) return undefined;
      at += count;
    }
  } finally {
    closeSync(opened);
  }
  return bytes;
}
