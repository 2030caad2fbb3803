/** Corrupted archives of NumPy, passed to a model as its inputs. */
import { joinedBytes, orThrow } from '@baton/base';
import { outputFile } from '@baton/cli';
import { type DType, tensor } from '@baton/tensor';
import { commanded } from './host.ts';
import { encoded, makeReader } from './reader.ts';
import {
  type Archive,
  archiveOf,
  corruptedArchive,
  entryOf,
  type NpyFile,
  npyOf,
  zipBytes,
} from './zip.ts';

const ARCHIVE = 'inputs.npz';
const MODEL = 'model.relay';

const arrayOf = (
  data: ReadonlyArray<number>,
  shape: ReadonlyArray<number>,
  dtype: DType,
): NpyFile => {
  const file = orThrow(outputFile('x.npy', { x: tensor(data, shape, dtype) }));
  return npyOf(joinedBytes([...file.pieces].map((piece) => piece as Uint8Array)));
};

/** The models, which take a few bytes, sizes that are known, and sizes that are open. */
const CLEAN = [
  {
    model: 'def @main(%a: Tensor[(2, 3), float32], %b: Tensor[(3), int64]) { (%a, %b) }',
    a: arrayOf([1, 2, 3, 4, 5, 6], [2, 3], 'float32'),
    b: arrayOf([1, 2, 3], [3], 'int64'),
  },
  {
    model: 'def @main(%a: Tensor[(?, 3), float32], %b: int64) { (nn.relu(%a), %b) }',
    a: arrayOf(new Array<number>(600).fill(1), [200, 3], 'float32'),
    b: arrayOf([7], [], 'int64'),
  },
  {
    model: 'def @main[n](%a: Tensor[(n, 2), float16], %b: Tensor[(n), bool]) { (%a, %b) }',
    a: arrayOf([1, 2, 3, 4], [2, 2], 'float16'),
    b: arrayOf([1, 0], [2], 'bool'),
  },
] as const;

interface Given {
  readonly model: string;
  readonly archive: Archive;
}

export const npz = makeReader<Given, 'npz'>({
  name: 'npz',
  share: 8,
  clean: (draw) => {
    const { model, a, b } = draw.pick(CLEAN);
    return { model, archive: archiveOf([entryOf('a.npy', a), entryOf('b.npy', b)]) };
  },
  corrupted: ({ model, archive }, draw) => ({ model, archive: corruptedArchive(archive, draw) }),
  written: ({ model, archive }) =>
    new Map([
      [MODEL, encoded(`#[version = "0.0.5"]\n${model}`)],
      [ARCHIVE, zipBytes(archive)],
    ]),
  smaller: () => [],
  read: ({ parts }) => commanded(['run', MODEL, '--input', ARCHIVE], parts),
});
