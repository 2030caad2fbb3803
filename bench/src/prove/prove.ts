/** The verdict on a rule: a proof, a proof up to a bound, a test, or a counterexample. */
import { orThrow } from '@baton/base';
import { irModule, type OpTable } from '@baton/ir';
import { scalarColumn } from '@baton/ops';
import {
  type CompiledRule,
  compileRules,
  instancesOf as instancesOfOperators,
  type Pattern,
  type Rule,
} from '@baton/rewrites';
import { DTYPES } from '@baton/tensor';
import { type Match, matchesOf, type Read, RuleThrows } from './conditions.ts';
import { makeJudge, type Regime } from './equal.ts';
import { type Bound, boundText, type Instance, instancesOf, TooMany } from './instances.ts';
import { judgeMatch, type Sides } from './match.ts';
import { NoMeaning } from './operators.ts';
import type { Solver } from './solver.ts';
import { makeTerms } from './terms.ts';

/** What is known of a rule. */
export type State = 'proved' | 'proved up to a bound' | 'tested' | 'refuted';

/** A state, and how it is known or why no more is. */
export interface Verdict {
  readonly state: State;
  /** How it is known, or why no more is. */
  readonly reason: string;
}

/** Proves rules of one table of operators. */
export interface Prover {
  readonly prove: (rule: Rule) => Promise<Verdict>;
}

/** A prover that asks the solver, and tries so many calls of operators at one bound. */
export function makeProver(solver: Solver, ops: OpTable, steps: number = STEPS): Prover {
  const m = irModule({ ops });
  const proveOne = async (rule: Rule): Promise<Verdict> => {
    const [compiled] = orThrow(compileRules([rule], ops)) as [CompiledRule];
    const terms = makeTerms();
    const judge = makeJudge(solver, terms);
    const task: Task = { rule, compiled, m, terms, judge, regime: regimeOf(rule), steps };
    try {
      return isElementwise(task) ? await proveElement(task) : await proveShapes(task);
    } catch (error) {
      if (error instanceof NoMeaning) return { state: 'tested', reason: error.message };
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
      const verdicts: Verdict[] = [];
      for (const one of instancesOfOperators(rule, ops)) verdicts.push(await proveOne(one));
      return weakest(verdicts);
    },
  };
}

/** The states, best first. */
export const STATES: ReadonlyArray<State> = ['proved', 'proved up to a bound', 'tested', 'refuted'];

/** The verdict on a rule that stands for several. */
function weakest(verdicts: ReadonlyArray<Verdict>): Verdict {
  const rank = ({ state }: Verdict): number => STATES.indexOf(state);
  const [worst] = [...verdicts].sort((a, b) => rank(b) - rank(a));
  if (worst === undefined) return { state: 'tested', reason: 'no operator is meant' };
  if (verdicts.length === 1) return worst;
  return { ...worst, reason: `${worst.reason}; ${verdicts.length} operators` };
}

/** A rule to prove. */
interface Task extends Sides {
  readonly rule: Rule;
  /** The steps that are tried at one bound. */
  readonly steps: number;
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

/** All patterns of a rule, the inner ones with them. */
function patternsOf({ equations }: Rule): ReadonlyArray<Pattern> {
  const found: Pattern[] = equations.flatMap(({ left, right }) => [left, right]);
  for (const p of found) {
    if (p._tag === 'Call') found.push(...p.args);
    if (p._tag === 'Tuple') found.push(...p.fields);
    if (p._tag === 'Field') found.push(p.tuple);
    if (p._tag === 'Composite') found.push(p.body);
  }
  return found;
}

/** Whether each element of a result depends on elements at its own place alone. */
function isElementwise({ rule, m }: Task): boolean {
  return patternsOf(rule).every((p) => {
    if (p._tag !== 'Call') return p._tag !== 'Tuple' && p._tag !== 'Field';
    const form = m.ops.read(scalarColumn, p.op);
    return p.op === 'cast' || (form !== undefined && form.vectorAlong === undefined);
  });
}

/** What was found about all instances up to a bound. */
interface Finding {
  readonly state: 'equal' | 'differ' | 'unknown';
  readonly instances: number;
  readonly reads: ReadonlySet<Read>;
  readonly detail: string;
  /** Whether both sides are the same elements, without a computation. */
  readonly areSame: boolean;
}

/** One element stands for all: the operators broadcast, and both sides have one type. */
async function proveElement(task: Task): Promise<Verdict> {
  const { rule } = task;
  const bound: Bound = { maxRank: 0, sizes: [], dtypes: ELEMENT_TYPES };
  const isGuarded = rule.when.length > 0;
  if (rule.computed.size === 0) {
    const free = await explore(task, bound, 'any', ELEMENT_STEPS);
    if (free.instances > 0 && free.state === 'equal') {
      const also = isGuarded ? ', also where the condition does not hold' : '';
      return proved(task, `${typesText(free)}${also}`);
    }
    if (!isGuarded) return free.state === 'unknown' ? proveHalves(task, free) : failed(task, free);
  }
  const found = await explore(task, bound, 'matches', ELEMENT_STEPS);
  if (found.state === 'differ' || found.state === 'unknown' || found.reads.has('type')) {
    return found.instances > 0 && found.state !== 'equal' ? failed(task, found) : proveShapes(task);
  }
  if (found.instances === 0) return proveShapes(task);
  if (!found.reads.has('values')) return proved(task, typesText(found));
  return {
    state: 'proved up to a bound',
    reason: `one element stands for all; ${regimeText(task.regime)}; the constants that the condition looks at are 0, 1, -1, 2, 1/2, infinities and 2, 3, …`,
  };
}

/** What is too hard for floats of 64 bits may be found for those of 16. */
async function proveHalves(task: Task, whole: Finding): Promise<Verdict> {
  const bound: Bound = { maxRank: 0, sizes: [], dtypes: ['float16', 'bfloat16'] };
  const halves = await explore(task, bound, 'any', ELEMENT_STEPS);
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

const ELEMENT_STEPS = 100_000;

const proved = ({ regime }: Task, text: string): Verdict => ({
  state: 'proved',
  reason: `one element stands for all shapes; ${regimeText(regime)}; ${text}`,
});

const typesText = ({ detail }: Finding): string => detail;

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

/** The calls of operators that may be tried at one bound. */
const STEPS = 20_000;
/** The steps that a match counts for. */
const STEPS_OF_A_MATCH = 10;

/** All instances up to the largest bound that is not too large. */
async function proveShapes(task: Task): Promise<Verdict> {
  let best: { readonly bound: Bound; readonly found: Finding } | undefined;
  for (const dtypes of [['float32'], ['float32', 'int32', 'bool']] as const) {
    for (const size of BOUNDS) {
      const bound: Bound = { ...size, dtypes };
      try {
        const found = await explore(task, bound, 'matches', task.steps);
        if (found.state !== 'equal') return failed(task, found);
        if (found.instances > 0) best = { bound, found };
      } catch (error) {
        if (error instanceof TooMany) break;
        // Not every operator has a value for tensors without elements.
        if (!(error instanceof NoMeaning && bound.sizes.includes(0))) throw error;
      }
    }
    if (best !== undefined) break;
  }
  if (best === undefined) return { state: 'tested', reason: 'no instance among the small shapes' };
  const { bound, found } = best;
  const constants = found.reads.has('values') ? ', typical constants' : '';
  const how = found.areSame ? 'the same elements in the same places' : regimeText(task.regime);
  return {
    state: 'proved up to a bound',
    reason: `${how}; all ${found.instances} instances of ${boundText(bound)}${constants}`,
  };
}

/** Judges all instances up to a bound: any, or those that match. */
async function explore(
  task: Task,
  bound: Bound,
  which: 'any' | 'matches',
  steps: number,
): Promise<Finding> {
  const { rule, m } = task;
  const reads = new Set<Read>();
  const budget = { steps };
  let instances = 0;
  let areSame = true;
  for (const instance of instancesOf(rule, bound, m.ops, budget)) {
    for (const match of which === 'any'
      ? [unconditional(instance)]
      : matchesOf(m, rule, instance)) {
      for (const read of match.reads) reads.add(read);
      const answer = await judgeMatch(task, match);
      if (answer === undefined) continue;
      instances++;
      budget.steps -= STEPS_OF_A_MATCH;
      areSame &&= answer.areSame;
      const { state, detail } = answer;
      if (state !== 'equal') return { state, instances, reads, detail, areSame };
    }
  }
  const detail = `${instances} choices of element types`;
  return { state: 'equal', instances, reads, detail, areSame };
}

const unconditional = (instance: Instance): Match => ({
  instance,
  terms: instance.terms,
  attrs: instance.attrs,
  reads: new Set(),
});
