/**
 * Whether a rule keeps to the range of float16. Both sides run on constants and inputs near the ends of
 * its range, after the engine's own guards; and in float64 with each result rounded to as many digits,
 * which shows what they would be if exponents had no end.
 */
import { isLeft } from '@baton/base';
import { type Baseline, makeBaseline } from '@baton/equivalence';
import {
  constant,
  type Expr,
  func,
  type IRModule,
  inferTypes,
  irModule,
  rewriteExpr,
  substitute,
  tuple,
  typeOf,
} from '@baton/ir';
import { type OpValue, staticTensor } from '@baton/ops';
import { type Allowance, applyRule, type CompiledRule, IN_PLACE } from '@baton/rewrites';
import {
  cast,
  type DType,
  fromNumbers,
  isFloat,
  isTensor,
  readNumber,
  shapeSize,
  spacingOf,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';
import { type FoundCalls, TooMany } from './calls.ts';
import { type Bound, type Instance, instancesOf } from './instances.ts';

/** What may be known of a rule in float16, the least first. */
export const RANGE_STATES = [
  'not tried',
  'kept',
  'needs `range`',
  'guarded by `within`',
  'left',
] as const;

/**
 * - `kept`: every step that the engines allow keeps it.
 * - ``needs `range` ``: the engines allow no step in float16.
 * - ``guarded by `within` ``: those steps keep it that the rule's own conditions allow.
 * - `not tried`: no instance of a few shapes in float16 is one that the rule takes.
 * - `left`: a step leaves it.
 */
export type RangeState = (typeof RANGE_STATES)[number];

/** A state; with the instance if values leave the range. */
export interface RangeVerdict {
  readonly state: RangeState;
  /** An instance on which the right side overflows or vanishes and the left side does not, or nothing. */
  readonly detail: string;
}

/** The type with the least range, and the one in which nothing leaves it. */
const NARROW = 'float16';
const WIDE = 'float64';

/** Numbers in the range of float16: products and reciprocals of them leave it. None is its largest. */
const EXTREMES = [1, 300, 1e-5, 60000, -300, 2 ** -14, 1e-3, -60000, 200, 2 ** -22];

/** The constants that are tried for each set of holes, as long as a step is not always refused. */
const CHOICES = 16;
const MOST_REFUSALS = 6;

/** The inputs on which each step runs: all pairs of numbers for elements, else some. */
const FILLS = { elements: 1, shapes: 3 } as const;

/** A rule with the instances' operators and a guard that may be refused. */
export interface RangeTask {
  readonly compiled: CompiledRule;
  readonly m: IRModule;
  readonly calls: FoundCalls;
  /** Whether each element depends on elements at its own place alone. */
  readonly isOfElements: boolean;
  /** The rules that share the choices. */
  readonly share: number;
}

/** What is known of a rule in float16: a rule of other types alone has nothing to keep. */
export function rangeOf(task: RangeTask): RangeVerdict {
  const { rule } = task.compiled;
  const pairs = pairsOf(task);
  if (pairs.length === 0) return { state: 'not tried', detail: '' };
  let hasStep = false;
  const fills = FILLS[task.isOfElements ? 'elements' : 'shapes'];
  for (const pair of pairs) {
    for (const choice of choicesFor(task, pair)) {
      const sides = sidesOf(task, pair, choice);
      choice.isRefused = sides === undefined;
      if (sides === undefined) continue;
      hasStep = true;
      for (let fill = 0; fill < fills; fill++) {
        const detail = faultOf(sides, choice.number * fills + fill);
        if (detail !== undefined) return { state: 'left', detail };
      }
    }
  }
  if (!rule.needs.includes('range')) return { state: hasStep ? 'kept' : 'not tried', detail: '' };
  return { state: hasStep ? 'guarded by `within`' : 'needs `range`', detail: '' };
}

/** Some holes as constants, and a number that chooses their values. */
interface Choice {
  readonly constants: ReadonlyArray<string>;
  readonly number: number;
  /** Whether the engines refuse the step for it. */
  isRefused: boolean;
}

/** Choices for each set of holes; a set that only gives refusals has few. */
function* choicesFor({ m, share }: RangeTask, { narrow }: Pair): Generator<Choice> {
  const floats = floatsOf(m, narrow);
  const most = Math.ceil(CHOICES / share);
  for (let set = 0; set < 2 ** floats.length; set++) {
    const constants = floats.filter((_, at) => ((set >> at) & 1) === 1);
    // Inputs that vary show more than a constant in their place.
    if (floats.length > 1 && constants.length === floats.length) continue;
    const count = constants.length === 0 ? 1 : most;
    let isUsed = false;
    for (let number = 0; number < count && (isUsed || number < MOST_REFUSALS); number++) {
      const choice: Choice = { constants, number, isRefused: false };
      yield choice;
      isUsed ||= !choice.isRefused;
    }
  }
}

/** One instance in both types. */
interface Pair {
  readonly narrow: Instance;
  readonly wide: Instance;
}

/** Bounds until one has instances: for one element many of them are tried in one tensor. */
const ELEMENTS: ReadonlyArray<Omit<Bound, 'dtypes'>> = [
  { maxRank: 1, sizes: [EXTREMES.length ** 2] },
];
const SHAPES: ReadonlyArray<Omit<Bound, 'dtypes'>> = [
  { maxRank: 1, sizes: [2] },
  { maxRank: 2, sizes: [2] },
  { maxRank: 3, sizes: [2] },
  { without: [2], maxRank: 3, sizes: [2] },
  { without: [2, 3], maxRank: 4, sizes: [2] },
];

/** The calls of operators that may be tried at one bound, and the instances that are taken. */
const SEARCH = 8_000;
const LEAST_SEARCH = 1_000;
const MOST_PAIRS = { elements: 8, shapes: 4 } as const;

/** Instances at the first bound that has some, evenly taken. */
function pairsOf({
  compiled: { rule },
  m,
  calls,
  isOfElements,
  share,
}: RangeTask): ReadonlyArray<Pair> {
  for (const bound of isOfElements ? ELEMENTS : SHAPES) {
    const of = (dtype: DType): ReadonlyArray<Instance> => {
      const found: Instance[] = [];
      try {
        const budget = { steps: Math.max(SEARCH / share, LEAST_SEARCH) };
        for (const one of instancesOf(rule, { ...bound, dtypes: [dtype, 'bool'] }, budget, calls)) {
          found.push(one);
        }
      } catch (error) {
        if (!(error instanceof TooMany)) throw error;
      }
      return found;
    };
    const wide = new Map(of(WIDE).map((one) => [one.key, one]));
    const pairs = of(NARROW).flatMap((narrow) => {
      const other = wide.get(narrow.key.replaceAll(NARROW, WIDE));
      return other === undefined || floatsOf(m, narrow).length === 0
        ? []
        : [{ narrow, wide: other }];
    });
    const most = MOST_PAIRS[isOfElements ? 'elements' : 'shapes'];
    const apart = Math.max(1, Math.floor(pairs.length / most));
    // The largest come last.
    const taken = [...pairs].reverse().filter((_, i) => i % apart === 0);
    if (taken.length > 0) return taken.slice(0, most);
  }
  return [];
}

const floatsOf = (m: IRModule, { terms }: Instance): ReadonlyArray<string> =>
  [...terms].flatMap(([name, expr]) => (typeIn(m, expr)?.dtype === NARROW ? [name] : []));

function typeIn(m: IRModule, expr: Expr | undefined): ReturnType<typeof staticTensor> {
  const type = expr && typeOf(m, expr);
  return type && staticTensor(type);
}

/** A step by the rule: both sides in float16, and where exponents have no end. */
interface Sides {
  readonly narrow: TwoSides;
  readonly wide: TwoSides;
  readonly run: Baseline['run'];
  /** The types of the inputs. */
  readonly inputs: ReadonlyMap<string, { readonly shape: Tensor['shape']; readonly dtype: DType }>;
  /** The constants, for a counterexample. */
  readonly constants: ReadonlyMap<string, Tensor>;
  /** Whether the rule takes no infinity on the way to a result. */
  readonly isFinite: boolean;
  readonly isOfElements: boolean;
}

interface TwoSides {
  readonly left: IRModule;
  readonly right: IRModule;
}

/** The step for a choice of constants; `undefined` if the engines refuse it. */
function sidesOf(task: RangeTask, { narrow, wide }: Pair, choice: Choice): Sides | undefined {
  const constants = new Map<string, Tensor>();
  for (const [at, name] of choice.constants.entries()) {
    const shape = typeIn(task.m, narrow.terms.get(name))?.shape ?? [];
    const value = EXTREMES[mixed(choice.number, at) % EXTREMES.length] as number;
    const values = new Array<number>(shapeSize(shape)).fill(value);
    constants.set(name, fromNumbers(values, shape, NARROW));
  }
  const inputs = new Map(
    [...narrow.terms].flatMap(([name, expr]) => {
      const type = constants.has(name) ? undefined : typeIn(task.m, expr);
      return type === undefined ? [] : [[name, type] as const];
    }),
  );
  const own = moduleOf(task, narrow, constants, IN_PLACE);
  const exact = own && moduleOf(task, wide, new Map([...constants].map(widened)), UNFOLDED);
  if (own === undefined || exact === undefined) return undefined;
  const baseline = makeBaseline(own.left);
  if (isLeft(baseline)) return undefined;
  const isOfFinite = task.compiled.rule.needs.includes('ninf');
  const { run } = baseline.right;
  return {
    narrow: own,
    wide: exact,
    run,
    inputs,
    constants,
    isFinite: isOfFinite,
    isOfElements: task.isOfElements,
  };
}

const widened = ([name, value]: readonly [string, Tensor]): readonly [string, Tensor] => [
  name,
  value.dtype === NARROW ? cast(value, WIDE) : value,
];

/** Nothing is folded: calls of constants are rounded like the others. */
const UNFOLDED: Allowance = { ...IN_PLACE, constantSize: 0 };

/** A number that follows from two, without a pattern. */
const mixed = (a: number, b: number): number =>
  (Math.imul(Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 1, 0x85ebca6b), 0x5bd1e995) >>> 0) >>> 7;

/** The two sides of an instance as functions of the same inputs. */
function moduleOf(
  { compiled, m }: RangeTask,
  { terms, attrs, roots }: Instance,
  constants: ReadonlyMap<string, Tensor>,
  allows: Allowance,
): TwoSides | undefined {
  const given = new Map([...constants].map(([name, value]) => [name, constant(value)] as const));
  const replaced = new Map<Expr, Expr>();
  for (const [name, value] of given) replaced.set(terms.get(name) as Expr, value);
  const lefts = roots.map((root) => substitute(root, replaced));
  const holes = new Map<string, Expr>([...terms, ...given]);
  const bindings = { terms: holes, attrs: new Map(attrs), nodes: [] };
  const params = [...terms].flatMap(([name, expr]) =>
    given.has(name) || expr._tag !== 'Var' ? [] : [expr],
  );
  const step = applyRule(m, compiled, lefts, bindings, allows);
  if (typeof step === 'string') return undefined;
  const [left, right] = [lefts, step.results].map((results) => {
    // Constants that the step computed have the digits of float16, too.
    const body = rewriteExpr(tuple(results), roundedConstant);
    return inferTypes(irModule({ ops: m.ops, functions: new Map([['main', func(params, body)]]) }));
  });
  if (left === undefined || right === undefined || isLeft(left) || isLeft(right)) return undefined;
  return { left: left.right, right: right.right };
}

/** Inputs near the ends of the range: in a tensor of many elements each pair of two inputs. */
function inputsOf({ inputs }: Sides, fill: number): ReadonlyMap<string, Tensor> {
  const count = EXTREMES.length;
  return new Map(
    [...inputs].map(([name, { shape, dtype }], at) => {
      const isLong = shapeSize(shape) === count ** 2;
      const values = Array.from({ length: shapeSize(shape) }, (_, i) => {
        if (!isFloat(dtype)) return i % 2;
        const place = isLong
          ? [i, Math.floor(i / count), i + 2 * Math.floor(i / count)][at % 3]
          : mixed(fill, at) + (fill % 2 === 0 ? 0 : i);
        return EXTREMES[((place ?? 0) + (isLong ? fill : 0)) % count] as number;
      });
      return [name, fromNumbers(values, shape, dtype)];
    }),
  );
}

/** An instance on which values leave the range on the right side alone. */
function faultOf(sides: Sides, fill: number): string | undefined {
  const { narrow, wide, run } = sides;
  const inputs = inputsOf(sides, fill);
  const infinite = new Set<number | 'all'>();
  const left = run(narrow.left, [...inputs.values()], (_name, _attrs, result) => {
    if (!sides.isFinite) return result;
    for (const t of tensorsIn(result)) {
      const isElement = sides.isOfElements && shapeSize(t.shape) === EXTREMES.length ** 2;
      for (const [place, value] of toNumbers(t).entries()) {
        if (!Number.isFinite(value)) infinite.add(isElement ? place : 'all');
      }
    }
    return result;
  });
  if (typeof left === 'string' || infinite.has('all')) return undefined;
  const right = run(narrow.right, [...inputs.values()]);
  if (typeof right === 'string' || areNear(left.results, right.results)) return undefined;
  const wideInputs = [...inputs].map((one) => widened(one)[1]);
  const exact = [wide.left, wide.right].map((m) => run(m, wideInputs, rounding));
  const [leftExact, rightExact] = exact;
  if (typeof leftExact !== 'object' || typeof rightExact !== 'object') return undefined;
  for (const [output, known] of left.results.entries()) {
    const others = [right, leftExact, rightExact].map(({ results }) => results[output]);
    const [found, wanted, made] = others;
    if (known.dtype !== NARROW || !found || !wanted || !made) continue;
    for (let i = 0; i < shapeSize(known.shape); i++) {
      const [l, r, exactL, exactR] = [known, found, wanted, made].map((t) => readNumber(t, i)) as [
        number,
        number,
        number,
        number,
      ];
      if (
        infinite.has(i) ||
        !isNear(l, exactL, CLOSE) ||
        !isNear(exactR, exactL, FAR) ||
        isNear(r, exactR, FAR)
      )
        continue;
      const given = [...sides.constants, ...inputs].map(
        ([name, t]) =>
          `${name} = ${numberText(t, i)}${sides.constants.has(name) ? ', a constant' : ''}`,
      );
      return `in ${NARROW}, ${given.join(', ')}: ${l} and ${r}`;
    }
  }
  return undefined;
}

/** A number of a tensor at a place, or all of a tensor with other places. */
const numberText = (t: Tensor, at: number): string => {
  const values = [...new Set(toNumbers(t))];
  if (values.length === 1) return `${values[0]}`;
  return at < shapeSize(t.shape) && values.length > 4
    ? `${readNumber(t, at)}`
    : `[${[...toNumbers(t)].slice(0, 4).join(', ')}]`;
};

/** The shares by which a side may differ: from its exact value where it keeps the range, and where not. */
const CLOSE = 1 / 32;
const FAR = 1 / 8;

/** The largest distance that says nothing: some units of the least numbers. */
const TINY = 8 * spacingOf(NARROW).least;

const isNear = (value: number, exact: number, share: number): boolean =>
  Number.isFinite(value) && Math.abs(value - exact) <= share * Math.abs(exact) + TINY;

/** Whether results are so near each other that neither left the range. */
const areNear = (a: ReadonlyArray<Tensor>, b: ReadonlyArray<Tensor>): boolean =>
  a.every((t, output) => {
    const others = toNumbers(b[output] ?? t);
    return toNumbers(t).every((value, i) => isNear(others[i] ?? Number.NaN, value, CLOSE));
  });

/** Rounds a result in float64 to the digits of float16. */
const rounding: NonNullable<Parameters<Baseline['run']>[2]> = (_name, _attrs, result) =>
  isTensor(result)
    ? rounded(result)
    : result.map((field) => (isTensor(field) ? rounded(field) : field));

const rounded = (t: Tensor): Tensor =>
  t.dtype === WIDE ? tensor(Array.from(toNumbers(t), toDigits), t.shape, WIDE) : t;

/** The constant in place of one in float64 that has more digits. */
const roundedConstant = (expr: Expr): Expr | undefined =>
  expr._tag === 'Constant' && expr.data.dtype === WIDE ? constant(rounded(expr.data)) : undefined;

/** The number with 11 bits, by Veltkamp's splitting. */
const toDigits = (value: number): number => {
  const product = value * (2 ** 42 + 1);
  return Number.isFinite(product) ? product - (product - value) : value;
};

/** The tensors of an operator's result. */
const tensorsIn = (value: OpValue): ReadonlyArray<Tensor> =>
  isTensor(value) ? [value] : value.filter(isTensor);
