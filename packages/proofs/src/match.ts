/** Whether the two sides of one match of a rule are equal. */
import { describeType, type Expr, type IRModule, type Type, typeOf } from '@baton/ir';
import { staticTensor } from '@baton/ops';
import { applyRule, type CompiledRule, IN_PLACE, type Term } from '@baton/rewrites';
import { isFloat, toNumbers } from '@baton/tensor';
import type { Match } from './conditions.ts';
import type { Judge, Regime } from './equal.ts';
import { termsOf } from './evaluate.ts';
import { NoMeaning } from './kernels.ts';
import type { Terms } from './terms.ts';
import { indexText, symbolic, type TermValue, tensorsIn } from './values.ts';

/** What is needed to compare the sides of a rule. */
export interface Sides {
  readonly compiled: CompiledRule;
  readonly m: IRModule;
  readonly terms: Terms;
  readonly judge: Judge;
  readonly regime: Regime;
}

/** What is known of one match. */
export interface Judged {
  readonly state: 'equal' | 'differ' | 'unknown';
  /** A counterexample, or the reason why nothing is known. */
  readonly detail: string;
  /** Whether both sides are the same elements, without a computation that the solver compared. */
  readonly areSame: boolean;
}

/** Whether an expression is a constant with an infinity or NaN. */
const isNoReal = (expr: Expr): boolean =>
  expr._tag === 'Constant' &&
  isFloat(expr.data.dtype) &&
  ![...toNumbers(expr.data)].every(Number.isFinite);

/**
 * The right sides of a match; `undefined` if the engines refuse the step, or it is no matter of real
 * numbers where these are meant.
 */
export function rightsOf(
  { compiled, m, regime }: Sides,
  { instance, terms: holes, attrs }: Match,
): ReadonlyArray<Expr> | undefined {
  if (regime.floats === 'real' && [...holes.values()].some(isNoReal)) return undefined;
  const bindings = { terms: new Map(holes), attrs: new Map(attrs), nodes: [] };
  // The conditions have been asked, with constants that stand for any values.
  const plain = {
    ...compiled,
    rule: { ...compiled.rule, when: [], profitable: [], computed: new Map() },
  };
  const step = applyRule(m, plain, instance.roots, bindings, IN_PLACE);
  return typeof step === 'string' ? undefined : step.results;
}

/** Whether both sides of a match are equal. */
export async function judgeMatch(
  sides: Sides,
  match: Match,
  rights: ReadonlyArray<Expr>,
): Promise<Judged> {
  const { m, terms } = sides;
  const variables = valuesOf(sides, match);
  let areSame = true;
  for (const [i, root] of match.instance.roots.entries()) {
    const left = termsOf(root, variables, terms, m.ops);
    const right = termsOf(rights[i] as Expr, variables, terms, m.ops);
    const judged = await judgeValues(sides, left, right);
    areSame &&= judged.areSame;
    if (judged.state === 'equal') continue;
    return { ...judged, detail: judged.detail.replace('…', matchText(m, match)) };
  }
  return { state: 'equal', detail: '', areSame };
}

/** Whether two values are equal. The place of the match in a counterexample is left open. */
async function judgeValues(
  { terms, judge, regime }: Sides,
  left: TermValue,
  right: TermValue,
): Promise<Judged> {
  const others = tensorsIn(right);
  let areSame = true;
  for (const [k, { shape, elements }] of tensorsIn(left).entries()) {
    for (const [at, element] of elements.entries()) {
      const other = others[k]?.elements[at] ?? terms.number(Number.NaN, 'float64');
      areSame &&= element === other;
      const answer = await judge.isEqual(element, other, regime, terms);
      if (answer._tag === 'Unknown') return { state: 'unknown', detail: answer.reason, areSame };
      if (answer._tag === 'Equal') continue;
      const place = shape.length === 0 ? '' : `element ${indexText(at, shape)} of `;
      return { state: 'differ', detail: `${place}…: ${answer.values}`, areSame };
    }
  }
  return { state: 'equal', detail: '', areSame };
}

/** The values of the variables of an instance: any, but for the constants whose values matter. */
function valuesOf(
  { m, terms }: Sides,
  { instance, terms: holes, ranges }: Match,
): Map<Expr, TermValue> {
  const found = new Map<Expr, TermValue>();
  for (const [name, expr] of instance.terms) {
    const hole = holes.get(name);
    const value =
      hole?._tag === 'Constant'
        ? termsOf(hole, new Map(), terms, m.ops)
        : symbolOf(name, typeOf(m, expr), terms, ranges.get(name));
    found.set(expr, value);
  }
  return found;
}

function symbolOf(
  name: string,
  type: Type | undefined,
  terms: Terms,
  range: Term['range'],
): TermValue {
  const known = type && staticTensor(type);
  if (known === undefined) throw new NoMeaning('a hole is no tensor of known shape');
  const bounds = range && ([Number(range[0]), Number(range[1])] as const);
  return symbolic(terms, name, known, bounds);
}

/** A match in words. */
function matchText(m: IRModule, { instance, terms: holes, attrs }: Match): string {
  const shown = [...instance.terms].map(([name, expr]) => {
    const type = typeOf(m, expr);
    const constant = holes.get(name)?._tag === 'Constant' ? ', a constant' : '';
    return `${name}: ${type === undefined ? '?' : describeType(type)}${constant}`;
  });
  const values = [...attrs].map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [...shown, ...values].join(', ');
}
