/** Instances of a rule's left side: all of them up to a bound. */
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
import type { CallPattern, Pattern, Rule } from '@baton/rewrites';
import { type DType, isTensor, scalar, zeros } from '@baton/tensor';
import { attributeText } from './attributes.ts';
import { type FoundCalls, TooMany, type Typed, typed } from './calls.ts';
import { kindsIn, rolesOf } from './roles.ts';

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

/** The number of types that holes are tried with. */
export const typeCount = (bound: Bound): number => typesIn(bound).length;

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
interface Made extends Typed {
  readonly expr: Expr;
}

/** Counts steps, and ends the search where too many are needed. */
export interface Budget {
  steps: number;
}

/**
 * All instances of a rule up to a bound.
 *
 * **Errors** throws `TooMany`.
 */
export function* instancesOf(
  rule: Rule,
  bound: Bound,
  budget: Budget,
  calls: FoundCalls,
): Generator<Instance> {
  const search = new Search(bound, budget, calls);
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
  readonly #budget: Budget;
  readonly #types: ReadonlyArray<TypeChoice>;
  readonly #calls: FoundCalls;

  constructor(bound: Bound, budget: Budget, calls: FoundCalls) {
    this.#bound = bound;
    this.#budget = budget;
    this.#calls = calls;
    this.#types = typesIn(bound);
  }

  /** What is bound, as a text. */
  key(): string {
    const types = [...this.terms].map(([name, { text }]) => `${name} ${text}`);
    const attrs = [...this.attrs].map(([name, value]) => `${name} ${attributeText(value)}`);
    return [...types, ...attrs, ...this.#numbers].join(' ');
  }

  /** Each choice for patterns that share holes. */
  *each(
    patterns: ReadonlyArray<Pattern>,
    typesAt: (at: number) => ReadonlyArray<TypeChoice> = () => this.#types,
    made: ReadonlyArray<Made> = [],
  ): Generator<ReadonlyArray<Made>> {
    const next = patterns[made.length];
    if (next === undefined) {
      yield made;
      return;
    }
    for (const one of this.#fill(next, typesAt(made.length))) {
      yield* this.each(patterns, typesAt, [...made, one]);
    }
  }

  *#fill(p: Pattern, types: ReadonlyArray<TypeChoice>): Generator<Made> {
    switch (p._tag) {
      case 'Hole':
        yield* this.#hole(p.name, types);
        break;
      case 'Number':
        for (const dtype of p.dtype === undefined ? this.#bound.dtypes : [p.dtype]) {
          const value = scalar(p.value, dtype);
          this.#numbers.push(dtype);
          yield { expr: constant(value), ...typed(value) };
          this.#numbers.pop();
        }
        break;
      case 'Tuple':
        for (const fields of this.each(p.fields, () => types)) {
          const expr = tuple(fields.map((field) => field.expr));
          yield { expr, ...typed(fields.map(({ value }) => value)) };
        }
        break;
      case 'Field':
        for (const { expr, value } of this.#fill(p.tuple, this.#types)) {
          const field = isTensor(value) ? undefined : value[p.index];
          if (field !== undefined) yield { expr: tupleGetItem(expr, p.index), ...typed(field) };
        }
        break;
      case 'Call':
        yield* this.#call(p);
        break;
      default:
    }
  }

  *#hole(name: string, types: ReadonlyArray<TypeChoice>): Generator<Made> {
    const known = this.terms.get(name);
    if (known !== undefined) {
      yield known;
      return;
    }
    for (const { type, value, text } of types) {
      const made = { expr: variable(name, type), value, text };
      this.terms.set(name, made);
      yield made;
    }
    this.terms.delete(name);
  }

  /** The types that a hole is tried with as an argument of a call. */
  #typesOf({ op }: CallPattern, at: number): ReadonlyArray<TypeChoice> {
    const { maxRank } = this.#bound;
    // One element is tried in all element types.
    const own = maxRank > 0 ? quantizedTypes(this.#calls.ops, op, at, this.#bound) : undefined;
    return own ?? this.#types;
  }

  *#call(p: CallPattern): Generator<Made> {
    const { sizes } = this.#bound;
    for (const args of this.each(p.args, (at) => this.#typesOf(p, at))) {
      const most = this.#budget.steps;
      const { tried, valid } = this.#calls.of(p, { args, holes: this.attrs, sizes, most });
      this.#budget.steps -= tried;
      if (this.#budget.steps < 0) throw new TooMany();
      const exprs = args.map(({ expr }) => expr);
      for (const { attrs, bound, result } of valid) {
        for (const [name, chosen] of bound) this.attrs.set(name, chosen);
        yield { expr: call(opRef(p.op), exprs, { attrs }), ...result };
        for (const [name] of bound) this.attrs.delete(name);
      }
    }
  }
}

/**
 * The types of an argument of an operator on quantized integers: the element types of its examples,
 * and for scales and zero points their ranks. `undefined` for other operators.
 */
function quantizedTypes(
  ops: OpTable,
  op: string,
  index: number,
  bound: Bound,
): ReadonlyArray<TypeChoice> | undefined {
  const roles = rolesOf(ops, op);
  if (roles === undefined) return undefined;
  const kinds = kindsIn(ops, op, index);
  const all = typesIn({ ...bound, dtypes: [...new Set(kinds.map(({ dtype }) => dtype))] });
  const ranks = new Set(kinds.map(({ rank }) => rank));
  return roles[index] === 'data' ? all : all.filter(({ rank }) => ranks.has(rank));
}

/** A type that holes are tried with. */
interface TypeChoice extends Typed {
  readonly type: TensorType;
  readonly rank: number;
}

function typesIn({ without = [], maxRank, sizes, dtypes }: Bound): ReadonlyArray<TypeChoice> {
  let shapes: ReadonlyArray<ReadonlyArray<number>> = [[]];
  const all = [...shapes];
  for (let rank = 1; rank <= maxRank; rank++) {
    shapes = shapes.flatMap((shape) => sizes.map((size) => [...shape, size]));
    if (!without.includes(rank)) all.push(...shapes);
  }
  return dtypes.flatMap((dtype) =>
    all.map((shape) => ({
      type: tensorType(shape, dtype),
      rank: shape.length,
      ...typed(zeros(shape, dtype)),
    })),
  );
}
