/** Corrupted descriptions of weights in files next to the model. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvariantError, isLeft, joinedBytes, orThrow } from '@baton/base';
import { readBeside } from '@baton/cli';
import { type ExternalLocation, exportOnnxPieces } from '@baton/onnx';
import { type IRModule, importOnnx, ir, models, parseModule } from 'batonjs';
import { afterwards, refused } from './afterwards.ts';
import { type Draw, EDGES, NAMES, replaced, shuffled } from './draw.ts';
import { knownTexts, smallerModels } from './onnx.ts';
import { corruptedFields, editedAt, placesIn } from './onnx-corruption.ts';
import { encoded, makeReader } from './reader.ts';
import { type Field, type Fields, field, fieldsOf, written } from './wire.ts';

const MODEL = 'model.onnx';
const WEIGHTS = 'weights.bin';

/** Files outside the folder of the model consist of this byte. */
const SECRET = 0xee;
const SECRET_BYTES = 4096;

interface Split {
  readonly model: Fields;
  readonly weights: Uint8Array;
}

function splitOf(m: IRModule): Split {
  const pieces: Uint8Array[] = [];
  let offset = 0;
  const externalData = (_: string, bytes: Uint8Array): ExternalLocation => {
    const place = { location: WEIGHTS, offset, length: bytes.length };
    pieces.push(bytes);
    offset += bytes.length;
    return place;
  };
  const file = joinedBytes(orThrow(exportOnnxPieces(m, { externalData })));
  return { model: fieldsOf(file, 'Model'), weights: joinedBytes(pieces) };
}

const small = (text: string): IRModule =>
  orThrow(parseModule(`#[version = "0.0.5"]\n${text}`, { source: 'small' }));

const splits: ReadonlyArray<Split> = [
  models.mlp({ hidden: [8], inputs: 6, classes: 3 }),
  models.lstm({ steps: 2, inputs: 3, hidden: 4 }),
  small(
    'def @main(%x: Tensor[(2), float32]) { (add(%x, Constant(1.5, (2,), float32)), Constant(3, (3, 4), int64)) }',
  ),
].map(splitOf);

/** Paths in the folder of the model, out of it, and of no file. */
const LOCATIONS = [
  WEIGHTS,
  `./${WEIGHTS}`,
  `sub/../${WEIGHTS}`,
  'sub',
  'sub/more.bin',
  'outward',
  'folder-outward/secret.bin',
  'circle',
  '../secret.bin',
  'sub/../../secret.bin',
  '.',
  '..',
  '/',
  `${WEIGHTS}/x`,
  `${WEIGHTS}\0`,
  'file:weights.bin',
  '\\\\weights.bin',
  MODEL,
] as const;

const KEYS = ['location', 'offset', 'length', 'checksum', 'basepath', 'Location'] as const;

const NUMBERS = [
  '',
  '-0',
  '1.5',
  '1e3',
  '0x10',
  ' 8',
  '8 ',
  '+8',
  'NaN',
  '00',
  '9'.repeat(400),
] as const;

const bytesField = (number: number, text: string): Field =>
  field(number, 2, { _tag: 'Bytes', bytes: encoded(text) });

const entry = (key: string, value: string): Field =>
  field(13, 2, {
    _tag: 'Fields',
    message: 'Entry',
    fields: [bytesField(1, key), bytesField(2, value)],
  });

function value(draw: Draw): string {
  switch (draw.below(4)) {
    case 0:
      return draw.pick(LOCATIONS);
    case 1:
      return draw.pick(NAMES);
    case 2:
      return draw.pick(NUMBERS);
    default:
      return String(draw.pick(EDGES));
  }
}

/** Corruption of one description of data outside. */
function corruptedEntries(model: Fields, draw: Draw): Fields {
  const entries = placesIn(model).filter(
    ({ message, field: one }) => message === 'Tensor' && one.number === 13,
  );
  const place = draw.some(entries);
  if (place === undefined) return corruptedFields(model, knownTexts(), draw);
  return editedAt(model, place.path, (siblings, at) => {
    switch (draw.below(5)) {
      case 0:
        return shuffled(siblings, draw);
      case 1:
        return replaced(siblings, at, [entry(draw.pick(KEYS), value(draw))], draw.below(2));
      case 2:
        return replaced(siblings, at, [entry('location', draw.pick(LOCATIONS))]);
      case 3:
        return replaced(siblings, at, [
          entry(
            draw.pick(['offset', 'length']),
            draw.once(2) ? draw.pick(NUMBERS) : String(draw.pick(EDGES)),
          ),
        ]);
      default:
        // The place of the data, and data inside.
        return replaced(siblings, at, [
          field(draw.pick([9, 14, 4]), draw.pick([0, 2]), {
            _tag: 'Number',
            value: draw.pick(EDGES),
          }),
        ]);
    }
  });
}

/** The folder of the model, made once: files, links, and a secret outside it. */
function makeFolder(): string {
  const outer = mkdtempSync(join(tmpdir(), 'baton-readers-'));
  process.once('exit', () => rmSync(outer, { recursive: true, force: true }));
  const folder = join(outer, 'model');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  const secret = join(outer, 'secret.bin');
  writeFileSync(secret, new Uint8Array(SECRET_BYTES).fill(SECRET));
  writeFileSync(join(folder, 'sub/more.bin'), new Uint8Array(100_000));
  symlinkSync(secret, join(folder, 'outward'));
  symlinkSync(outer, join(folder, 'folder-outward'));
  symlinkSync('circle', join(folder, 'circle'));
  return folder;
}

let folder: string | undefined;
let lying: Uint8Array | undefined;

export const external = makeReader<Split, 'external'>({
  name: 'external',
  share: 8,
  clean: (draw) => draw.some(splits) ?? splitOf(ir.irModule()),
  corrupted: ({ model, weights }, draw) => {
    if (draw.once(10)) return { model, weights: weights.subarray(0, draw.below(weights.length)) };
    const isOfEntries = !draw.once(6);
    return {
      model: isOfEntries
        ? corruptedEntries(model, draw)
        : corruptedFields(model, knownTexts(), draw),
      weights,
    };
  },
  written: ({ model, weights }) =>
    new Map([
      [MODEL, written(model)],
      [WEIGHTS, weights],
    ]),
  smaller: (parts) => smallerModels(parts, MODEL),
  read: ({ parts, depth }) => {
    folder ??= makeFolder();
    const beside = folder;
    const weights = parts.get(WEIGHTS) ?? new Uint8Array();
    if (weights !== lying) writeFileSync(join(beside, WEIGHTS), weights);
    lying = weights;
    const read = importOnnx((parts.get(MODEL) ?? new Uint8Array()).slice(), {
      source: MODEL,
      externalData: (place) => {
        const bytes = readBeside(beside, place);
        const isRead = bytes instanceof Uint8Array && bytes.length > 0;
        if (isRead && bytes.every((byte) => byte === SECRET)) {
          throw new InvariantError(`${place.location} leads out of the folder`);
        }
        return bytes;
      },
    });
    return isLeft(read) ? refused(read.left) : afterwards(read, depth);
  },
});
