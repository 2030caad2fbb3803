/** Seeded corruption of protobuf bytes: of bits, of lengths, and of complete fields. */
import { joinedBytes, type Random } from '@baton/base';

/**
 * Corrupts a file of protobuf in one to three ways: some leave its messages well-formed, with other
 * values, or with fields lost, doubled or moved.
 */
export function corrupted(file: Uint8Array, random: Random): Uint8Array {
  let bytes = file;
  const rounds = 1 + Math.floor(random() * 3);
  for (let i = 0; i < rounds; i++) {
    const mutation = MUTATIONS[Math.floor(random() * MUTATIONS.length)];
    if (mutation !== undefined && bytes.length > 0) bytes = mutation(bytes, random);
  }
  return bytes;
}

type Mutation = (file: Uint8Array, random: Random) => Uint8Array;

const below = (limit: number, random: Random): number => Math.floor(random() * limit);

const spliced = (file: Uint8Array, start: number, end: number, by: ArrayLike<number>): Uint8Array =>
  joinedBytes([file.subarray(0, start), by, file.subarray(end)]);

/** An unsigned varint; negative numbers take their 64-bit two's complement. */
export function varint(value: bigint): ReadonlyArray<number> {
  const out: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    out.push(rest === 0n ? low : low | 0x80);
  } while (rest !== 0n);
  return out;
}

const truncate: Mutation = (file, random) => file.subarray(0, below(file.length, random));

const flipBits: Mutation = (file, random) => {
  const copy = file.slice();
  for (let i = 1 + below(4, random); i > 0; i--) {
    const at = below(copy.length, random);
    copy[at] = (copy[at] ?? 0) ^ (1 << below(8, random));
  }
  return copy;
};

const setBytes: Mutation = (file, random) => {
  const values = [0, 1, 0x7f, 0x80, 0xff];
  const start = below(file.length, random);
  return file
    .slice()
    .fill(values[below(values.length, random)] ?? 0, start, start + below(12, random));
};

/** Values at which integers change their meaning. */
const EDGES: ReadonlyArray<bigint> = [
  0n,
  1n,
  2n,
  127n,
  128n,
  255n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n,
  2n ** 63n - 1n,
  -1n,
  -2n,
  -(2n ** 63n),
];

const changeVarint: Mutation = (file, random) => {
  const { payload } = randomField(file, random);
  const edge = EDGES[below(EDGES.length, random)] ?? 0n;
  let end = payload;
  while (end < file.length && (file[end] ?? 0) >= 0x80) end++;
  return spliced(file, payload, end + 1, varint(edge));
};

const deleteField: Mutation = (file, random) => {
  const { start, end } = randomField(file, random);
  return resized(file, random, start, end, []);
};

const duplicateField: Mutation = (file, random) => {
  const { start, end } = randomField(file, random);
  const field = file.subarray(start, end);
  return resized(file, random, start, end, joinedBytes([field, field]));
};

const moveField: Mutation = (file, random) => {
  const from = randomField(file, random);
  const to = randomField(file, random);
  return spliced(file, to.start, to.end, file.subarray(from.start, from.end));
};

const changeTag: Mutation = (file, random) => {
  const copy = file.slice();
  copy[randomField(file, random).start] = below(256, random);
  return copy;
};

const MUTATIONS: ReadonlyArray<Mutation> = [
  truncate,
  flipBits,
  setBytes,
  changeVarint,
  changeVarint,
  deleteField,
  duplicateField,
  moveField,
  changeTag,
];

/** A field: the starts of its tag and its payload or length, and its end. */
interface Field {
  readonly start: number;
  readonly payload: number;
  readonly end: number;
  /** The payload, if it may hold fields. */
  readonly inner: readonly [number, number] | undefined;
}

/** A field at a random depth, found as a reader would find it. */
function randomField(file: Uint8Array, random: Random): Field {
  let range: readonly [number, number] = [0, file.length];
  let found: Field = { start: 0, payload: 0, end: file.length, inner: undefined };
  while (random() < 0.85) {
    const fields = fieldsIn(file, range);
    const next = fields[below(fields.length, random)];
    if (next === undefined) break;
    found = next;
    if (next.inner === undefined) break;
    range = next.inner;
  }
  return found;
}

function fieldsIn(file: Uint8Array, [start, end]: readonly [number, number]): Field[] {
  const fields: Field[] = [];
  let at = start;
  while (at < end) {
    const payload = varintEnd(file, at);
    const wireType = (file[at] ?? 0) & 7;
    let next = payload;
    let inner: Field['inner'];
    if (wireType === 0) next = varintEnd(file, payload);
    else if (wireType === 1) next = payload + 8;
    else if (wireType === 5) next = payload + 4;
    else if (wireType === 2) {
      const body = varintEnd(file, payload);
      next = body + readLength(file, payload);
      inner = [body, next];
    } else return [];
    if (next > end || next <= at) return [];
    fields.push({ start: at, payload, end: next, inner });
    at = next;
  }
  return fields;
}

function varintEnd(file: Uint8Array, at: number): number {
  let end = at;
  while (end < file.length && (file[end] ?? 0) >= 0x80) end++;
  return end + 1;
}

function readLength(file: Uint8Array, at: number): number {
  let length = 0;
  for (let i = at, scale = 1; i < file.length; i++, scale *= 128) {
    const byte = file[i] ?? 0;
    length += (byte & 0x7f) * scale;
    if (byte < 0x80) break;
  }
  return length;
}

/** Replaces a field and, mostly, corrects the lengths of the messages around it. */
function resized(
  file: Uint8Array,
  random: Random,
  start: number,
  end: number,
  by: ArrayLike<number>,
): Uint8Array {
  if (random() < 0.2) return spliced(file, start, end, by);
  return rebuilt(file, [0, file.length], start, end, by);
}

/** Recursion is as deep as the file's messages, which are shallow. */
function rebuilt(
  file: Uint8Array,
  range: readonly [number, number],
  start: number,
  end: number,
  by: ArrayLike<number>,
): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const field of fieldsIn(file, range)) {
    if (field.start === start) parts.push(Uint8Array.from(by));
    else if (field.inner !== undefined && field.start < start && end <= field.end) {
      const inner = rebuilt(file, field.inner, start, end, by);
      const length = Uint8Array.from(varint(BigInt(inner.length)));
      parts.push(file.subarray(field.start, field.payload), length, inner);
    } else parts.push(file.subarray(field.start, field.end));
  }
  return joinedBytes(parts);
}
