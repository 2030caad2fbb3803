/** Whether two terms are equal for all values of their symbols. */
import { isFloat } from '@baton/tensor';
import type { Theories } from './literals.ts';
import { numberOf, ORDINARY, points, SPECIAL } from './numeric.ts';
import { isSameFraction } from './rational.ts';
import { bitForm, type Logs, realForm } from './real.ts';
import { differs, type Freedoms, type Query } from './smt.ts';
import type { Session } from './solver.ts';
import { type SymbolTerm, subterms, type Term, type Terms } from './terms.ts';

/** An answer about an equation. */
export type Answer =
  | { readonly _tag: 'Equal'; readonly by: string }
  | { readonly _tag: 'Differ'; readonly values: string }
  | { readonly _tag: 'Unknown'; readonly reason: string };

/** How an equation is understood. */
export interface Regime {
  readonly floats: Theories['floats'];
  readonly freedoms: Freedoms;
}

/** Answers about equations, each asked once. */
export interface Judge {
  /** Whether two terms of one builder are equal. */
  readonly isEqual: (left: Term, right: Term, regime: Regime, terms: Terms) => Promise<Answer>;
}

/** Asks the solver. */
export function makeJudge(solver: Session): Judge {
  const known = new Map<string, Promise<Answer>>();
  return {
    isEqual: async (left, right, regime, terms) => {
      if (left === right) return { _tag: 'Equal', by: 'the same term' };
      const key = `${JSON.stringify(regime)} ${shapeOf(left, right)}`;
      const old = known.get(key);
      if (old !== undefined) return old;
      const answer = judged(solver, left, right, regime, terms);
      known.set(key, answer);
      // A counterexample names the symbols of this equation.
      if ((await answer)._tag === 'Differ') known.delete(key);
      return answer;
    },
  };
}

/** Two terms as a text, the same for all that differ in the names of symbols only. */
function shapeOf(...roots: ReadonlyArray<Term>): string {
  const places = new Map<Term, number>();
  const parts = subterms(...roots).map((term) => {
    places.set(term, places.size);
    if (term._tag === 'Symbol') return `? ${term.dtype} ${term.range}`;
    if (term._tag === 'Number') {
      return `${Object.is(term.value, -0) ? '-0' : term.value} ${term.dtype}`;
    }
    const args = term.args.map((arg) => places.get(arg)).join(' ');
    return `${term.kind} ${term.dtype} ${args} ${term.name}`;
  });
  return `${parts.join(',')} ${roots.map((root) => places.get(root)).join(' ')}`;
}

/** The forms of a question: first integers without an end, then bits. */
function questions(l: Term, r: Term, regime: Regime): ReadonlyArray<Query | undefined> {
  const hasInts = subterms(l, r).some(({ dtype }) => !isFloat(dtype) && dtype !== 'bool');
  const ask = (ints: Theories['ints']): Query | undefined =>
    differs(l, r, { floats: regime.floats, ints }, regime.freedoms);
  return hasInts ? [ring(l, r) ? ask('ring') : undefined, ask('bits')] : [ask('bits')];
}

/** Whether nodes only add and multiply. */
const ring = (...terms: ReadonlyArray<Term>): boolean =>
  subterms(...terms).every((term) => term._tag !== 'Node' || RING.has(term.kind));

const RING: ReadonlySet<string> = new Set(['add', 'sub', 'mul', 'neg', 'sum', 'wrap']);

async function judged(
  solver: Session,
  left: Term,
  right: Term,
  regime: Regime,
  terms: Terms,
): Promise<Answer> {
  if (regime.freedoms.noInfinity && subterms(left).some(isInfinity)) {
    return { _tag: 'Equal', by: 'no infinity is given or made' };
  }
  const counter = counterexample(left, right, regime);
  if (counter !== undefined) return { _tag: 'Differ', values: counter };
  let unknown: Answer = { _tag: 'Unknown', reason: 'an operator without a meaning in this theory' };
  for (const [l, r] of formsOf(left, right, regime, terms)) {
    if (l === r) return { _tag: 'Equal', by: 'laws of functions' };
    if (regime.floats === 'real' && isSameFraction(l, r)) {
      return { _tag: 'Equal', by: 'the same fraction' };
    }
    const answer = await answered(solver, questions(l, r, regime));
    if (answer?._tag === 'Equal' || answer?._tag === 'Differ') return answer;
    unknown = answer ?? unknown;
  }
  return unknown;
}

const isInfinity = (term: Term): boolean =>
  term._tag === 'Number' && Math.abs(term.value) === Number.POSITIVE_INFINITY;

/** Both terms in the forms that are compared one after another. */
function formsOf(
  left: Term,
  right: Term,
  { floats, freedoms }: Regime,
  terms: Terms,
): ReadonlyArray<readonly [Term, Term]> {
  if (floats === 'ieee') return [[bitForm(left, terms, freedoms), bitForm(right, terms, freedoms)]];
  const form = (logs: Logs): readonly [Term, Term] => [
    realForm(left, terms, logs),
    realForm(right, terms, logs),
  ];
  const [whole, parts] = [form('whole'), form('parts')];
  return whole.every((side, i) => side === parts[i]) ? [whole] : [whole, parts];
}

/** What the solver says to one question after another. */
async function answered(
  solver: Session,
  asked: ReadonlyArray<Query | undefined>,
): Promise<Answer | undefined> {
  let reason: string | undefined;
  for (const query of asked) {
    if (query === undefined) continue;
    const { answer, model } = await solver.check(query.text);
    if (answer === 'unsat') return { _tag: 'Equal', by: 'Z3' };
    if (answer === 'unknown') reason = 'Z3 gave up';
    else if (query.isVague) reason = 'functions of which too little is known';
    else return { _tag: 'Differ', values: valuesIn(model, query.symbols) };
  }
  return reason === undefined ? undefined : { _tag: 'Unknown', reason };
}

/** The values of symbols in a model, which says `s0 -> 1.0` in lines. */
function valuesIn(model: string, symbols: ReadonlyArray<SymbolTerm>): string {
  const found = [...model.matchAll(/^s(\d+) -> (.*)$/gm)];
  return found.map(([, i, value]) => `${symbols[Number(i)]?.name} = ${value}`).join(', ');
}

/** Values for which two terms differ in numbers. */
export function counterexample(left: Term, right: Term, regime: Regime): string | undefined {
  const symbols = subterms(left, right).filter(
    (term): term is SymbolTerm => term._tag === 'Symbol',
  );
  const given = regime.floats === 'real' ? [ORDINARY, SPECIAL] : [SPECIAL, ORDINARY];
  for (const from of given) {
    for (const values of points(symbols, from)) {
      const isExact = regime.floats === 'ieee';
      const l = numberOf(left, values, isExact ? 'stored' : 'wide');
      const r = numberOf(right, values, isExact ? 'stored' : 'wide');
      if (l === undefined || r === undefined) continue;
      if (isExcused(values, [l, r], regime.freedoms) || agree(l, r, regime, from === SPECIAL))
        continue;
      const shown = [...values].map(([{ name }, value]) => `${name} = ${text(value)}`).join(', ');
      return `${shown}: ${text(l)} and ${text(r)}`;
    }
  }
  return undefined;
}

const text = (value: number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Whether the freedoms allow any result for these values. */
function isExcused(
  values: ReadonlyMap<SymbolTerm, number>,
  results: ReadonlyArray<number>,
  { noNaN, noInfinity }: Freedoms,
): boolean {
  const all = [...values.values(), ...results];
  if (noNaN && all.some(Number.isNaN)) return true;
  return noInfinity && all.some((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
}

/** The relative distance that is taken for rounding of doubles. */
const NOISE = 1e-6;

function agree(l: number, r: number, { floats, freedoms }: Regime, isSpecial: boolean): boolean {
  if (Object.is(l, r)) return true;
  if (l === 0 && r === 0) return freedoms.zeros;
  if (floats === 'ieee') return false;
  if (!Number.isFinite(l) || !Number.isFinite(r)) {
    // Where a real number is divided by 0 a proof over the reals says nothing, the special points do.
    return !isSpecial && !Number.isFinite(l);
  }
  return Math.abs(l - r) <= NOISE * Math.max(1, Math.abs(l), Math.abs(r));
}
