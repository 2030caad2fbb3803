/** The calls of an operator that a pattern stands for, once its arguments are chosen. */
import { isLeft } from '@baton/base';
import type { Attrs, AttrValue, OpInfo, OpTable, Type } from '@baton/ir';
import { meetDTypes, type OpValue, solvedContext, staticTensor, typeOfValue } from '@baton/ops';
import { type AttrPattern, type CallPattern, isAttrHole } from '@baton/rewrites';
import { isTensor, zeros } from '@baton/tensor';
import { attributeText, choicesFor, isOfSizes, rankOf } from './attributes.ts';

/** A value of some type, with the type as a text. */
export interface Typed {
  readonly value: OpValue;
  readonly text: string;
}

/** What holes for attributes stand for. */
export type AttrHoles = ReadonlyMap<string, AttrValue | Attrs>;

/** The calls that a pattern stands for. */
export interface Calls {
  /** The choices of attributes that were tried. */
  readonly tried: number;
  readonly valid: ReadonlyArray<ValidCall>;
}

/** A well-typed call. */
export interface ValidCall extends Choice {
  /** A value of the type of the result. */
  readonly result: Typed;
}

/** A choice of attributes. */
interface Choice {
  /** All attributes of the call. */
  readonly attrs: Attrs;
  /** The holes that the choice binds. */
  readonly bound: ReadonlyArray<readonly [string, AttrValue | Attrs]>;
}

/** What has been chosen before a call. */
export interface Given {
  readonly args: ReadonlyArray<Typed>;
  readonly holes: AttrHoles;
  /** The sizes of which attributes are made. */
  readonly sizes: ReadonlyArray<number>;
  /** The most choices to try. */
  readonly most: number;
}

/** Thrown where there are more choices than may be tried. */
export class TooMany extends Error {}

/** Finds the calls for the patterns of all rules, each once. */
export class FoundCalls {
  readonly ops: OpTable;
  readonly #byText = new Map<string, CallsOfPattern>();
  readonly #byPattern = new WeakMap<CallPattern, CallsOfPattern>();

  constructor(ops: OpTable) {
    this.ops = ops;
  }

  /**
   * The calls of a pattern.
   *
   * **Errors** throws `TooMany`.
   */
  of(p: CallPattern, given: Given): Calls {
    return this.#ofPattern(p).find(given);
  }

  #ofPattern(p: CallPattern): CallsOfPattern {
    const known = this.#byPattern.get(p);
    if (known !== undefined) return known;
    const text = JSON.stringify([p.op, p.rest, ...[...p.attrs].map(attributeOf)]);
    const made = this.#byText.get(text) ?? new CallsOfPattern(this.ops, p);
    this.#byText.set(text, made);
    this.#byPattern.set(p, made);
    return made;
  }
}

/** An attribute of a pattern as a text. */
const attributeOf = ([name, p]: readonly [string, AttrPattern]): string =>
  isAttrHole(p) ? `${name} ?${p.name}` : `${name} ${attributeText(p)}`;

/** The calls of one pattern, by what is chosen before. */
class CallsOfPattern {
  readonly #ops: OpTable;
  readonly #pattern: CallPattern;
  readonly #holes: ReadonlyArray<string>;
  readonly #isOfSizes: boolean;
  readonly #choices = new Map<string, Choices>();
  readonly #calls = new Map<string, Calls>();

  constructor(ops: OpTable, p: CallPattern) {
    this.#ops = ops;
    this.#pattern = p;
    this.#holes = holesIn(p);
    this.#isOfSizes = dependsOnSizes(ops, p);
  }

  find(given: Given): Calls {
    const holes = this.#holes.map((name) => attributeText(given.holes.get(name)));
    const before = [this.#isOfSizes ? given.sizes : '', ...holes].join(' ');
    const key = [before, ...given.args.map(({ text }) => text)].join(' ');
    const known = this.#calls.get(key);
    if (known !== undefined) return known;
    const info = this.#ops.get(this.#pattern.op);
    const made = info === undefined ? NONE : validCalls(info, given, this.#chosen(given, before));
    this.#calls.set(key, made);
    return made;
  }

  /** The choices of attributes: they depend on the rank of the arguments alone. */
  #chosen(given: Given, before: string): Choices {
    const args = given.args.map(({ value }) => value);
    const key = `${rankOf(args)} ${before}`;
    const known = this.#choices.get(key) ?? choicesOf(this.#ops, this.#pattern, given, args);
    this.#choices.set(key, known);
    if (known.tried > given.most) throw new TooMany();
    return known;
  }
}

const NONE: Calls = { tried: 0, valid: [] };

/** Choices of attributes: those that the operator accepts, of this list of attributes. */
interface Choices {
  readonly tried: number;
  readonly taken: ReadonlyArray<Choice>;
}

function choicesOf(
  ops: OpTable,
  p: CallPattern,
  { holes, sizes, most }: Given,
  args: ReadonlyArray<OpValue>,
): Choices {
  const found = new Map<string, ReadonlyArray<AttrValue>>();
  const values = (field: string): ReadonlyArray<AttrValue> => {
    const made = found.get(field) ?? choicesFor(ops, p.op, field, args, sizes);
    found.set(field, made);
    return made;
  };
  const fields = ops.get(p.op)?.attrs.fields ?? [];
  const others = fields.filter(({ name }) => !p.attrs.has(name));
  const taken: Choice[] = [];
  let tried = 0;
  for (const { attrs, known } of recordsOf([...p.attrs], p.rest, others, values, holes)) {
    if (++tried > most) throw new TooMany();
    const complete = ops.get(p.op)?.attrs.decode(attrs);
    if (complete === undefined || isLeft(complete)) continue;
    const bound = [...known].filter(([name]) => !holes.has(name));
    taken.push({ attrs: complete.right, bound });
  }
  return { tried, taken };
}

type Values = (field: string) => ReadonlyArray<AttrValue>;
type Fields = ReadonlyArray<{
  readonly name: string;
  readonly defaultValue: AttrValue | undefined;
}>;

/** A record of attributes, with the holes that stand for them and those known before. */
interface AttrRecord {
  readonly attrs: Attrs;
  readonly known: AttrHoles;
}

/** Each record of the attributes that a pattern names, and of all others if a hole stands for these. */
function* recordsOf(
  named: ReadonlyArray<readonly [string, AttrPattern]>,
  rest: string | undefined,
  others: Fields,
  values: Values,
  holes: AttrHoles,
): Generator<AttrRecord> {
  for (const record of namedOf(named, values, { attrs: {}, known: holes })) {
    if (rest === undefined) {
      yield record;
      continue;
    }
    const { attrs, known } = record;
    const old = known.get(rest) as Attrs | undefined;
    for (const chosen of old === undefined ? restsOf(others, values) : [old]) {
      yield { attrs: { ...chosen, ...attrs }, known: new Map([...known, [rest, chosen]]) };
    }
  }
}

function* namedOf(
  named: ReadonlyArray<readonly [string, AttrPattern]>,
  values: Values,
  made: AttrRecord,
): Generator<AttrRecord> {
  const [entry, ...others] = named;
  if (entry === undefined) {
    yield made;
    return;
  }
  const [name, p] = entry;
  const { attrs, known } = made;
  const old = isAttrHole(p) ? (known.get(p.name) as AttrValue | undefined) : p;
  for (const value of old === undefined ? values(name) : [old]) {
    const more = isAttrHole(p) ? new Map([...known, [p.name, value]]) : known;
    yield* namedOf(others, values, { attrs: { ...attrs, [name]: value }, known: more });
  }
}

/** The most records of attributes that are all tried; of more, those that differ from the defaults once. */
const MAX_RECORDS = 256;

/** Records of attributes of the fields. */
function restsOf(fields: Fields, values: Values): ReadonlyArray<Attrs> {
  const lists = fields.map(({ name, defaultValue }) => {
    const all = values(name);
    const known = defaultValue === undefined ? [] : [defaultValue];
    const others = all.filter((value) => JSON.stringify(value) !== JSON.stringify(defaultValue));
    return { name, values: [...known, ...others], isRequired: defaultValue === undefined };
  });
  const count = lists.reduce((product, { values }) => product * values.length, 1);
  const base = product(
    lists.map(({ name, values, isRequired }) => ({
      name,
      values: isRequired ? values : values.slice(0, 1),
    })),
  );
  if (count <= MAX_RECORDS) return product(lists);
  return base.flatMap((record) => [
    record,
    ...lists
      .filter(({ isRequired }) => !isRequired)
      .flatMap(({ name, values }) =>
        values.slice(1).map((value) => ({ ...record, [name]: value })),
      ),
  ]);
}

const product = (
  lists: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<AttrValue> }>,
): ReadonlyArray<Attrs> =>
  lists.reduce<ReadonlyArray<Attrs>>(
    (made, { name, values }) =>
      made.flatMap((record) => values.map((value) => ({ ...record, [name]: value }))),
    [{}],
  );

/** The choices with which a call is well typed. */
function validCalls(info: OpInfo, { args }: Given, { tried, taken }: Choices): Calls {
  const values = args.map(({ value }) => value);
  const types = values.map(typeOfValue);
  const valid = taken.flatMap(({ attrs, bound }): ReadonlyArray<ValidCall> => {
    const type = resultType(info, types, values, attrs);
    const value = type && typicalValue(type);
    return value === undefined ? [] : [{ attrs, bound, result: typed(value) }];
  });
  return { tried, valid };
}

/** The type of a call; `undefined` if it is not well typed; the reason is not asked. */
function resultType(
  { inputs, relation }: OpInfo,
  types: ReadonlyArray<Type>,
  args: ReadonlyArray<OpValue>,
  attrs: Attrs,
): Type | undefined {
  if (inputs.length !== args.length) return undefined;
  let isWrong = false;
  const fail = (): undefined => {
    isWrong = true;
    return undefined;
  };
  const context = solvedContext({
    constant: (index) => {
      const value = args[index];
      return value !== undefined && isTensor(value) ? value : undefined;
    },
    unify: (a, b) => {
      isWrong ||= !areAlike(a, b);
      return !isWrong;
    },
    fail,
  });
  const result = relation(types, attrs, context);
  return isWrong ? undefined : result;
}

/** Whether two types of values are equal, or one is any of a class. */
const areAlike = (a: Type, b: Type): boolean =>
  a._tag === 'TensorType' &&
  b._tag === 'TensorType' &&
  String(a.shape) === String(b.shape) &&
  meetDTypes(a.dtype, b.dtype) !== undefined;

function typicalValue(type: Type): OpValue | undefined {
  if (type._tag === 'TupleType') {
    const fields = type.fields.map(typicalValue);
    return fields.includes(undefined) ? undefined : (fields as ReadonlyArray<OpValue>);
  }
  const known = staticTensor(type);
  return known === undefined ? undefined : zeros(known.shape, known.dtype);
}

/** A value with its type as a text. */
export const typed = (value: OpValue): Typed => ({ value, text: typeText(value) });

const typeText = (value: OpValue): string =>
  isTensor(value) ? `${value.dtype}(${value.shape})` : `[${value.map(typeText)}]`;

/** Whether the sizes of tensors say which attributes of a call are tried. */
const dependsOnSizes = (ops: OpTable, { op, attrs, rest }: CallPattern): boolean =>
  (ops.get(op)?.attrs.fields ?? []).some(({ name }) => {
    const own = attrs.get(name);
    const isTaken = own === undefined ? rest !== undefined : isAttrHole(own);
    return isTaken && isOfSizes(ops, op, name);
  });

/** The holes for attributes of a call. */
const holesIn = ({ attrs, rest }: CallPattern): ReadonlyArray<string> => [
  ...[...attrs.values()].filter(isAttrHole).map(({ name }) => name),
  ...(rest === undefined ? [] : [rest]),
];
