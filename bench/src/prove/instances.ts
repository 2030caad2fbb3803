/** Instances of a rule's left side: all of them up to a bound. */
import { isLeft } from '@baton/base';
import {
  type Attrs,
  type AttrValue,
  call,
  constant,
  type Expr,
  type OpInfo,
  type OpTable,
  opRef,
  type TensorType,
  type Type,
  tensorType,
  tuple,
  tupleGetItem,
  variable,
} from '@baton/ir';
import { meetDTypes, type OpValue, solvedContext, staticTensor, typeOfValue } from '@baton/ops';
import {
  type AttrPattern,
  type CallPattern,
  isAttrHole,
  type Pattern,
  type Rule,
} from '@baton/rewrites';
import { type DType, isTensor, scalar, zeros } from '@baton/tensor';
import { attributeText, choicesFor, isOfSizes } from './attributes.ts';

/** What instances are made of. */
export interface Bound {
  /** The ranks between 1 and the largest that are left out. */
  readonly without?: ReadonlyArray<number>;
  readonly maxRank: number;
  readonly sizes: ReadonlyArray<number>;
  readonly dtypes: ReadonlyArray<DType>;
}

/** A bound in words. */
export const boundText = ({ without = [], maxRank, sizes, dtypes }: Bound): string => {
  const but = without.length === 0 ? '' : ` but ${without.join(', ')}`;
  return `rank up to ${maxRank}${but}, sizes ${sizes.join(', ')}, ${dtypes.join(', ')}`;
};

/** An instance of the left sides of a rule. */
export interface Instance {
  readonly roots: ReadonlyArray<Expr>;
  /** The expressions of the holes: variables. */
  readonly terms: ReadonlyMap<string, Expr>;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
  /** The types and attributes as a text. */
  readonly key: string;
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
  calls: FoundCalls,
): Generator<Instance> {
  const search = new Search(bound, ops, budget, calls);
  const lefts = rule.equations.map(({ left }) => left);
  for (const made of search.each(lefts)) {
    yield {
      roots: made.map(({ expr }) => expr),
      terms: new Map([...search.terms].map(([name, { expr }]) => [name, expr])),
      attrs: new Map(search.attrs),
      key: search.key(),
    };
  }
}

/** A search that binds holes from left to right, and takes the bindings back. */
class Search {
  readonly terms = new Map<string, Made>();
  readonly attrs = new Map<string, AttrValue | Attrs>();
  /** The element types of the numbers of the patterns. */
  readonly #numbers: DType[] = [];
  readonly #bound: Bound;
  readonly #ops: OpTable;
  readonly #budget: Budget;
  readonly #types: ReadonlyArray<TensorType>;
  readonly #calls: FoundCalls;

  constructor(bound: Bound, ops: OpTable, budget: Budget, calls: FoundCalls) {
    this.#calls = calls;
    this.#bound = bound;
    this.#ops = ops;
    this.#budget = budget;
    this.#types = typesIn(bound);
  }

  /** What is bound, as a text. */
  key(): string {
    const types = [...this.terms].map(([name, { value }]) => `${name} ${typeText(value)}`);
    const attrs = [...this.attrs].map(([name, value]) => `${name} ${attributeText(value)}`);
    return [...types, ...attrs, ...this.#numbers].join(' ');
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
          this.#numbers.push(dtype);
          yield { expr: constant(value), value };
          this.#numbers.pop();
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
    for (const args of this.each(p.args)) {
      const { tried, valid } = this.#callsOf(p, args);
      this.#budget.steps -= tried;
      if (this.#budget.steps < 0) throw new TooMany();
      const exprs = args.map(({ expr }) => expr);
      for (const { attrs, bound, value } of valid) {
        for (const [name, chosen] of bound) this.attrs.set(name, chosen);
        yield { expr: call(opRef(p.op), exprs, { attrs }), value };
        for (const [name] of bound) this.attrs.delete(name);
      }
    }
  }

  /** The calls of a pattern with these arguments and the attributes that are chosen, found once. */
  #callsOf(p: CallPattern, args: ReadonlyArray<Made>): Calls {
    const values = args.map(({ value }) => value);
    const chosen = holesIn(p).map((name) => attributeText(this.attrs.get(name)));
    const sizes = dependsOnSizes(this.#ops, p) ? this.#bound.sizes : '';
    const key = [sizes, ...chosen, ...values.map(typeText)].join(' ');
    const found = this.#calls.get(p) ?? new Map<string, Calls>();
    this.#calls.set(p, found);
    const old = found.get(key);
    if (old !== undefined) return old;
    const made = this.#findCalls(p, values);
    found.set(key, made);
    return made;
  }

  #findCalls(p: CallPattern, args: ReadonlyArray<OpValue>): Calls {
    const info = this.#ops.get(p.op);
    const types = args.map(typeOfValue);
    const valid: ValidCall[] = [];
    let tried = 0;
    const before = new Set(this.attrs.keys());
    for (const attrs of info === undefined ? [] : this.#attrsOf(p, args)) {
      if (++tried > this.#budget.steps) throw new TooMany();
      const complete = info?.attrs.decode(attrs);
      if (complete === undefined || isLeft(complete)) continue;
      const result = resultType(info as OpInfo, types, args, complete.right);
      const value = result && typicalValue(result);
      const bound = [...this.attrs].filter(([name]) => !before.has(name));
      if (value !== undefined) valid.push({ attrs: complete.right, bound, value });
    }
    return { tried, valid };
  }

  /** Each choice for the attributes of a call. */
  *#attrsOf(p: CallPattern, args: ReadonlyArray<OpValue>): Generator<Attrs> {
    const { rest } = p;
    const found = new Map<string, ReadonlyArray<AttrValue>>();
    const choices = (field: string): ReadonlyArray<AttrValue> => {
      const made = found.get(field) ?? choicesFor(this.#ops, p.op, field, args, this.#bound.sizes);
      found.set(field, made);
      return made;
    };
    for (const own of this.#named([...p.attrs], choices)) {
      if (rest === undefined) {
        yield own;
        continue;
      }
      const known = this.attrs.get(rest) as Attrs | undefined;
      const fields = this.#ops.get(p.op)?.attrs.fields ?? [];
      const others = fields.filter(({ name }) => !p.attrs.has(name));
      for (const chosen of known === undefined ? restsOf(others, choices) : [known]) {
        if (known === undefined) this.attrs.set(rest, chosen);
        yield { ...chosen, ...own };
        if (known === undefined) this.attrs.delete(rest);
      }
    }
  }

  /** Each choice for the attributes that a pattern names. */
  *#named(
    named: ReadonlyArray<readonly [string, AttrPattern]>,
    choices: (field: string) => ReadonlyArray<AttrValue>,
    made: Attrs = {},
  ): Generator<Attrs> {
    const [entry, ...others] = named;
    if (entry === undefined) {
      yield made;
      return;
    }
    const [name, pattern] = entry;
    for (const value of this.#attr(pattern, () => choices(name))) {
      yield* this.#named(others, choices, { ...made, [name]: value });
    }
  }

  *#attr(p: AttrPattern, choices: () => ReadonlyArray<AttrValue>): Generator<AttrValue> {
    if (!isAttrHole(p)) {
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

/** The calls that a pattern stands for. */
interface Calls {
  /** The choices of attributes that were tried. */
  readonly tried: number;
  readonly valid: ReadonlyArray<ValidCall>;
}

interface ValidCall {
  readonly attrs: Attrs;
  /** The holes for attributes that the call binds. */
  readonly bound: ReadonlyArray<readonly [string, AttrValue | Attrs]>;
  /** A value of the type of the result. */
  readonly value: OpValue;
}

/** The calls that were found for the patterns of a rule, in all its searches. */
export type FoundCalls = WeakMap<CallPattern, Map<string, Calls>>;

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

const typeText = (value: OpValue): string =>
  isTensor(value) ? `${value.dtype}(${value.shape})` : `[${value.map(typeText)}]`;

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

function typesIn({ without = [], maxRank, sizes, dtypes }: Bound): ReadonlyArray<TensorType> {
  let shapes: ReadonlyArray<ReadonlyArray<number>> = [[]];
  const all = [...shapes];
  for (let rank = 1; rank <= maxRank; rank++) {
    shapes = shapes.flatMap((shape) => sizes.map((size) => [...shape, size]));
    if (!without.includes(rank)) all.push(...shapes);
  }
  return dtypes.flatMap((dtype) => all.map((shape) => tensorType(shape, dtype)));
}
