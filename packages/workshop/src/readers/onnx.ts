/** Corrupted ONNX files. */
import { isLeft } from '@baton/base';
import { importOnnx } from 'batonjs';
import { afterwards, refused } from './afterwards.ts';
import { drawnFrom, onnxFiles } from './clean-models.ts';
import { corruptedFields, editedAt, placesIn, type TextPool, textPool } from './onnx-corruption.ts';
import { makeReader, type Parts } from './reader.ts';
import { type Fields, fieldsOf, written } from './wire.ts';

const FILE = 'model.onnx';

/** The files whose texts are used in other fields. */
const TEXTS_OF = 60;

let texts: TextPool | undefined;

export const knownTexts = (): TextPool => {
  texts ??= textPool(
    Array.from({ length: TEXTS_OF }, (_, i) => fieldsOf(drawnFrom(onnxFiles, i), 'Model')),
  );
  return texts;
};

export const onnx = makeReader<Fields, 'onnx'>({
  name: 'onnx',
  share: 40,
  clean: (draw) => fieldsOf(drawnFrom(onnxFiles, draw.below(onnxFiles.size)), 'Model'),
  corrupted: (fields, draw) => corruptedFields(fields, knownTexts(), draw),
  written: (fields) => new Map([[FILE, written(fields)]]),
  smaller: (parts) => smallerModels(parts, FILE),
  read: ({ parts, depth }) => {
    const bytes = parts.get(FILE) ?? new Uint8Array();
    const read = importOnnx(bytes.slice(), { source: FILE, ownsBytes: true });
    return isLeft(read) ? refused(read.left) : afterwards(read, depth);
  },
});

/** The models without one of their fields. */
export function* smallerModels(parts: Parts, name: string): Iterable<Parts> {
  const bytes = parts.get(name);
  if (bytes === undefined) return;
  const fields = fieldsOf(bytes, 'Model');
  for (const { path } of placesIn(fields)) {
    const fewer = editedAt(fields, path, (siblings, at) => siblings.filter((_, i) => i !== at));
    yield new Map(parts).set(name, written(fewer));
  }
}
