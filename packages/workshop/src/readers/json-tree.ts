/** JSON as a tree that may state a key twice, and corruption of it. */
import { type Draw, NAMES, replaced, shuffled } from './draw.ts';
import { encoded, type Parts, smallerText, textOf } from './reader.ts';

/** A value of JSON. Text of a number or a word is kept as it is written. */
export type Json =
  | { readonly _tag: 'Raw'; readonly text: string }
  | { readonly _tag: 'Text'; readonly text: string }
  | { readonly _tag: 'List'; readonly items: ReadonlyArray<Json> }
  | { readonly _tag: 'Object'; readonly entries: ReadonlyArray<readonly [string, Json]> };

export function treeOf(value: unknown): Json {
  if (typeof value === 'string') return { _tag: 'Text', text: value };
  if (Array.isArray(value)) return { _tag: 'List', items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, one]) => [key, treeOf(one)] as const);
    return { _tag: 'Object', entries };
  }
  return { _tag: 'Raw', text: JSON.stringify(value) ?? 'null' };
}

export function jsonText(tree: Json): string {
  switch (tree._tag) {
    case 'Raw':
      return tree.text;
    case 'Text':
      return JSON.stringify(tree.text);
    case 'List':
      return `[${tree.items.map(jsonText).join(',')}]`;
    case 'Object':
      return `{${tree.entries.map(([key, one]) => `${JSON.stringify(key)}:${jsonText(one)}`).join(',')}}`;
  }
}

/** The way to a value: positions of items and entries. */
export type Way = ReadonlyArray<number>;

/** The ways to all values of a tree, itself first. */
export function waysIn(tree: Json): ReadonlyArray<Way> {
  const ways: Way[] = [];
  const visit = (one: Json, way: Way): void => {
    ways.push(way);
    for (const [i, child] of childrenOf(one).entries()) visit(child, [...way, i]);
  };
  visit(tree, []);
  return ways;
}

const childrenOf = (tree: Json): ReadonlyArray<Json> => {
  if (tree._tag === 'List') return tree.items;
  return tree._tag === 'Object' ? tree.entries.map(([, value]) => value) : [];
};

export const valueAt = (tree: Json, way: Way): Json =>
  way.reduce((one, i) => childrenOf(one)[i] ?? one, tree);

/** The tree in which a value is another; without it if there is none. */
export function changedAt(tree: Json, [first, ...rest]: Way, to: Json | undefined): Json {
  if (first === undefined) return to ?? { _tag: 'Raw', text: 'null' };
  const child = childrenOf(tree)[first];
  if (child === undefined) return tree;
  const by = rest.length === 0 ? to : changedAt(child, rest, to);
  if (tree._tag === 'List')
    return { _tag: 'List', items: replaced(tree.items, first, by === undefined ? [] : [by]) };
  if (tree._tag !== 'Object') return tree;
  const key = tree.entries[first]?.[0] ?? '';
  const entries = replaced(tree.entries, first, by === undefined ? [] : [[key, by] as const]);
  return { _tag: 'Object', entries };
}

const raw = (text: string): Json => ({ _tag: 'Raw', text });
const list = (...items: ReadonlyArray<Json>): Json => ({ _tag: 'List', items });

/** Unexpected values. */
const VALUES: readonly [Json, ...Json[]] = [
  raw('null'),
  raw('true'),
  raw('false'),
  raw('0'),
  raw('-0'),
  raw('-1'),
  raw('1'),
  raw('0.5'),
  raw('255'),
  raw('1e400'),
  raw('1e16'),
  raw('2147483647'),
  raw('2147483648'),
  raw('4294967296'),
  raw('1099511627776'),
  raw('9007199254740993'),
  raw('1e308'),
  raw('-1e-320'),
  list(),
  list(list(list())),
  { _tag: 'Object', entries: [] },
  { _tag: 'Object', entries: [['__proto__', list()]] },
  { _tag: 'Object', entries: [['_tag', { _tag: 'Text', text: 'Call' }]] },
];

const DEPTHS = [3, 50, 1000, 20_000] as const;

export function corruptedJson(tree: Json, draw: Draw): Json {
  const ways = waysIn(tree);
  const way = draw.some(ways) ?? [];
  const value = valueAt(tree, way);
  switch (draw.below(9)) {
    case 0:
      return changedAt(tree, way, undefined);
    case 1:
      return changedAt(tree, way, draw.pick(VALUES));
    case 2:
      return changedAt(tree, way, valueAt(tree, draw.some(ways) ?? []));
    case 3:
      return changedAt(tree, way, { _tag: 'Text', text: draw.pick(NAMES) });
    case 4:
      return withOtherKeys(tree, draw);
    case 5: {
      if (!draw.once(4)) return changedAt(tree, way, otherNumber(value, draw));
      const depth = draw.pick(DEPTHS);
      const [open, close] = draw.pick([
        ['[', ']'],
        ['{"a":', '}'],
      ]);
      return changedAt(tree, way, raw(`${open.repeat(depth)}0${close.repeat(depth)}`));
    }
    default:
      return changedAt(tree, way, rearranged(value, draw));
  }
}

function otherNumber(value: Json, draw: Draw): Json {
  if (value._tag !== 'Raw' || !/^-?\d/.test(value.text)) return draw.pick(VALUES);
  const number = Number(value.text);
  return raw(String(draw.pick([number + 1, number - 1, -number, number * 2 ** 20, number + 0.5])));
}

function rearranged(value: Json, draw: Draw): Json {
  if (value._tag === 'List') return list(...shuffled(value.items, draw));
  if (value._tag === 'Object') return { _tag: 'Object', entries: shuffled(value.entries, draw) };
  return value._tag === 'Text'
    ? { _tag: 'Text', text: value.text.slice(1) }
    : otherNumber(value, draw);
}

/** The tree in which an object has a key under another name, or a value under two keys. */
function withOtherKeys(tree: Json, draw: Draw): Json {
  const ways = waysIn(tree).filter((way) => valueAt(tree, way)._tag === 'Object');
  const way = draw.some(ways) ?? [];
  const object = valueAt(tree, way);
  if (object._tag !== 'Object') return tree;
  const other = valueAt(tree, draw.some(ways) ?? []);
  const keys = other._tag === 'Object' ? other.entries.map(([key]) => key) : [];
  const key = draw.once(2) ? draw.pick(NAMES) : (draw.some(keys) ?? 'x');
  const at = draw.below(object.entries.length);
  const value = object.entries[at]?.[1] ?? raw('0');
  const count = draw.below(2);
  const entries = replaced(object.entries, at, [[key, value] as const], count);
  return changedAt(tree, way, { _tag: 'Object', entries });
}

/** The files in which a value of one of them is left out, or is empty. */
export function* smallerJson(parts: Parts, name: string): Iterable<Parts> {
  let tree: Json;
  try {
    tree = treeOf(JSON.parse(textOf(parts, name)));
  } catch {
    yield* smallerText(parts, name, (text) => [...text]);
    return;
  }
  for (const way of waysIn(tree)) {
    for (const to of [undefined, list(), raw('0')]) {
      const text = jsonText(changedAt(tree, way, to));
      if (text.length < (parts.get(name)?.length ?? 0))
        yield new Map(parts).set(name, encoded(text));
    }
  }
}
