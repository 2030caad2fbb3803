/** Rules: equations between programs, which both engines run. */
import {
  andThen,
  callerOf,
  type Diagnostic,
  fail,
  failure,
  isLeft,
  ok,
  once,
  orThrow,
  type Result,
} from '@baton/base';
import type { AttrValue, Expr, OpTable } from '@baton/ir';
import { type Bound, holesOf, type Pattern, parsePattern } from '@baton/ops';
import type { FastMath } from '@baton/pass-manager';
import type { Tensor } from '@baton/tensor';
import { duplicateRule, matchesAll, unboundHole, unequalSides } from '../diagnostics.ts';
import type { Matched, MatchedHoles } from './names.ts';

/**
 * How a rule is used.
 *
 * - `shrink`: the right side is better wherever the rule applies.
 * - `canonical`: the right side is the one spelling of several that other rules expect.
 * - `both`: neither side is better. The greedy engine leaves the rule out; an e-graph holds both.
 */
export type Orient = 'shrink' | 'canonical' | 'both';

/** A value that a rule computes: an attribute, a constant, an expression, or no match. */
export type ComputedValue = AttrValue | Tensor | Expr | undefined;

/** Two programs with the same value. */
export interface Equation {
  readonly left: Pattern;
  readonly right: Pattern;
}

/** An equation between two programs, or several at once that share holes. */
export interface Rule {
  readonly _tag: 'Rule';
  /** The name in reports and explanations. */
  readonly name: string;
  /** The equation as text. */
  readonly text: string;
  /** More than one if the rule replaces several expressions together. */
  readonly equations: readonly [Equation, ...Equation[]];
  /** How many equations there are, which is known before their texts are read. */
  readonly together: number;
  /** What is known before the texts are read; `undefined` if they were read when the rule was made. */
  readonly named: Named | undefined;
  /** Holes of the right side that are computed from those of the left; no match if one is not. */
  readonly computed: ReadonlyMap<string, (holes: MatchedHoles) => ComputedValue>;
  /** The operators that each hole for operators stands for. */
  readonly operators: ReadonlyMap<string, OperatorTest>;
  /** The operators in the places of holes for operators, once these are chosen; by hole. */
  readonly chosen: ReadonlyMap<string, string>;
  /** Whether the equation holds for a match. */
  readonly when: ReadonlyArray<(holes: MatchedHoles) => boolean>;
  /** Conditions under which a match is worthwhile; the equation holds without them. */
  readonly profitable: ReadonlyArray<(holes: MatchedHoles) => boolean>;
  /** Whether what the right side computes on the way stays in the range of a narrow float. */
  readonly within: ReadonlyArray<(holes: MatchedHoles) => boolean>;
  /** The freedoms with rounding and special values; none keeps every bit. */
  readonly needs: ReadonlyArray<FastMath>;
  readonly orient: Orient;
  /** Whether the right side may tell more of the type: sizes that the left side leaves open. */
  readonly refines: boolean;
  /** Whether one order of the expressions that the left sides match is enough. */
  readonly symmetric: boolean;
  /** The phase in which the rule runs; `undefined` if it runs in all of them. */
  readonly phase: string | undefined;
  /** Whether it says what an operator is: the definition, which is compared with the kernel. */
  readonly isDefinition: boolean;
  /** Gives the place in the source, as far as the platform tells it. */
  readonly place: () => string | undefined;
}

/** What is known of a rule before its texts are read: the operators that they call by name, not by sign. */
export interface Named {
  readonly lefts: ReadonlyArray<string>;
  readonly rights: ReadonlyArray<string>;
}

/**
 * Whether a hole stands for an operator of a table, by its columns. `chosen` has the operators of the
 * holes before it, by hole.
 */
export type OperatorTest = (
  ops: OpTable,
  name: string,
  chosen: Readonly<Record<string, string>>,
) => boolean;

/** The optional parts of a rule with the left side `L`. */
export interface RuleOptions<L extends string, C extends string, O extends string> {
  /**
   * Makes each right side a kernel: a call of a function with the attributes `Primitive`, and
   * `Composite` with this name, whose body is the right side and whose parameters are its holes.
   */
  readonly as?: string;
  /** Holes computed from those of the left side. `undefined` refuses the match. */
  readonly let?: Readonly<Record<C, (holes: Matched<L>) => ComputedValue>>;
  /** The operators that each hole `?op(..)` stands for. */
  readonly operators?: Readonly<Record<O, OperatorTest>>;
  /** Conditions without which the equation is wrong. They look at facts of the holes only. */
  readonly when?: Condition<L> | ReadonlyArray<Condition<L>>;
  /** Conditions without which the equation holds, but the rule gains nothing or never ends. */
  readonly profitable?: Condition<L> | ReadonlyArray<Condition<L>>;
  /** @deprecated The earlier name of {@link RuleOptions.profitable}. */
  readonly pays?: Condition<L> | ReadonlyArray<Condition<L>>;
  /**
   * Conditions under which a rule that needs `range` computes nothing larger, or smaller, than the left
   * side does: `|s| <= 1` if it multiplies by `s` first. In floats of fewer than 32 bits the rule is used
   * only if it has such conditions and they hold. @defaultValue none
   */
  readonly within?: Condition<L> | ReadonlyArray<Condition<L>>;
  /** @defaultValue none: both sides are bitwise equal, all NaNs alike */
  readonly needs?: ReadonlyArray<FastMath>;
  /** @defaultValue `shrink` */
  readonly orient?: Orient;
  /**
   * The right side may tell sizes that the left side leaves open, and has them wherever the left
   * side has a value. Only the greedy engine uses such a match. @defaultValue both have one type
   */
  readonly refines?: boolean;
  /**
   * The left sides are alike, and which of them matches which expression makes no difference to
   * what the rule gains: one order is enough. @defaultValue every order is a match
   */
  readonly symmetric?: boolean;
  /** Whether it says what an operator is by definition. @defaultValue false */
  readonly isDefinition?: boolean;
}

/** A condition of a rule with the left side `L`. */
export type Condition<L extends string> = (holes: Matched<L>) => boolean;

/**
 * The equation `left = right`, used from left to right, or in both directions if so oriented.
 *
 * ```ts
 * rule('x + 0', 'add(?x, 0)', '?x');
 * rule('transpose of transpose', 'transpose(transpose(?x, axes=?a), axes=?b)', 'transpose(?x, axes=?c)', {
 *   let: { c: ({ a, b }) => composed(a, b) },
 * });
 * ```
 *
 * Both sides are written like programs. A match whose right side would have another type, or would
 * drop something that may fail, is refused by the engines, so a rule need not say so: `?x + 0` is
 * not `?x` where the zero broadcasts. Operands of commutative operators match in either order.
 *
 * **Errors** `RULE_UNBOUND`, `RULE_MATCHES_ALL`, and the errors of `parsePattern`.
 */
export function rule<
  const L extends string,
  const R extends string,
  const C extends string = never,
  const O extends string = never,
>(
  name: string,
  left: L | ReadonlyArray<L>,
  right: Bound<L, R, C | O> | ReadonlyArray<Bound<L, R, C | O>>,
  options: RuleOptions<L, C, O> = {},
): Result<Rule> {
  // The holes that an engine gives are those of this left side.
  const parts = options as unknown as RuleOptions<string, string, string>;
  const fields = fieldsOf(
    name,
    { left: [left].flat(), right: [right].flat() },
    parts,
    callerOf(rule),
  );
  return andThen(equationsOf(fields, parts.as, leftsOf(fields)), (equations) =>
    ok({ ...fields.rule, equations }),
  );
}

/**
 * As {@link rule}, for the rules that Baton has itself: their texts are right, which a test checks,
 * and are read when the rule is first used. Reading them all would take half of the time in which
 * Baton loads.
 */
export const ownRule: typeof rule = (name, left, right, options = {}) => {
  const parts = options as unknown as RuleOptions<string, string, string>;
  const fields = fieldsOf(
    name,
    { left: [left].flat(), right: [right].flat() },
    parts,
    unknownPlace,
  );
  const { left: lefts, right: rights } = fields.sides;
  const equations = once(() => lazyEquations(fields, parts.as));
  const made = {
    ...fields.rule,
    named: {
      lefts: lefts.flatMap(namesIn),
      rights: rights.flatMap(namesIn),
    },
    get equations(): Rule['equations'] {
      return equations();
    },
  };
  return ok(made);
};

/** The equations of a rule whose right sides are read when they are asked for. */
function lazyEquations(fields: Fields, as: string | undefined): Rule['equations'] {
  const lefts = orThrow(leftsOf(fields));
  const whole = once(() => orThrow(equationsOf(fields, as, ok(lefts))));
  return lefts.map((left, i) => lazyEquation(left, () => (whole()[i] as Equation).right)) as [
    Equation,
    ...Equation[],
  ];
}

/** The equation of a left side and a right side that is made when it is asked for. */
export function lazyEquation(left: Pattern, makeRight: () => Pattern): Equation {
  const made = once(makeRight);
  return {
    left,
    get right() {
      return made();
    },
  };
}

const unknownPlace = (): undefined => undefined;

/** The names before parentheses in a text, but for holes. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?<![?\w.])[A-Za-z_][\w.]*(?=\()/g)].map(([name]) => name);

/** The texts of both sides of a rule. */
interface Sides {
  readonly left: ReadonlyArray<string>;
  readonly right: ReadonlyArray<string>;
}

/** What is known of a rule before its texts are read. */
interface Fields {
  readonly sides: Sides;
  readonly rule: Omit<Rule, 'equations'>;
}

function fieldsOf(
  name: string,
  sides: Sides,
  parts: RuleOptions<string, string, string>,
  place: Rule['place'],
): Fields {
  const rule: Fields['rule'] = {
    _tag: 'Rule',
    name,
    text: sides.left.map((side, i) => `${side} = ${sides.right[i]}`).join(', '),
    together: sides.left.length,
    named: undefined,
    computed: new Map(Object.entries(parts.let ?? {})),
    operators: new Map(Object.entries<OperatorTest>(parts.operators ?? {})),
    chosen: new Map(),
    when: [parts.when ?? []].flat(),
    profitable: [parts.profitable ?? [], parts.pays ?? []].flat(),
    within: [parts.within ?? []].flat(),
    needs: parts.needs ?? [],
    orient: parts.orient ?? 'shrink',
    refines: parts.refines ?? false,
    symmetric: parts.symmetric ?? false,
    phase: undefined,
    isDefinition: parts.isDefinition ?? false,
    place,
  };
  return { sides, rule };
}

const leftsOf = ({ sides, rule }: Fields): Result<ReadonlyArray<Pattern>> =>
  sidesOf(sides.left, `rule ${rule.name}, left side`);

/** The equations of a rule as its texts state them, or why they are none. */
function equationsOf(
  { sides, rule }: Fields,
  as: string | undefined,
  lefts: ReturnType<typeof leftsOf>,
): Result<Rule['equations']> {
  const { name, place } = rule;
  return andThen(lefts, (from) =>
    andThen(sidesOf(sides.right, `rule ${name}, right side`), (to) => {
      const pairs = from.map((side, i): Equation => {
        const other = to[i] ?? side;
        return { left: side, right: as === undefined ? other : kernel(as, other) };
      });
      const [first, ...others] = pairs;
      if (first === undefined || from.length !== to.length) {
        return fail(unequalSides(name, from.length, to.length, place()));
      }
      return checked(rule, [first, ...others]);
    }),
  );
}

/** A call of a kernel with a name. */
const kernel = (name: string, body: Pattern): Pattern => ({
  _tag: 'Composite',
  attrs: { Primitive: 1, Composite: name },
  body,
});

/** The patterns of the texts of a side, or all their errors. */
function sidesOf(texts: ReadonlyArray<string>, name: string): Result<ReadonlyArray<Pattern>> {
  const read = texts.map((text) => parsePattern(text, name));
  return (
    failure(read.flatMap((side) => (isLeft(side) ? side.left : []))) ??
    ok(read.flatMap((side) => (isLeft(side) ? [] : [side.right])))
  );
}

/** The equations of a rule, unless its sides do not fit together. */
function checked(made: Fields['rule'], equations: Rule['equations']): Result<Rule['equations']> {
  const { computed, orient } = made;
  const lefts = equations.map(({ left }) => left);
  const rights = equations.map(({ right: to }) => to);
  const wrong = [...problemsOf(made, lefts, rights, [...computed.keys()])];
  if (orient === 'both') wrong.push(...problemsOf(made, rights, lefts, []));
  return failure(wrong) ?? ok(equations);
}

/** The kinds of patterns that are left sides. */
const MATCHED: ReadonlySet<Pattern['_tag']> = new Set(['Call', 'Tuple', 'Field']);

/** The mistakes in the use of a rule from one side to the other. */
function problemsOf(
  { name, place, operators }: Fields['rule'],
  from: ReadonlyArray<Pattern>,
  to: ReadonlyArray<Pattern>,
  computed: ReadonlyArray<string>,
): ReadonlyArray<Diagnostic> {
  if (!from.every(({ _tag }) => MATCHED.has(_tag))) {
    return [matchesAll(name, place())];
  }
  const bound = holesOf(...from);
  const used = holesOf(...to);
  const known = [...bound.terms, ...bound.attrs, ...operators.keys(), ...computed];
  return [...used.terms, ...used.attrs, ...bound.operators, ...used.operators]
    .filter((hole) => !known.includes(hole))
    .map((hole) => unboundHole(name, hole, known, place()));
}

/** A rule, a failed construction of one, or lists of these. */
export type RuleInput = Rule | RuleSet | Result<Rule> | Result<RuleSet> | ReadonlyArray<RuleInput>;

/** Rules with a name. */
export interface RuleSet {
  readonly _tag: 'RuleSet';
  readonly name: string;
  readonly rules: ReadonlyArray<Rule>;
}

/**
 * Rules under one name.
 *
 * **Errors** those of the rules, all of them, and `RULE_DUPLICATE`.
 */
export const ruleSet = (name: string, ...input: ReadonlyArray<RuleInput>): Result<RuleSet> =>
  andThen(rulesOf(input), (rules) => ok({ _tag: 'RuleSet', name, rules }));

/**
 * Rules under one name that take turns with those of other phases, since one undoes what another
 * does. `saturate` runs the phases of its rules one after the other, in their order, each of them
 * with all the rules that have no phase.
 *
 * **Errors** those of {@link ruleSet}.
 */
export const rulePhase = (name: string, ...input: ReadonlyArray<RuleInput>): Result<RuleSet> =>
  andThen(ruleSet(name, ...input), ({ _tag, rules }) =>
    ok({ _tag, name, rules: rules.map((one) => inPhase(one, name)) }),
  );

/** The rule in a phase. */
const inPhase = (one: Rule, phase: string): Rule => ruleWith(one, { phase });

/** The rule with other parts. Its texts may not have been read yet: its equations are not asked for. */
export const ruleWith = (rule: Rule, parts: Partial<Rule>): Rule =>
  Object.defineProperties({} as Rule, {
    ...Object.getOwnPropertyDescriptors(rule),
    ...Object.getOwnPropertyDescriptors(parts),
  });

/** The rules that run together, phase by phase; all at once if none has a phase. */
export function phasesOf(rules: ReadonlyArray<Rule>): ReadonlyArray<ReadonlyArray<Rule>> {
  const phases = new Set(rules.flatMap(({ phase }) => phase ?? []));
  if (phases.size === 0) return [rules];
  return [...phases].map((name) => rules.filter(({ phase = name }) => phase === name));
}

/** The rules of an input in order, or all their errors. */
export function rulesOf(input: RuleInput): Result<ReadonlyArray<Rule>> {
  const found: Rule[] = [];
  const wrong: Diagnostic[] = [];
  const visit = (item: RuleInput): void => {
    if (!('_tag' in item)) for (const inner of item) visit(inner);
    else if (item._tag === 'Rule') found.push(item);
    else if (item._tag === 'RuleSet') found.push(...item.rules);
    else if (isLeft(item)) wrong.push(...item.left);
    else visit(item.right);
  };
  visit(input);
  const names = new Set<string>();
  for (const { name } of found) {
    if (names.has(name)) wrong.push(duplicateRule(name));
    names.add(name);
  }
  return failure(wrong) ?? ok(found);
}
