/** Instances of a rule's left side: all of them up to a bound. */
import { isLeft } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  call,
  constant,
  type Expr,
  type OpTable,
  opRef,
  type TensorType,
  tensorType,
  tuple,
  tupleGetItem,
  variable,
} from '@baton/ir';
import { type OpValue, prepareCall, staticTensor } from '@baton/ops';
import type { AttrPattern, CallPattern, Pattern, Rule } from '@baton/rewrites';
import { type DType, isTensor, scalar, zeros } from '@baton/tensor';
import { choicesFor } from './attributes.ts';

/** What instances are made of. */
export interface Bound {
  readonly maxRank: number;
  readonly sizes: ReadonlyArray<number>;
  readonly dtypes: ReadonlyArray<DType>;
}

/** A bound in words. */
export const boundText = ({ maxRank, sizes, dtypes }: Bound): string =>
  `rank up to ${maxRank}, sizes ${sizes.join(', ')}, ${dtypes.join(', ')}`;

/** An instance of the left sides of a rule. */
export interface Instance {
  readonly roots: ReadonlyArray<Expr>;
  /** The expressions of the holes: variables. */
  readonly terms: ReadonlyMap<string, Expr>;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
}

/** An expression with a value of its type. */
interface Made {
  readonly expr: Expr;
  readonly value: OpValue;
}

/** Counts steps, and ends the search where too many are needed. */
export interface Budget {
  steps: number;
}

/** Thrown where a bound has more instances than the budget allows. */
export class TooMany extends Error {}

/**
 * All instances of a rule up to a bound.
 *
 * **Errors** throws `TooMany`.
 */
export function* instancesOf(
  rule: Rule,
  bound: Bound,
  ops: OpTable,
  budget: Budget,
): Generator<Instance> {
  const search = new Search(bound, ops, budget);
  const lefts = rule.equations.map(({ left }) => left);
  for (const made of search.each(lefts)) {
    yield {
      roots: made.map(({ expr }) => expr),
      terms: new Map([...search.terms].map(([name, { expr }]) => [name, expr])),
      attrs: new Map(search.attrs),
    };
  }
}

/** A search that binds holes from left to right, and takes the bindings back. */
class Search {
  readonly terms = new Map<string, Made>();
  readonly attrs = new Map<string, AttrValue | Attrs>();
  readonly #bound: Bound;
  readonly #ops: OpTable;
  readonly #budget: Budget;
  readonly #types: ReadonlyArray<TensorType>;

  constructor(bound: Bound, ops: OpTable, budget: Budget) {
    this.#bound = bound;
    this.#ops = ops;
    this.#budget = budget;
    this.#types = typesIn(bound);
  }

  /** Each choice for patterns that share holes. */
  *each(
    patterns: ReadonlyArray<Pattern>,
    made: ReadonlyArray<Made> = [],
  ): Generator<ReadonlyArray<Made>> {
    const next = patterns[made.length];
    if (next === undefined) yield made;
    else for (const one of this.#fill(next)) yield* this.each(patterns, [...made, one]);
  }

  *#fill(p: Pattern): Generator<Made> {
    switch (p._tag) {
      case 'Hole':
        yield* this.#hole(p.name);
        break;
      case 'Number':
        for (const dtype of p.dtype === undefined ? this.#bound.dtypes : [p.dtype]) {
          const value = scalar(p.value, dtype);
          yield { expr: constant(value), value };
        }
        break;
      case 'Tuple':
        for (const fields of this.each(p.fields)) {
          yield {
            expr: tuple(fields.map(({ expr }) => expr)),
            value: fields.map(({ value }) => value),
          };
        }
        break;
      case 'Field':
        for (const { expr, value } of this.#fill(p.tuple)) {
          const field = isTensor(value) ? undefined : value[p.index];
          if (field !== undefined) yield { expr: tupleGetItem(expr, p.index), value: field };
        }
        break;
      case 'Call':
        yield* this.#call(p);
        break;
      default:
    }
  }

  *#hole(name: string): Generator<Made> {
    const known = this.terms.get(name);
    if (known !== undefined) {
      yield known;
      return;
    }
    for (const type of this.#types) {
      const made = { expr: variable(name, type), value: placeholder(type) };
      this.terms.set(name, made);
      yield made;
    }
    this.terms.delete(name);
  }

  *#call(p: CallPattern): Generator<Made> {
    const info = this.#ops.get(p.op);
    if (info === undefined) return;
    for (const args of this.each(p.args)) {
      for (const attrs of this.#attrsOf(p, args)) {
        if (this.#budget.steps-- <= 0) throw new TooMany();
        const complete = info.attrs.decode(attrs);
        if (isLeft(complete)) continue;
        const values = args.map(({ value }) => value);
        const prepared = prepareCall(this.#ops, p.op, complete.right, values, undefined);
        if (isLeft(prepared)) continue;
        const value = typicalValue(prepared.right.result);
        const exprs = args.map(({ expr }) => expr);
        if (value !== undefined) {
          yield { expr: call(opRef(p.op), exprs, { attrs: complete.right }), value };
        }
      }
    }
  }

  /** Each choice for the attributes of a call. */
  *#attrsOf(p: CallPattern, args: ReadonlyArray<Made>): Generator<Attrs> {
    const fields = this.#ops.get(p.op)?.attrs.fields ?? [];
    const named = [...p.attrs];
    const rest = p.rest;
    const choices = (field: string): ReadonlyArray<AttrValue> =>
      choicesFor(
        this.#ops,
        p.op,
        field,
        args.map(({ value }) => value),
        this.#bound.sizes,
      );
    const given = function* (this: Search, at: number, made: Attrs): Generator<Attrs> {
      const entry = named[at];
      if (entry === undefined) {
        yield made;
        return;
      }
      const [name, pattern] = entry;
      for (const value of this.#attr(pattern, () => choices(name))) {
        yield* given.call(this, at + 1, { ...made, [name]: value });
      }
    };
    for (const own of given.call(this, 0, {})) {
      if (rest === undefined) {
        yield own;
        continue;
      }
      const known = this.attrs.get(rest) as Attrs | undefined;
      const others = fields.filter(({ name }) => !p.attrs.has(name));
      for (const chosen of known === undefined ? restsOf(others, choices) : [known]) {
        if (known === undefined) this.attrs.set(rest, chosen);
        yield { ...chosen, ...own };
        if (known === undefined) this.attrs.delete(rest);
      }
    }
  }

  *#attr(p: AttrPattern, choices: () => ReadonlyArray<AttrValue>): Generator<AttrValue> {
    if (typeof p !== 'object' || p === null || !('_tag' in p)) {
      yield p;
      return;
    }
    const known = this.attrs.get(p.name);
    if (known !== undefined) {
      yield known as AttrValue;
      return;
    }
    for (const value of choices()) {
      this.attrs.set(p.name, value);
      yield value;
    }
    this.attrs.delete(p.name);
  }
}

/** The most records of attributes that are all tried; of more, those that differ from the defaults once. */
const MAX_RECORDS = 256;

/** Records of attributes of the fields. */
function restsOf(
  fields: ReadonlyArray<{ readonly name: string; readonly defaultValue: AttrValue | undefined }>,
  choices: (field: string) => ReadonlyArray<AttrValue>,
): ReadonlyArray<Attrs> {
  const lists = fields.map(({ name, defaultValue }) => {
    const all = choices(name);
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

const placeholder = (type: TensorType): OpValue => {
  const known = staticTensor(type);
  return zeros(known?.shape ?? [], known?.dtype ?? 'float32');
};

function typicalValue(type: unknown): OpValue | undefined {
  const t = type as Parameters<typeof staticTensor>[0];
  if (t._tag === 'TupleType') {
    const fields = t.fields.map(typicalValue);
    return fields.includes(undefined) ? undefined : (fields as ReadonlyArray<OpValue>);
  }
  const known = staticTensor(t);
  return known === undefined ? undefined : zeros(known.shape, known.dtype);
}

function typesIn({ maxRank, sizes, dtypes }: Bound): ReadonlyArray<TensorType> {
  let shapes: ReadonlyArray<ReadonlyArray<number>> = [[]];
  const all = [...shapes];
  for (let rank = 1; rank <= maxRank; rank++) {
    shapes = shapes.flatMap((shape) => sizes.map((size) => [...shape, size]));
    all.push(...shapes);
  }
  return dtypes.flatMap((dtype) => all.map((shape) => tensorType(shape, dtype)));
}
