/** The values of attributes that instances are made with. */
import type { Attrs, AttrValue, OpTable } from '@baton/ir';
import type { AttrProps, OpValue } from '@baton/ops';
import { DTYPES, isTensor } from '@baton/tensor';

/** The name of the codec of an attribute. */
function codecOf(ops: OpTable, op: string, field: string): string | undefined {
  const schema = ops.get(op)?.attrs as { readonly props?: AttrProps } | undefined;
  const prop = schema?.props?.[field];
  return prop && (('codec' in prop ? prop.codec : prop) as { readonly name: string }).name;
}

/** Whether an attribute is a number of which only typical ones are tried. */
export const isTypical = (ops: OpTable, op: string, field: string): boolean =>
  codecOf(ops, op, field)?.includes('a float') === true;

/** The attributes of operators with windows. */
const WINDOWS = /^(strides|dilation|padding|pool_size|kernel_size)$/;

/** The same number along each axis with windows, or another along one axis. */
function windowsOf(
  field: string,
  rank: number,
  given: AttrValue | undefined,
): ReadonlyArray<AttrValue> {
  const axes = Math.max(rank - 2, 1);
  const places = range(0, (field === 'padding' ? 2 * axes : axes) - 1);
  const [least, most] = field === 'padding' ? [0, 1] : [1, 2];
  const one = places.map((at) => places.map((other) => (other === at ? most : least)));
  const all = [places.map(() => least), places.map(() => most), ...one];
  return given === undefined ? all : [given, ...all];
}

/** What the integers of an attribute count. */
const kindOf = (field: string): 'axis' | 'place' | 'size' =>
  /^ax[ei]s$/.test(field) ? 'axis' : /^(begin|end)$/.test(field) ? 'place' : 'size';

/** Whether the values that are tried depend on the sizes of tensors. */
export const isOfSizes = (ops: OpTable, op: string, field: string): boolean =>
  kindOf(field) !== 'axis' && codecOf(ops, op, field)?.includes('int') === true;

/** Layouts of tensors of different ranks, with blocks and without. */
const LAYOUTS = ['N', 'NC', 'CN', 'NC2c', 'CN2c', 'N2nC', 'NCW', 'NWC', 'CWN', 'NCHW', 'NHWC'];

/** The longest list that is tried. */
const MAX_LENGTH = 4;
/** The most lists of one kind. */
const MAX_LISTS = 700;

/** The rank of the first argument, or of the first field of a tuple. */
export function rankOf(args: ReadonlyArray<OpValue>): number {
  const first =
    args.find(isTensor) ?? (args[0] as ReadonlyArray<OpValue> | undefined)?.find(isTensor);
  return first === undefined || !isTensor(first) ? 1 : first.shape.length;
}

/**
 * The values of an attribute, by what its codec takes: all small numbers and lists of them, as long as
 * the first argument has axes.
 */
export function choicesFor(
  ops: OpTable,
  op: string,
  field: string,
  args: ReadonlyArray<OpValue>,
  sizes: ReadonlyArray<number>,
): ReadonlyArray<AttrValue> {
  const name = codecOf(ops, op, field);
  const given = ops.get(op)?.attrs.fields.find(({ name }) => name === field)?.defaultValue;
  if (name === undefined) return given === undefined ? [] : [given];
  if (field === 'out_dtype' && !name.startsWith('"')) return ['', 'float32', 'float64', 'int32'];
  if (name === 'a string' && field.endsWith('_layout') && given === undefined) return LAYOUTS;
  const rank = rankOf(args);
  if (WINDOWS.test(field)) return windowsOf(field, rank, given);
  const kind = kindOf(field);
  const last = kind === 'axis' ? rank - 1 : Math.max(...sizes, 1);
  const ints = kind === 'size' ? extents(sizes) : range(-1, last);
  const found = name.split(' or ').flatMap((part) => valuesOf(part, ints, kind, rank, given));
  return [
    ...new Map(
      [...(given === undefined ? [] : [given]), ...found].map((v) => [JSON.stringify(v), v]),
    ).values(),
  ];
}

/** The values of one alternative of a codec. */
function valuesOf(
  name: string,
  ints: ReadonlyArray<number>,
  kind: 'axis' | 'place' | 'size',
  rank: number,
  given: AttrValue | undefined,
): ReadonlyArray<AttrValue> {
  if (name === 'None') return [null];
  if (name === 'a bool') return [false, true];
  if (name === 'a dtype') return [...DTYPES];
  if (name === 'an int above 0') return ints.filter((int) => int > 0);
  if (name === 'an int of at least 0') return [0, 1];
  if (name === 'an int') return ints;
  if (name === 'a float') return [0, -1, 6];
  if (/^".*"$/.test(name)) return [name.slice(1, -1)];
  if (name === 'a list of lists of 2 ints') return pairLists(rank);
  if (!name.startsWith('a list of ints')) return given === undefined ? [] : [given];
  if (kind === 'axis') return axisLists(rank);
  if (kind === 'place') return lists(ints, rank);
  const least = name.endsWith('above 0') ? 1 : name.endsWith('of at least 0') ? 0 : -1;
  return lists(
    ints.filter((int) => int >= least),
    Math.min(Math.max(rank + 1, 2), MAX_LENGTH),
  );
}

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(to - from + 1, 0) }, (_, i) => from + i);

/** All lists of different axes; the last axis also by its name from the end. */
function axisLists(rank: number): ReadonlyArray<ReadonlyArray<number>> {
  let last: ReadonlyArray<ReadonlyArray<number>> = [[]];
  const all = [...last];
  for (let length = 1; length <= rank; length++) {
    last = last.flatMap((list) =>
      range(0, rank - 1).flatMap((axis) => (list.includes(axis) ? [] : [[...list, axis]])),
    );
    all.push(...last);
  }
  const end = (list: ReadonlyArray<number>): ReadonlyArray<number> =>
    list.map((axis) => (axis === rank - 1 ? -1 : axis));
  return [...all, ...all.filter((list) => list.includes(rank - 1)).map(end)];
}

/** The sizes, their products, and the marks -1 and 0. */
const extents = (sizes: ReadonlyArray<number>): ReadonlyArray<number> => [
  ...new Set([-1, 0, 1, ...sizes, ...sizes.flatMap((a) => sizes.map((b) => a * b))]),
];

/** All lists of elements, up to a length, as far as they are not too many. */
function lists(
  elements: ReadonlyArray<number>,
  longest: number,
): ReadonlyArray<ReadonlyArray<number>> {
  let last: ReadonlyArray<ReadonlyArray<number>> = [[]];
  const all: ReadonlyArray<number>[] = [[]];
  for (let length = 1; length <= longest; length++) {
    last = last.flatMap((list) => elements.map((element) => [...list, element]));
    if (all.length + last.length > MAX_LISTS) break;
    all.push(...last);
  }
  return all;
}

/** A pair of widths for each axis: none, and one or both at one axis. */
const pairLists = (rank: number): ReadonlyArray<AttrValue> => {
  const none = Array.from({ length: rank }, () => [0, 0]);
  const at = (axis: number, pair: ReadonlyArray<number>): AttrValue =>
    none.map((own, i) => (i === axis ? [...pair] : own));
  const pairs = [
    [1, 0],
    [0, 1],
    [1, 2],
    [-1, 0],
    [0, -1],
  ];
  return [none, ...none.flatMap((_, axis) => pairs.map((pair) => at(axis, pair)))];
};

/** The texts of lists and records, which are asked for again and again. */
const TEXTS = new WeakMap<object, string>();

/** A value of an attribute as a text; a missing value is the empty text. */
export function attributeText(value: AttrValue | Attrs | undefined): string {
  if (typeof value !== 'object' || value === null) return jsonText(value);
  const text = TEXTS.get(value) ?? jsonText(value);
  TEXTS.set(value, text);
  return text;
}

const jsonText = (value: AttrValue | Attrs | undefined): string =>
  JSON.stringify(value, (_, part) => (isInText(part) ? part : `${typeof part} ${part}`)) ?? '';

/** Whether texts of JSON have such a value: those of bigints and infinities do not. */
const isInText = (part: unknown): boolean =>
  typeof part !== 'bigint' && (typeof part !== 'number' || Number.isFinite(part));
