/** The inputs of a model, from files and from the command line. */
import { didYouMean, fail, isLeft, ok, type Result, right } from '@baton/base';
import type { HostValue } from '@baton/executor';
import { readTensorFile } from '@baton/onnx';
import type { Tensor } from '@baton/tensor';
import { readNpy } from '@baton/tensor/npy';
import { check, type IRModule, printType, type Type } from 'batonjs';
import type { CommandOptions, Session } from '../command.ts';
import { archiveTooLarge, misuse, unfit } from '../diagnostics.ts';
import type { Host } from '../host.ts';
import { type Room, roomOf } from './room.ts';
import { zipEntries } from './zip.ts';

/** How much an archive of inputs may unpack to. */
export const LIMIT_INPUT_OPTION: CommandOptions = {
  'limit-input': {
    type: 'string',
    value: 'MIB',
    doc: 'the mebibytes of an archive that inputs of open sizes may take, unpacked. Default: 64, and 8 times the archive',
  },
};

export const INPUT_OPTIONS: CommandOptions = {
  input: {
    type: 'string',
    short: 'i',
    multiple: true,
    value: 'NAME=FILE',
    doc: 'an input: a .npy, .pb or .json file, or JSON itself; without NAME=, FILE.npz or FILE.json holds inputs by name',
  },
  random: {
    type: 'boolean',
    doc: 'generate missing inputs, always the same: floats in [-1, 1), others 0 or 1',
  },
  ...LIMIT_INPUT_OPTION,
};

export type Inputs = Readonly<Record<string, HostValue>>;

export async function readInputs(session: Session, m: IRModule): Promise<Result<Inputs>> {
  const params = m.functions.get('main')?.params ?? [];
  const names = params.map(({ nameHint }) => nameHint);
  const inputs = new Map<string, HostValue>();
  const room = roomFor(session, m);
  if (isLeft(room)) return room;
  for (const text of session.texts('input')) {
    const read = await readInput(session.host, text, names, room.right);
    if (isLeft(read)) return read;
    for (const [name, value] of Object.entries(read.right)) inputs.set(name, value);
  }
  const known = knownNames([...inputs.keys()], names);
  if (isLeft(known)) return known;
  for (const { nameHint: name, typeAnnotation: type } of params) {
    if (inputs.has(name)) continue;
    if (!session.has('random')) {
      const shown = type === undefined ? '' : ` of type ${printType(type)}`;
      return misuse(`no value is given for the input ${name}${shown}`, `--input ${name}=FILE`);
    }
    const made = randomTensor(type, name);
    if (isLeft(made)) return made;
    inputs.set(name, made.right);
  }
  return right(Object.fromEntries(inputs));
}

function roomFor(session: Session, m: IRModule): Result<Room> {
  const limit = session.text('limit-input');
  if (limit !== undefined && !/^\d{1,9}$/.test(limit)) {
    return misuse(`--limit-input expects mebibytes, found ${limit}`);
  }
  const params = m.functions.get('main')?.params ?? [];
  return right(roomOf(params, limit === undefined ? undefined : Number(limit) * 2 ** 20));
}

export async function inputsIn(
  session: Session,
  m: IRModule,
  path: string,
): Promise<Result<Inputs>> {
  const names = (m.functions.get('main')?.params ?? []).map(({ nameHint }) => nameHint);
  const room = roomFor(session, m);
  if (isLeft(room)) return room;
  const read = await valuesIn(session.host, path, names, room.right);
  if (isLeft(read)) return read;
  const missing = names.find((name) => !Object.hasOwn(read.right, name));
  return missing === undefined
    ? read
    : misuse(`${path} has no array ${missing}`, `it has ${Object.keys(read.right).join(', ')}`);
}

function knownNames(given: ReadonlyArray<string>, names: ReadonlyArray<string>): Result<void> {
  const unknown = given.find((name) => !names.includes(name));
  if (unknown === undefined) return ok(undefined);
  const hint = didYouMean(unknown, names) ?? `it has ${names.join(', ') || 'none'}`;
  return misuse(`the model has no input ${unknown}`, hint);
}

/** Whether a text names a file of values. */
const FILE = /\.(npy|npz|pb|json)$/i;

async function readInput(
  host: Host,
  text: string,
  names: ReadonlyArray<string>,
  room: Room,
): Promise<Result<Inputs>> {
  const at = text.indexOf('=');
  if (at < 0) return FILE.test(text) ? await valuesIn(host, text, names, room) : expectedPair(text);
  const name = text.slice(0, at);
  const value = text.slice(at + 1);
  if (!FILE.test(value)) return fromJson(value, `--input ${name}`, name);
  if (/\.npz$/i.test(value)) return await onlyArray(host, value, name, room);
  const read = await valuesIn(host, value, [name], room);
  if (isLeft(read)) return read;
  const [only, ...others] = Object.values(read.right);
  return only !== undefined && others.length === 0 ? right({ [name]: only }) : severalValues(value);
}

/** The only array of an archive, whatever its name there. */
async function onlyArray(
  host: Host,
  path: string,
  name: string,
  room: Room,
): Promise<Result<Inputs>> {
  const bytes = await host.read(path);
  if (isLeft(bytes)) return bytes;
  const files = namesIn(bytes.right, path);
  if (isLeft(files)) return files;
  if (files.right.length !== 1) return severalValues(path);
  const read = readNpz(bytes.right, path, { ...room, of: () => room.of(name) });
  if (isLeft(read)) return read;
  const [only] = Object.values(read.right);
  return only === undefined ? severalValues(path) : right({ [name]: only });
}

const severalValues = (path: string): Result<never> =>
  misuse(`${path} does not hold one array`, `--input ${path} gives arrays by name`);

const expectedPair = (text: string): Result<never> =>
  misuse(`--input expects NAME=FILE, FILE.npz or FILE.json, found ${text}`);

async function valuesIn(
  host: Host,
  path: string,
  names: ReadonlyArray<string>,
  room: Room,
): Promise<Result<Inputs>> {
  const bytes = await host.read(path);
  if (isLeft(bytes)) return bytes;
  const [name, ...others] = names;
  if (/\.npz$/i.test(path)) {
    const files = namesIn(bytes.right, path);
    if (isLeft(files)) return files;
    const known = knownNames(files.right, names);
    return isLeft(known) ? known : readNpz(bytes.right, path, room);
  }
  if (/\.json$/i.test(path)) return fromJson(new TextDecoder().decode(bytes.right), path, name);
  if (name === undefined || others.length > 0) return expectedPair(path);
  const one = /\.npy$/i.test(path)
    ? fromNpy(bytes.right, path)
    : readTensorFile(bytes.right, { source: path });
  return isLeft(one) ? one : right({ [name]: one.right });
}

function fromNpy(bytes: Uint8Array, path: string): Result<Tensor> {
  const read = readNpy(bytes);
  if (!isLeft(read)) return read;
  const [{ code, message }] = read.left;
  return code === 'TENSOR_NPY' ? fail(unfit(path, message)) : read;
}

function namesIn(bytes: Uint8Array, path: string): Result<ReadonlyArray<string>> {
  const entries = zipEntries(bytes);
  if (typeof entries === 'string') return fail(unfit(path, `it is no archive: ${entries}`));
  return right(entries.map(({ name }) => arrayName(name)));
}

const arrayName = (file: string): string => file.replace(/\.npy$/, '');

/**
 * The arrays of a `.npz` file by name, unpacked one at a time. An array that exceeds its limit is
 * not unpacked, and one that is larger than stated is refused once the stated size is full.
 *
 * **Errors** `CLI_FILE`, `CLI_ARCHIVE_TOO_LARGE`, `TENSOR_BYTES`.
 */
export function readNpz(
  bytes: Uint8Array,
  path: string,
  room: Room,
): Result<Readonly<Record<string, Tensor>>> {
  const entries = zipEntries(bytes);
  if (typeof entries === 'string') return fail(unfit(path, `it is no archive: ${entries}`));
  const arrays = new Map<string, Tensor>();
  let left = room.all(bytes.length);
  for (const { name: file, size, unpack } of entries) {
    const name = arrayName(file);
    const source = `${path}:${file}`;
    if (arrays.has(name)) return fail(unfit(source, 'it has two arrays of this name'));
    const most = Math.min(left, room.of(name) ?? 0);
    if (size > most) return fail(archiveTooLarge(source, size, most));
    left -= size;
    const content = unpack();
    if (typeof content === 'string') return fail(unfit(source, content));
    const array = fromNpy(content, source);
    if (isLeft(array)) return array;
    arrays.set(name, array.right);
  }
  return right(Object.fromEntries(arrays));
}

/** Values by name if the text is an object; else the value for `name`. */
function fromJson(text: string, source: string, name: string | undefined): Result<Inputs> {
  let value: HostValue | Inputs;
  try {
    value = JSON.parse(text);
  } catch {
    const hint = 'a value is a number, or a list of lists of numbers';
    return fail(unfit(source, `expected JSON, found ${text.slice(0, 40)}`, hint));
  }
  const isByName = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isByName) return right(value as Inputs);
  return name === undefined ? expectedPair(source) : right({ [name]: value as HostValue });
}

/** Generated inputs of a model by name; open dimensions have one size, and samples differ. */
export function madeUpInputs(
  m: IRModule,
  openSize: number,
  sample = 0,
): Result<ReadonlyMap<string, Tensor>> {
  const inputs = new Map<string, Tensor>();
  for (const { nameHint: name, typeAnnotation: type } of m.functions.get('main')?.params ?? []) {
    const made = randomTensor(type, name, { openSize, sample });
    if (isLeft(made)) return made;
    inputs.set(name, made.right);
  }
  return right(inputs);
}

function randomTensor(
  type: Type | undefined,
  name: string,
  options?: check.MadeUpOptions,
): Result<Tensor> {
  const made = check.madeUpTensor(type, name, options);
  if (made !== undefined) return right(made);
  const shown = type === undefined ? 'an unknown type' : printType(type);
  return misuse(`no values can be generated for ${name} of ${shown}`, 'give sizes with --dim');
}
