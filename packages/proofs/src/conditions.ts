/** The conditions and computed holes of a rule, run on an instance. */
import {
  type Attrs,
  type AttrValue,
  constant,
  type Expr,
  type IRModule,
  isExpr,
  isTotal,
  type Type,
  typeOf,
} from '@baton/ir';
import { dimsOf, dtypeOf, staticTensor } from '@baton/ops';
import type { MatchedHoles, Rule, Term } from '@baton/rewrites';
import {
  type DType,
  dtypeInfo,
  fromNumbers,
  isDType,
  isFloat,
  isTensor,
  shapeSize,
  type Tensor,
  tensor,
} from '@baton/tensor';
import type { Instance } from './instances.ts';
import { valueText } from './values.ts';

/** An instance for which the conditions of its rule hold. */
export interface Match {
  readonly instance: Instance;
  /** The instance and what is chosen for it, as a text. */
  readonly key: string;
  /** The expressions of all holes: variables, constants, and what the rule computed. */
  readonly terms: ReadonlyMap<string, Expr>;
  readonly attrs: ReadonlyMap<string, AttrValue | Attrs>;
  /** The bounds between which holes are taken to lie. */
  readonly ranges: ReadonlyMap<string, Range>;
}

/** The numbers between which the elements lie that are not NaN. */
type Range = NonNullable<Term['range']>;

/** What a condition looks at, besides attributes, element types, and whether something is constant. */
export type Read = 'type' | 'values';

/** Thrown where a condition reads the values of a constant that stands for all values; no trace is kept. */
class ReadsValues {
  readonly hole: string;
  constructor(hole: string) {
    this.hole = hole;
  }
}

/** Thrown where a condition or a computed hole throws. */
export class RuleThrows extends Error {}

/** What of a rule is asked about an instance. */
export interface Asked {
  readonly rule: Rule;
  /** The computed holes of which it does not matter what they look at. */
  readonly free: ReadonlySet<string>;
  /** What is looked at is noted here. */
  readonly reads: Set<Read>;
}

/**
 * The matches of an instance. A hole is a constant if the conditions ask for one: of any values, and
 * of a few typical ones if they look at the values.
 */
export function matchesOf(m: IRModule, given: Asked, instance: Instance): ReadonlyArray<Match> {
  const { rule } = given;
  const noRanges = new Map<string, Range>();
  if (rule.when.length === 0 && rule.computed.size === 0) {
    const { terms, attrs } = instance;
    return [{ instance, key: instance.key, terms, attrs, ranges: noRanges }];
  }
  const known = { any: new Set<string>(), valued: new Set<string>(), ranged: new Set<string>() };
  for (let round = 0; round < 3 * instance.terms.size + 1; round++) {
    const facts = new Facts(m, known.any);
    const found: Match[] = [];
    try {
      for (const choice of choicesOf(m, instance, known)) {
        const match = tried(facts, given, instance, choice);
        if (match !== undefined) found.push(match);
      }
    } catch (error) {
      if (!(error instanceof ReadsValues)) throw new RuleThrows(String(error));
      known.any.delete(error.hole);
      known.valued.add(error.hole);
      continue;
    }
    const constants = [...facts.constants].filter(
      (name) => !known.any.has(name) && !known.valued.has(name),
    );
    const ranges = [...facts.ranges].filter((name) => !known.ranged.has(name));
    for (const read of facts.reads) given.reads.add(read);
    if (found.length > 0 || constants.length + ranges.length === 0) return found;
    for (const name of constants) known.any.add(name);
    for (const name of ranges) known.ranged.add(name);
  }
  return [];
}

/** What the holes are taken for: constants with these values, and terms within these bounds. */
interface Choice {
  readonly values: ReadonlyMap<string, Expr>;
  readonly ranges: ReadonlyMap<string, Range>;
}

function tried(
  facts: Facts,
  { rule, free }: Asked,
  instance: Instance,
  { values, ranges }: Choice,
): Match | undefined {
  const terms = new Map([...instance.terms, ...values]);
  const chosen = Object.fromEntries(rule.chosen);
  const given = { ...facts.holesOf(instance, terms, ranges), ...chosen };
  if (!rule.when.every((holds) => holds(given))) return undefined;
  const attrs = new Map(instance.attrs);
  for (const [name, compute] of rule.computed) {
    const before = new Set(facts.reads);
    const value = compute(given);
    if (value === undefined) return undefined;
    if (free.has(name)) facts.reads = before;
    const hole = facts.holeOf(value);
    if (hole !== undefined) terms.set(name, instance.terms.get(hole) as Expr);
    else if (isTensor(value)) terms.set(name, constant(value));
    else if (isExpr(value)) terms.set(name, value);
    else attrs.set(name, value);
  }
  const taken = [...[...values].map(constantText), ...[...ranges].map(String)];
  return { instance, key: [instance.key, ...taken].join(' '), terms, attrs, ranges };
}

const constantText = ([name, expr]: readonly [string, Expr]): string =>
  expr._tag === 'Constant' ? `${name} ${valueText(expr.data)}` : name;

/** The facts about holes, which note what is read. */
class Facts {
  reads = new Set<Read>();
  /** The holes that were asked for a constant. */
  readonly constants = new Set<string>();
  /** The holes that were asked for a range that was not known. */
  readonly ranges = new Set<string>();
  readonly m: IRModule;
  readonly #any: ReadonlySet<string>;
  readonly #tensors = new Map<unknown, string>();

  /** `any` holds the holes that are constants of any values. */
  constructor(m: IRModule, any: ReadonlySet<string>) {
    this.m = m;
    this.#any = any;
  }

  holesOf(
    { attrs, roots }: Instance,
    terms: ReadonlyMap<string, Expr>,
    ranges: ReadonlyMap<string, Range>,
  ): MatchedHoles {
    const holes: Record<string, unknown> = {};
    for (const [name, expr] of terms) {
      holes[name] = new Watched(this, name, expr, ranges.get(name));
    }
    for (const [name, value] of attrs) holes[name] = value;
    holes.result = new Watched(this, 'result', roots[0] as Expr, undefined);
    holes.ops = this.m.ops;
    return holes as MatchedHoles;
  }

  /** The hole whose constant, of any values, a value is. */
  holeOf(value: unknown): string | undefined {
    return this.#tensors.get(value);
  }

  noting<T>(read: Read, value: T): T {
    this.reads.add(read);
    return value;
  }

  /** The constant that a hole is, which may be of any values. */
  constantOf(name: string, expr: Expr): Tensor | undefined {
    this.constants.add(name);
    if (expr._tag === 'Constant') return this.noting('values', expr.data);
    if (!this.#any.has(name)) return undefined;
    const made = anyTensor(this.m, name, expr);
    this.#tensors.set(made, name);
    return made;
  }
}

/** The facts about a hole. */
class Watched implements Term {
  readonly #facts: Facts;
  readonly #name: string;
  readonly #expr: Expr;
  readonly #range: Range | undefined;

  constructor(facts: Facts, name: string, expr: Expr, range: Range | undefined) {
    this.#facts = facts;
    this.#name = name;
    this.#expr = expr;
    this.#range = range;
  }

  get expr(): Expr {
    return this.#facts.noting('type', this.#expr);
  }

  get type(): Type | undefined {
    return this.#facts.noting('type', typeOf(this.#facts.m, this.#expr));
  }

  get dims(): Term['dims'] {
    return this.#facts.noting('type', dimsOf(typeOf(this.#facts.m, this.#expr)));
  }

  get dtype(): DType | undefined {
    const dtype = dtypeOf(typeOf(this.#facts.m, this.#expr));
    return isDType(dtype) ? dtype : undefined;
  }

  /** Integers have the bounds of their type; floats have those that are chosen. */
  get range(): Range | undefined {
    const { dtype } = this;
    if (dtype === undefined || isFloat(dtype)) this.#facts.ranges.add(this.#name);
    if (this.#range !== undefined) return this.#facts.noting('values', this.#range);
    if (dtype === undefined || isFloat(dtype)) return undefined;
    const { min, max } = dtypeInfo(dtype);
    return [min, max];
  }

  get constant(): Tensor | undefined {
    return this.#facts.constantOf(this.#name, this.#expr);
  }

  get isTotal(): boolean {
    return this.#facts.noting('type', isTotal(this.#facts.m, this.#expr));
  }
}

/** A tensor that may not be looked into. */
function anyTensor(m: IRModule, name: string, expr: Expr): Tensor | undefined {
  const type = typeOf(m, expr);
  const known = type && staticTensor(type);
  if (known === undefined) return undefined;
  return new Proxy(tensor(new Array(shapeSize(known.shape)).fill(0), known.shape, known.dtype), {
    get: (target, key) => {
      if (key === 'shape' || key === 'dtype') return target[key];
      throw new ReadsValues(name);
    },
  });
}

/** The numbers that constants are filled with. */
const FILLS = [0, 1, -1, 2, 0.5, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** The bounds between which terms are taken to lie, as operators state them. */
const RANGES: ReadonlyArray<Range> = [
  [0, Number.POSITIVE_INFINITY],
  [0, 6],
  [-1, 1],
  [-128, 127],
  [0, 255],
];

/** Each choice of constants for the holes whose values are read, and of bounds for those whose range is. */
function choicesOf(
  m: IRModule,
  { terms }: Instance,
  {
    valued,
    ranged,
  }: { readonly valued: ReadonlySet<string>; readonly ranged: ReadonlySet<string> },
): ReadonlyArray<Choice> {
  let all: ReadonlyArray<Choice> = [{ values: new Map(), ranges: new Map() }];
  for (const name of valued) {
    const constants = constantsFor(m, terms.get(name));
    all = all.flatMap(({ values, ranges }) =>
      constants.map((value) => ({ values: new Map([...values, [name, value]]), ranges })),
    );
  }
  for (const name of ranged) {
    all = all.flatMap(({ values, ranges }) =>
      RANGES.map((range) => ({ values, ranges: new Map([...ranges, [name, range]]) })),
    );
  }
  return all;
}

/** The constants that stand for those of the type of a term. */
function constantsFor(m: IRModule, expr: Expr | undefined): ReadonlyArray<Expr> {
  const type = expr && typeOf(m, expr);
  const known = type && staticTensor(type);
  if (known === undefined) return [];
  const { shape, dtype } = known;
  const count = shapeSize(shape);
  const { min, max } = dtypeInfo(dtype);
  const isHeld = (value: number): boolean =>
    isFloat(dtype) || (Number.isInteger(value) && min <= value && value <= max);
  const fills = FILLS.filter(isHeld);
  const filled = fills.map((value) => new Array<number>(count).fill(value));
  const mixed = Array.from({ length: count }, (_, i) => i + 2);
  return [...filled, mixed].map((values) => constant(fromNumbers(values, shape, dtype)));
}
