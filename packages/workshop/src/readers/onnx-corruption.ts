/** Corruption of the tree of an ONNX file: the fields stay well-formed more often than not. */
import { joinedBytes } from '@baton/base';
import { varint } from '@baton/testing';
import { corruptedBytes } from './bytes.ts';
import { type Draw, EDGES, NAMES, replaced, shuffled } from './draw.ts';
import { fieldsWith, kindOf, type MessageName } from './onnx-fields.ts';
import { type Content, type Field, type Fields, field, varintAt } from './wire.ts';

/** The texts that files have in a field, by message and number: other corruption puts them elsewhere. */
export type TextPool = ReadonlyMap<string, ReadonlyArray<Uint8Array>>;

/** A field, and the way to it. */
interface Place {
  readonly message: MessageName;
  readonly path: ReadonlyArray<number>;
  readonly field: Field;
}

export function textPool(files: ReadonlyArray<Fields>): TextPool {
  const pool = new Map<string, Map<string, Uint8Array>>();
  for (const file of files) {
    for (const { message, field } of placesIn(file)) {
      const { content, number } = field;
      if (kindOf(message, number) !== 'text' || content._tag !== 'Bytes') continue;
      const key = `${message}.${number}`;
      const known = pool.get(key) ?? new Map<string, Uint8Array>();
      pool.set(
        key,
        known.set(String.fromCharCode(...content.bytes.subarray(0, 64)), content.bytes),
      );
    }
  }
  return new Map([...pool].map(([key, known]) => [key, [...known.values()]]));
}

export function corruptedFields(file: Fields, pool: TextPool, draw: Draw): Fields {
  const places = placesIn(file);
  const place = draw.once(3) ? descended(file, draw) : draw.some(places);
  if (place === undefined) return [field(draw.below(32), 0, aNumber(draw))];
  const { path } = place;
  const at = path.length - 1;
  switch (draw.below(8)) {
    case 0:
    case 1:
      return editedAt(file, path, (siblings, i) =>
        draw.once(2) ? shuffled(siblings, draw) : replaced(siblings, i, oneMoreOrLess(place, draw)),
      );
    case 2: {
      const other = draw.some(places.filter((one) => one.message === place.message)) ?? place;
      const spliced = draw.once(6) ? (draw.some(places) ?? other) : other;
      const count = draw.below(2);
      return editedAt(file, path, (siblings, i) => replaced(siblings, i, [spliced.field], count));
    }
    case 3:
      return editedAt(file, path, (siblings, i) => replaced(siblings, i, [misstated(place, draw)]));
    case 4:
      return draw.once(4)
        ? nested(file, path.slice(0, at + 1), places, draw)
        : changed(file, place);
    default:
      return changed(file, place);
  }

  function changed(whole: Fields, { path: way }: Place): Fields {
    return editedAt(whole, way, (siblings, i) => {
      const old = siblings[i];
      if (old === undefined || place === undefined) return siblings;
      return replaced(siblings, i, [withOther(place.message, old, places, pool, draw)]);
    });
  }
}

const oneMoreOrLess = ({ field }: Place, draw: Draw): Fields =>
  draw.once(2) ? [] : [field, field];

/** Fields that are deeper stay unchanged. */
const DEEPEST = 100;

export function placesIn(file: Fields): ReadonlyArray<Place> {
  const places: Place[] = [];
  const visit = (fields: Fields, message: MessageName, path: ReadonlyArray<number>): void => {
    for (const [i, one] of fields.entries()) {
      const way = [...path, i];
      places.push({ message, path: way, field: one });
      if (one.content._tag === 'Fields' && way.length < DEEPEST)
        visit(one.content.fields, one.content.message, way);
    }
  };
  visit(file, 'Model', []);
  return places;
}

/** A field at a random depth: outer ones are as likely as inner ones. */
function descended(file: Fields, draw: Draw): Place | undefined {
  let message: MessageName = 'Model';
  let fields = file;
  let path: ReadonlyArray<number> = [];
  for (;;) {
    const i = draw.below(fields.length);
    const one = fields[i];
    if (one === undefined) return undefined;
    path = [...path, i];
    const { content } = one;
    if (content._tag !== 'Fields' || content.fields.length === 0 || draw.once(6)) {
      return { message, path, field: one };
    }
    message = content.message;
    fields = content.fields;
  }
}

/** The file with a field and its neighbours replaced. */
export function editedAt(
  file: Fields,
  [first = 0, ...rest]: ReadonlyArray<number>,
  edit: (siblings: Fields, at: number) => Fields,
): Fields {
  if (rest.length === 0) return edit(file, first);
  const outer = file[first];
  if (outer?.content._tag !== 'Fields') return file;
  const fields = editedAt(outer.content.fields, rest, edit);
  return replaced(file, first, [{ ...outer, content: { ...outer.content, fields } }]);
}

const aNumber = (draw: Draw): Content => ({ _tag: 'Number', value: draw.pick(EDGES) });

const someBytes = (bytes: Uint8Array): Content => ({ _tag: 'Bytes', bytes });

const encoder = new TextEncoder();

/** A field whose tag, kind of encoding, or length is another. */
function misstated({ message, field: one }: Place, draw: Draw): Field {
  switch (draw.below(4)) {
    case 0:
      return { ...one, number: draw.once(3) ? draw.below(600) : draw.below(26) };
    case 1:
      return { ...one, wireType: draw.below(8) };
    case 2:
      return { ...one, lie: draw.pick([1, -1, 2, -2, 16, -16, 1000, 2 ** 31, 2 ** 32, 2 ** 40]) };
    default: {
      const [number] = fieldsWith(message, 'Tensor');
      return number === undefined ? { ...one, number: 1 } : { ...one, number };
    }
  }
}

/** A field with another value of its kind. */
function withOther(
  message: MessageName,
  old: Field,
  places: ReadonlyArray<Place>,
  pool: TextPool,
  draw: Draw,
): Field {
  const { content } = old;
  const kind = kindOf(message, old.number);
  if (content._tag === 'Number') {
    const isSmall = draw.once(2);
    const value = isSmall ? BigInt(draw.below(24)) : draw.pick(EDGES);
    return { ...old, content: { _tag: 'Number', value } };
  }
  if (content._tag === 'Fixed') return { ...old, content: otherFixed(content.bytes, draw) };
  if (content._tag === 'Fields') {
    const fields = draw.once(4) ? [] : shuffled(content.fields, draw);
    return { ...old, content: { ...content, fields } };
  }
  if (kind === 'numbers') return { ...old, content: otherNumbers(content.bytes, draw) };
  if (kind !== 'text') return { ...old, content: someBytes(otherData(content.bytes, draw)) };
  const known = pool.get(`${message}.${old.number}`) ?? [];
  const here = places.filter((one) => kindOf(one.message, one.field.number) === 'text');
  const other = draw.once(2) ? draw.some(known) : bytesIn(draw.some(here));
  const text = draw.once(5) ? encoder.encode(draw.pick(NAMES)) : other;
  return { ...old, content: someBytes(text ?? Uint8Array.of(0x78)) };
}

const bytesIn = (place: Place | undefined): Uint8Array | undefined =>
  place?.field.content._tag === 'Bytes' ? place.field.content.bytes : undefined;

function otherFixed(bytes: Uint8Array, draw: Draw): Content {
  const view = new DataView(new ArrayBuffer(8));
  const value = draw.pick([0, -0, 1, -1, 1e-45, 3.4e38, Number.NaN, 1e300, -1 / 0, 1 / 0, 0.5]);
  if (bytes.length === 4) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return { _tag: 'Fixed', bytes: new Uint8Array(view.buffer, 0, bytes.length) };
}

/** A packed list with another number, or with more or fewer. */
function otherNumbers(bytes: Uint8Array, draw: Draw): Content {
  const numbers: bigint[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [value, end] = varintAt(bytes, at);
    numbers.push(value);
    at = end;
  }
  const value = draw.once(2) ? draw.pick(EDGES) : BigInt(draw.below(9)) - 2n;
  const others = draw.once(3)
    ? shuffled(numbers, draw)
    : replaced(numbers, draw.below(numbers.length + 1), [value]);
  return someBytes(joinedBytes(others.map(varint)));
}

function otherData(bytes: Uint8Array, draw: Draw): Uint8Array {
  switch (draw.below(4)) {
    case 0:
      return bytes.subarray(0, draw.below(bytes.length + 1));
    case 1:
      return joinedBytes([bytes, bytes]);
    case 2:
      return bytes.slice().fill(draw.pick([0, 0xff, 0x7f, 0x80, 0x3f]));
    default:
      return corruptedBytes(bytes, draw);
  }
}

/** The ways of a message into one of the same name: pairs of a message and the number inside it. */
const CIRCLES: ReadonlyArray<ReadonlyArray<readonly [MessageName, number]>> = [
  [
    ['Node', 5],
    ['Attribute', 6],
    ['Graph', 1],
  ],
  [
    ['Type', 4],
    ['InnerType', 1],
  ],
  [
    ['Type', 9],
    ['InnerType', 1],
  ],
];

const DEPTHS = [2, 5, 30, 60, 120] as const;

/** A message inside itself many times. */
function nested(
  file: Fields,
  path: ReadonlyArray<number>,
  places: ReadonlyArray<Place>,
  draw: Draw,
): Fields {
  const circle = draw.some(CIRCLES) ?? [];
  const [outer] = circle[0] ?? [];
  const isOfIt = ({ field }: Place): boolean =>
    field.content._tag === 'Fields' && field.content.message === outer;
  const place = draw.some(places.filter(isOfIt));
  if (place === undefined || place.field.content._tag !== 'Fields') {
    return editedAt(file, path, (siblings) => shuffled(siblings, draw));
  }
  const start = place.field.content.fields;
  const depth = draw.pick(DEPTHS);
  let inner = start;
  for (let i = 0; i < depth; i++) {
    for (let step = circle.length - 1; step >= 0; step--) {
      const [, number] = circle[step] ?? ['Type', 4];
      const [next] = circle[(step + 1) % circle.length] ?? ['Type'];
      const content: Content = { _tag: 'Fields', message: next, fields: inner };
      const own = step === 0 && depth <= 30 ? start : [];
      inner = [...own, field(number, 2, content)];
    }
  }
  return editedAt(file, place.path, (siblings, i) => {
    const old = siblings[i];
    if (old?.content._tag !== 'Fields') return siblings;
    return replaced(siblings, i, [{ ...old, content: { ...old.content, fields: inner } }]);
  });
}
