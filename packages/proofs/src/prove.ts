/** The verdict on a rule: a proof, a proof up to a bound, a test, or a counterexample. */
import { orThrow } from '@baton/base';
import { type Expr, irModule, type OpTable } from '@baton/ir';
import { formOf, kindColumn } from '@baton/ops';
import {
  type CallPattern,
  type CompiledRule,
  compileRules,
  instancesOf as instancesOfOperators,
  isAttrHole,
  type Pattern,
  type Rule,
  subpatterns,
} from '@baton/rewrites';
import { DTYPES } from '@baton/tensor';
import { isTypical } from './attributes.ts';
import { FoundCalls, TooMany } from './calls.ts';
import { type Asked, type Match, matchesOf, type Read, RuleThrows } from './conditions.ts';
import { type Judge, makeJudge, type Regime } from './equal.ts';
import { exhausted } from './exhaust.ts';
import {
  type Bound,
  type Budget,
  boundText,
  type Instance,
  instancesOf,
  typeCount,
} from './instances.ts';
import { NoMeaning } from './kernels.ts';
import { type Judged, judgeMatch, rightsOf, type Sides } from './match.ts';
import { RANGE_STATES, type RangeState, rangeOf } from './range.ts';
import { kindsIn, rolesOf } from './roles.ts';
import type { Solver } from './solver.ts';
import { makeTerms } from './terms.ts';

/** What is known of a rule. */
export type State = 'proved' | 'proved up to a bound' | 'by definition' | 'tested' | 'refuted';

/** A state, and its proof or the reason for stopping. */
export interface Verdict {
  readonly state: State;
  /** Its proof, or the reason for stopping. */
  readonly reason: string;
  /** Whether it keeps to the range of floats, if that was asked. */
  readonly range?: RangeState;
}

/** What a prover does. */
export interface ProverOptions {
  /** The calls of operators that are tried at one bound. */
  readonly steps?: number;
  /** Whether rules are asked to keep to the range of floats. @defaultValue true */
  readonly checksRange?: boolean;
}

/** Proves rules of one table of operators. */
export interface Prover {
  readonly prove: (rule: Rule) => Promise<Verdict>;
}

/** A prover that asks the solver. */
export function makeProver(
  solver: Solver,
  ops: OpTable,
  { steps = STEPS, checksRange = true }: ProverOptions = {},
): Prover {
  const calls = new FoundCalls(ops);
  const proveOne = async (rule: Rule, family: Family, judge: Judge): Promise<Verdict> => {
    const [compiled] = orThrow(compileRules([rule], ops)) as [CompiledRule];
    const terms = makeTerms();
    const regime = regimeOf(rule);
    const own = sharedOf(steps, family);
    // The types of one rule's expressions are of no use to the next one.
    const m = irModule({ ops });
    const found = { calls, cases: new Map(), judged: new Map() };
    const task: Task = { rule, compiled, m, terms, judge, regime, steps: own, family, ...found };
    try {
      if (isNamed(rule)) return NAMED;
      // What the solver takes for the meaning of an operator is its definition.
      const verdict = rule.isDefinition ? DEFINED : await proveInTerms(task);
      const isOpen = rule.isDefinition || verdict.state === 'tested';
      const proved = isOpen ? (evaluated(task) ?? verdict) : verdict;
      return checksRange && proved.state !== 'refuted' ? withRange(task, proved) : proved;
    } catch (error) {
      if (error instanceof RuleThrows) {
        return {
          state: 'refuted',
          reason: `a condition or computed hole throws: ${error.message}`,
        };
      }
      throw error;
    }
  };
  return {
    prove: async (rule) => {
      const verdicts: (readonly [Rule, Verdict])[] = [];
      const rules = instancesOfOperators(rule, ops);
      const family: Family = { isLarge: false, size: rules.length };
      const session = solver.session();
      const judge = makeJudge(session);
      for (const one of rules) verdicts.push([one, await proveOne(one, family, judge)]);
      session.end();
      return weakest(verdicts);
    },
  };
}

/** The verdict by the solver. */
async function proveInTerms(task: Task): Promise<Verdict> {
  try {
    return isElementwise(task) ? await proveElement(task) : await proveShapes(task);
  } catch (error) {
    if (error instanceof NoMeaning) return { state: 'tested', reason: error.message };
    throw error;
  }
}

/** The verdict by evaluation at all values of small types; `undefined` if the rule does not allow it. */
function evaluated({ compiled, m, calls }: Task): Verdict | undefined {
  const found = exhausted(compiled, m, calls);
  if (found === undefined) return undefined;
  const state = found.state === 'equal' ? 'proved up to a bound' : 'refuted';
  return { state, reason: found.reason };
}

/** The verdict with what is known of the range: a rule whose values leave it is refuted. */
function withRange(task: Task, verdict: Verdict): Verdict {
  if (verdict === UNMET) return verdict;
  const { compiled, m, calls, family } = task;
  const isOfElements = isElementwise(task);
  const { state, detail } = rangeOf({ compiled, m, calls, isOfElements, share: family.size });
  return state === 'left'
    ? { state: 'refuted', reason: `leaves the range ${detail}`, range: state }
    : { ...verdict, range: state };
}

/** Up to this number, each operator of a rule is tried as a rule; more share the steps. */
const MANY = 5;

const sharedOf = (steps: number, { size }: Family): number =>
  Math.ceil(steps / Math.ceil(size / MANY));

/** The states, best first. */
export const STATES: ReadonlyArray<State> = [
  'proved',
  'proved up to a bound',
  'by definition',
  'tested',
  'refuted',
];

/** The verdict on a rule that stands for several; it says which of them have no instance. */
function weakest(verdicts: ReadonlyArray<readonly [Rule, Verdict]>): Verdict {
  const rank = ([, { state }]: readonly [Rule, Verdict]): number => STATES.indexOf(state);
  const met = verdicts.filter(([, verdict]) => verdict !== UNMET);
  const [worst] = [...met].sort((a, b) => rank(b) - rank(a));
  if (worst === undefined)
    return verdicts[0]?.[1] ?? { state: 'tested', reason: 'no operator is meant' };
  if (verdicts.length === 1) return worst[1];
  const unmet = verdicts
    .filter((one) => !met.includes(one))
    .flatMap(([{ chosen }]) => [...chosen.values()]);
  const without = unmet.length === 0 ? '' : `, without an instance of ${unmet.join(', ')}`;
  const range = RANGE_STATES.findLast((known) => met.some(([, one]) => one.range === known));
  const reason = `${worst[1].reason}; ${met.length} operators${without}`;
  return { ...worst[1], reason, ...(range === undefined ? {} : { range }) };
}

/** The verdict on a rule that matches nothing up to the bounds. */
const UNMET: Verdict = { state: 'tested', reason: 'no instance among the small shapes' };

/** A rule to prove. */
interface Task extends Sides {
  readonly rule: Rule;
  /** The steps that are tried at one bound. */
  readonly steps: number;
  readonly family: Family;
  readonly calls: FoundCalls;
  /** What is known of instances. */
  readonly cases: Map<string, CasesOfInstance>;
  /** What is known of matches. */
  readonly judged: Map<string, Judged>;
}

/** What was found of a rule for one of its operators, and holds for the others. */
interface Family {
  /** The operators for which it stands. */
  readonly size: number;
  /** Whether there are too many instances for all element types. */
  isLarge: boolean;
}

/** What rounds otherwise is understood over the reals. */
function regimeOf({ needs }: Rule): Regime {
  const rounds = ['reassoc', 'contract', 'arcp', 'afn'].some((word) =>
    (needs as ReadonlyArray<string>).includes(word),
  );
  return {
    floats: rounds ? 'real' : 'ieee',
    freedoms: {
      zeros: needs.includes('nsz'),
      noNaN: needs.includes('nnan'),
      noInfinity: needs.includes('ninf'),
    },
  };
}

const regimeText = ({ floats }: Regime): string =>
  floats === 'real' ? 'over the reals' : 'bit for bit by IEEE 754';

const callsIn = (p: Pattern): ReadonlyArray<CallPattern> =>
  subpatterns(p).filter((part) => part._tag === 'Call');

/** Whether each right side is a call of a function whose body is the left side. */
const isNamed = ({ equations }: Rule): boolean =>
  equations.every(
    ({ left, right }) => right._tag === 'Composite' && keyOf(left) === keyOf(right.body),
  );

/** A text for each pattern, which leaves out the places in its own text. */
const keyOf = (p: Pattern): string =>
  JSON.stringify(p, (field, value: unknown) => {
    if (field === 'span') return undefined;
    if (value instanceof Map) return [...value];
    const isNumber = typeof value === 'number' || typeof value === 'bigint';
    return isNumber ? `${typeof value} ${Object.is(value, -0) ? '-0' : value}` : value;
  });

const DEFINED: Verdict = {
  state: 'by definition',
  reason: 'the definition of the operator, which is compared with its kernel',
};

const NAMED: Verdict = {
  state: 'proved',
  range: 'kept',
  reason: 'a call of a function is its body, which is the left side',
};

/** Whether each element of a result depends on elements at its own place alone. */
function isElementwise({ rule, m }: Task): boolean {
  const patterns = rule.equations.flatMap(({ left, right }) => [left, right]);
  return patterns.flatMap(subpatterns).every((p) => {
    if (p._tag !== 'Call') return p._tag !== 'Tuple' && p._tag !== 'Field';
    const isAlong = formOf(m.ops, p.op, 'Map')?.vectorAlong !== undefined;
    return m.ops.read(kindColumn, p.op) === 'elementwise' && !isAlong;
  });
}

/** What was found about all instances up to a bound. */
interface Finding {
  readonly state: 'equal' | 'differ' | 'unknown';
  readonly instances: number;
  /** The steps that it took to find them. */
  readonly steps: number;
  readonly reads: ReadonlySet<Read>;
  readonly detail: string;
  /** Whether both sides are the same elements, without a computation. */
  readonly areSame: boolean;
}

/**
 * One element stands for all: the operators broadcast, and both sides have one type. All element
 * types are tried, or a few if these are too many instances.
 */
async function proveElement(task: Task): Promise<Verdict> {
  if (!task.family.isLarge) {
    try {
      return await proveElementOf(task, { maxRank: 0, sizes: [], dtypes: ELEMENT_TYPES });
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      task.family.isLarge = true;
    }
  }
  return proveElementOf(task, { maxRank: 0, sizes: [], dtypes: FEW_TYPES });
}

async function proveElementOf(task: Task, bound: Bound): Promise<Verdict> {
  const isGuarded = task.rule.when.length > 0;
  const free = await withoutConditions(task, bound);
  if (free !== undefined && isOfElements(free)) {
    return proved(task, bound, free, isGuarded ? ', also where the condition does not hold' : '');
  }
  if (!isGuarded && free !== undefined && free.state !== 'equal') {
    return free.state === 'unknown' ? proveHalves(task, free) : failed(task, free);
  }
  const found = isGuarded ? await explore(task, bound, elementSteps(task)) : free;
  if (found === undefined || found.instances === 0) return proveShapes(task);
  if (isOfElements(found)) return proved(task, bound, found, '');
  return found.state === 'equal' ? proveShapes(task) : failed(task, found);
}

/** Whether all are equal, and nothing was asked that one element does not tell. */
const isOfElements = ({ instances, state, reads }: Finding): boolean =>
  instances > 0 && state === 'equal' && !reads.has('type');

/** All instances without regard for the conditions; nothing if what the rule computes rests on them. */
async function withoutConditions(task: Task, bound: Bound): Promise<Finding | undefined> {
  const { rule } = task;
  try {
    const free = { ...task, rule: { ...rule, when: [] }, cases: new Map() };
    return await explore(free, bound, elementSteps(task));
  } catch (error) {
    if (rule.when.length > 0 && error instanceof RuleThrows) return undefined;
    throw error;
  }
}

/** What is too hard for floats of 64 bits may be found for those of 16. */
async function proveHalves(task: Task, whole: Finding): Promise<Verdict> {
  const bound: Bound = { maxRank: 0, sizes: [], dtypes: ['float16', 'bfloat16'] };
  const halves = await explore(task, bound, elementSteps(task));
  if (halves.state === 'differ') return failed(task, halves);
  if (halves.state !== 'equal' || halves.instances === 0) return failed(task, whole);
  return {
    state: 'proved up to a bound',
    reason: `one element stands for all shapes; ${regimeText(task.regime)}, in ${bound.dtypes.join(' and ')}; in wider types ${whole.detail}`,
  };
}

/** All element types; counterexamples in floats tell most. */
const ELEMENT_TYPES: Bound['dtypes'] = [
  'float32',
  ...DTYPES.filter((dtype) => dtype !== 'float32'),
];

/** A few of each kind, for rules with many instances. */
const FEW_TYPES: Bound['dtypes'] = ['float32', 'int32', 'bool'];

const ELEMENT_STEPS = 40_000;

/** The steps for one of the operators that a rule stands for. */
const elementSteps = ({ family }: Task): number => sharedOf(ELEMENT_STEPS, family);

/** The verdict on a rule that holds for one element of each type. */
function proved(
  { rule, regime, m }: Task,
  { dtypes }: Bound,
  { instances, reads }: Finding,
  also: string,
): Verdict {
  const known = `one element stands for all shapes; ${regimeText(regime)}; ${instances} choices of element types${also}`;
  const typical = [
    ...(reads.has('values') ? ['constants and bounds'] : []),
    ...(hasTypical(rule, m.ops) ? ['numbers in attributes'] : []),
    ...(dtypes === FEW_TYPES ? [`element types ${dtypes.join(', ')}`] : []),
  ];
  if (typical.length === 0) return { state: 'proved', reason: known };
  return { state: 'proved up to a bound', reason: `${known}; typical ${typical.join(' and ')}` };
}

/** Whether the left side takes attributes of which only typical values are tried. */
const hasTypical = (rule: Rule, ops: OpTable): boolean =>
  rule.equations
    .flatMap(({ left }) => callsIn(left))
    .some(({ op, attrs, rest }) =>
      (ops.get(op)?.attrs.fields ?? []).some(({ name }) => {
        const own = attrs.get(name);
        const isTaken = own === undefined ? rest !== undefined : isAttrHole(own);
        return isTaken && isTypical(ops, op, name);
      }),
    );

/** The holes that only say which shape a tensor filled with one value has. */
function shapeHoles({ computed, equations }: Rule, ops: OpTable): ReadonlySet<string> {
  const calls = equations.flatMap(({ right }) => callsIn(right));
  const isShape = (hole: string): boolean =>
    calls.every(
      ({ op, attrs, rest }) =>
        [...attrs].every(
          ([field, value]) =>
            !(isAttrHole(value) && value.name === hole) ||
            (field === 'shape' && ops.read(kindColumn, op) === 'elementwise'),
        ) && rest !== hole,
    );
  const holes = calls.flatMap(({ attrs }) => [...attrs.values()].filter(isAttrHole));
  return new Set(
    holes.map(({ name }) => name).filter((name) => computed.has(name) && isShape(name)),
  );
}

const failed = ({ regime }: Task, { state, detail }: Finding): Verdict =>
  state === 'differ'
    ? { state: 'refuted', reason: `${regimeText(regime)}: ${detail}` }
    : { state: 'tested', reason: detail };

/** The bounds that are tried one after another, until there are too many instances. */
const BOUNDS: ReadonlyArray<Omit<Bound, 'dtypes'>> = [
  { maxRank: 1, sizes: [2] },
  { maxRank: 1, sizes: [1, 2] },
  { maxRank: 2, sizes: [0, 2] },
  { maxRank: 2, sizes: [1, 2] },
  { maxRank: 2, sizes: [1, 2, 3] },
  { maxRank: 3, sizes: [2] },
  { maxRank: 3, sizes: [1, 2] },
  { maxRank: 3, sizes: [1, 2, 3] },
  { maxRank: 4, sizes: [1, 2] },
];

/** The bounds that are tried where none of the others has an instance: products of large tensors. */
const HIGH_BOUNDS: ReadonlyArray<Omit<Bound, 'dtypes'>> = [
  { without: [], maxRank: 2, sizes: [2] },
  { without: [2], maxRank: 3, sizes: [2] },
  { without: [2, 3], maxRank: 4, sizes: [2] },
];

/** The calls of operators that may be tried at one bound. */
const STEPS = 20_000;
/** The steps that a match counts for. */
const STEPS_OF_A_MATCH = 10;

/** All instances up to the largest bound that is not too large. */
async function proveShapes(task: Task): Promise<Verdict> {
  for (const dtypes of [['float32'], FEW_TYPES] as const) {
    const verdict =
      (await proveUpTo(task, BOUNDS, dtypes, task.steps)) ??
      (await proveUpTo(task, HIGH_BOUNDS, dtypes, task.steps / 2));
    if (verdict !== undefined) return verdict;
  }
  return UNMET;
}

/** The verdict at the last of several bounds with instances, until there are too many. */
async function proveUpTo(
  task: Task,
  bounds: typeof BOUNDS,
  dtypes: Bound['dtypes'],
  steps: number,
): Promise<Verdict | undefined> {
  let best: Verdict | undefined;
  let last = { count: 1, steps: 0 };
  for (const size of bounds) {
    const bound: Bound = { ...size, dtypes };
    const count = typeCount(bound);
    // The steps grow with the types of the holes, or faster.
    if ((last.steps * count) / last.count > steps) break;
    try {
      const found = await explore(task, bound, steps);
      last = { count, steps: found.steps };
      if (found.state !== 'equal') return failed(task, found);
      if (found.instances > 0) best = upTo(task, bound, found);
    } catch (error) {
      if (error instanceof TooMany) break;
      // Not every operator has a value for tensors without elements.
      if (!(error instanceof NoMeaning && bound.sizes.includes(0))) throw error;
    }
  }
  return best;
}

function upTo(
  { rule, regime, m }: Task,
  bound: Bound,
  { areSame, instances, reads }: Finding,
): Verdict {
  const constants = reads.has('values') ? ', typical constants' : '';
  const how = areSame ? 'the same elements in the same places' : regimeText(regime);
  return {
    state: 'proved up to a bound',
    reason: `${how}; all ${instances} instances of ${boundText({ ...bound, dtypes: dtypesIn(rule, bound, m.ops) })}${constants}`,
  };
}

/** The element types of instances: arguments of operators on quantized integers have their own. */
function dtypesIn({ equations }: Rule, { dtypes }: Bound, ops: OpTable): Bound['dtypes'] {
  const own = equations
    .flatMap(({ left }) => callsIn(left))
    .filter(({ op }) => rolesOf(ops, op) !== undefined)
    .flatMap(({ op, args }) => args.flatMap((_, i) => kindsIn(ops, op, i)));
  return [...new Set([...dtypes, ...own.map(({ dtype }) => dtype)])];
}

/** A match, with its right sides. */
interface Case {
  readonly match: Match;
  readonly rights: ReadonlyArray<Expr>;
}

/** The cases of one instance, found once for all bounds. */
interface CasesOfInstance {
  readonly cases: ReadonlyArray<Case>;
  /** What the conditions looked at. */
  readonly reads: ReadonlySet<Read>;
}

function casesOfInstance(task: Task, free: Asked['free'], instance: Instance): CasesOfInstance {
  const reads = new Set<Read>();
  const cases: Case[] = [];
  for (const match of matchesOf(task.m, { rule: task.rule, free, reads }, instance)) {
    const rights = rightsOf(task, match);
    if (rights !== undefined) cases.push({ match, rights });
  }
  return { cases, reads };
}

/**
 * All cases up to a bound.
 *
 * **Errors** throws `TooMany`.
 */
function casesOf(task: Task, bound: Bound, budget: Budget, reads: Set<Read>): ReadonlyArray<Case> {
  const free = shapeHoles(task.rule, task.m.ops);
  const cases: Case[] = [];
  for (const instance of instancesOf(task.rule, bound, budget, task.calls)) {
    const found = task.cases.get(instance.key) ?? casesOfInstance(task, free, instance);
    task.cases.set(instance.key, found);
    for (const read of found.reads) reads.add(read);
    budget.steps -= STEPS_OF_A_MATCH * found.cases.length;
    cases.push(...found.cases);
  }
  return cases;
}

/** Judges all cases up to a bound, each once for all bounds. */
async function explore(task: Task, bound: Bound, steps: number): Promise<Finding> {
  const reads = new Set<Read>();
  const budget = { steps };
  const cases = casesOf(task, bound, budget, reads);
  const taken = steps - budget.steps;
  const instances = cases.length;
  let areSame = true;
  for (const { match, rights } of cases) {
    const judged = task.judged.get(match.key) ?? (await judgeMatch(task, match, rights));
    task.judged.set(match.key, judged);
    areSame &&= judged.areSame;
    const { state, detail } = judged;
    if (state !== 'equal') return { state, instances, steps: taken, reads, detail, areSame };
  }
  return { state: 'equal', instances, steps: taken, reads, detail: '', areSame };
}
