/**
 * The meta table, which a text refers to as `meta[key][index]`, and its JSON
 * ([language §9](https://batonjs.github.io/baton/spec/language#9)).
 */
import { fail, isLeft, type Result, right, type Span } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  type Constant,
  MAX_ATTR_DEPTH,
  shortestDigits,
} from '@baton/ir';
import {
  type DType,
  dtypeInfo,
  isBig,
  isDType,
  isFloat,
  makeTensor,
  type Tensor,
  toBigInts,
  toNumbers,
} from '@baton/tensor';
import { badMetadata } from '../diagnostics.ts';
import { floatHolds } from '../tokens/number.ts';
import { isTvmMeta, readTvmMeta } from './tvm-meta.ts';

export const CONSTANT_KEY = 'relay.Constant';

/** An entry: a tensor, or a record of attributes. */
export type MetaEntry =
  | { readonly _tag: 'MetaTensor'; readonly value: Tensor }
  | { readonly _tag: 'MetaAttrs'; readonly value: Attrs };

/** Entries by key and index. */
export type MetaTable = ReadonlyMap<string, ReadonlyArray<MetaEntry>>;

/** An entry as input: a tensor, a constant, or an entry. */
export type MetaItem = MetaEntry | Tensor | Constant;

export type MetaInput =
  | ReadonlyMap<string, ReadonlyArray<MetaItem>>
  | Readonly<Record<string, ReadonlyArray<MetaItem>>>;

export const metaTable = (given: MetaInput): MetaTable =>
  new Map(
    [...(given instanceof Map ? given : Object.entries(given))].map(
      ([key, items]: readonly [string, ReadonlyArray<MetaItem>]) => [key, items.map(metaEntry)],
    ),
  );

function metaEntry(item: MetaItem): MetaEntry {
  if (item._tag === 'Tensor') return { _tag: 'MetaTensor', value: item };
  return item._tag === 'Constant' ? { _tag: 'MetaTensor', value: item.data } : item;
}

export const constantTable = (tensors: ReadonlyArray<Tensor>): MetaTable =>
  new Map([[CONSTANT_KEY, tensors.map((value) => ({ _tag: 'MetaTensor', value }) as const)]]);

/** The entries of `first`, then those of `second`, key by key. */
export function joinTables(first: MetaTable, second: MetaTable): MetaTable {
  const joined = new Map(first);
  for (const [key, entries] of second) joined.set(key, [...(joined.get(key) ?? []), ...entries]);
  return joined;
}

/**
 * The table of a metadata section, Baton's or TVM's. Sizes are checked against the data.
 *
 * **Errors** `META_SECTION` at `span`.
 */
export function readMeta(json: string, span: Span): Result<MetaTable> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(json);
  } catch {
    return fail(badMetadata('it is not JSON', span));
  }
  if (isTvmMeta(parsed)) {
    const tensors = readTvmMeta(parsed);
    return typeof tensors === 'string'
      ? fail(badMetadata(tensors, span))
      : right(constantTable(tensors));
  }
  if (!isRecord(parsed)) return fail(badMetadata('expected an object of lists', span));
  const table = new Map<string, ReadonlyArray<MetaEntry>>();
  for (const [key, list] of Object.entries(parsed)) {
    if (!Array.isArray(list)) return fail(badMetadata(`\`${key}\` is not a list`, span));
    const entries: MetaEntry[] = [];
    for (const [index, item] of list.entries()) {
      const place = `\`${key}\` ${index}`;
      const entry = key === CONSTANT_KEY ? readTensor(item) : readAttrs(item);
      if (typeof entry === 'string') return fail(badMetadata(`${place}: ${entry}`, span));
      entries.push(entry);
    }
    table.set(key, entries);
  }
  return right(table);
}

/** The section's JSON for these constants, one per line. */
export function writeMeta(tensors: ReadonlyArray<Tensor>): string {
  return `{"${CONSTANT_KEY}": [\n${tensors.map(writeTensor).join(',\n')}\n]}\n`;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readTensor(item: unknown): MetaEntry | string {
  if (!isRecord(item)) return 'expected an object';
  const { dtype, shape, data } = item;
  if (typeof dtype !== 'string' || !isDType(dtype)) return 'unknown dtype';
  if (!Array.isArray(shape) || !shape.every((d): d is number => typeof d === 'number')) {
    return 'shape is not a list of numbers';
  }
  if (!Array.isArray(data)) return 'data is not a list';
  const values: (number | bigint)[] = [];
  for (const element of data) {
    const value = readElement(element, dtype);
    if (value === undefined) return `the element ${shownElement(element)} of data is no ${dtype}`;
    values.push(value);
  }
  const made = makeTensor(values, shape, dtype);
  return isLeft(made) ? made.left[0].message : { _tag: 'MetaTensor', value: made.right };
}

/** A number or a string of the data; other values are not allowed. */
const shownElement = (element: unknown): string =>
  typeof element === 'number' || typeof element === 'string' ? String(element).slice(0, 40) : '';

const NAMED_FLOATS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
]);

/** A number in the range of the dtype, as for a literal with its suffix; `undefined` otherwise. */
function readElement(element: unknown, dtype: DType): number | bigint | undefined {
  if (isFloat(dtype)) {
    if (typeof element === 'string') return NAMED_FLOATS.get(element);
    return typeof element === 'number' && floatHolds(element, dtype) ? element : undefined;
  }
  const value = readInteger(element, dtype);
  const { min, max } = dtypeInfo(dtype);
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function readInteger(element: unknown, dtype: DType): number | bigint | undefined {
  if (typeof element === 'number') return Number.isSafeInteger(element) ? element : undefined;
  const isDigits = typeof element === 'string' && /^-?\d{1,20}$/.test(element);
  return isBig(dtype) && isDigits ? BigInt(element) : undefined;
}

function readAttrs(item: unknown): MetaEntry | string {
  if (!isRecord(item)) return 'expected an object of attributes';
  const pairs: [string, AttrValue][] = [];
  for (const [name, value] of Object.entries(item)) {
    if (!isAttrValue(value, MAX_ATTR_DEPTH)) return `\`${name}\` is no attribute value`;
    pairs.push([name, value]);
  }
  return { _tag: 'MetaAttrs', value: Object.fromEntries(pairs) };
}

/** Recursion is bounded by `depth`. */
function isAttrValue(value: unknown, depth: number): value is AttrValue {
  if (Array.isArray(value)) return depth > 0 && value.every((v) => isAttrValue(v, depth - 1));
  return value === null || ['number', 'boolean', 'string'].includes(typeof value);
}

function writeTensor(t: Tensor): string {
  const elements = isBig(t.dtype)
    ? toBigInts(t).map((value) => `"${value}"`)
    : Array.from(toNumbers(t), (value) => writeNumber(value, t.dtype));
  return `{"dtype":"${t.dtype}","shape":[${t.shape.join(',')}],"data":[${elements.join(',')}]}`;
}

function writeNumber(value: number, dtype: DType): string {
  if (Number.isFinite(value)) return shortestDigits(value, dtype);
  if (Number.isNaN(value)) return '"NaN"';
  return value > 0 ? '"inf"' : '"-inf"';
}
