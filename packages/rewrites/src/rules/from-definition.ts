/** Rules made of the definitions of operators: a call is the expression that its formula says. */
import { fail, invariant, type Result } from '@baton/base';

import { type Attrs, type AttrValue, isStaticDim, type OpInfo } from '@baton/ir';
import { definitionColumn, type FactSite, type FormulaCase, standardOps } from '@baton/ops';
import { noDefinition } from '../diagnostics.ts';
import type { MatchedValue } from '../rule/matched-value.ts';
import type { MatchedHoles } from '../rule/names.ts';
import { type ComputedValue, ownRule, type Rule, type RuleOptions, rule } from '../rule/rule.ts';
import { numberLike, onlyNumberOf } from './facts.ts';

/** The parts of rules that a definition does not say. */
export interface DefinitionRuleOptions
  extends Pick<RuleOptions<string, string, string>, 'needs' | 'refines'> {
  /** The names of the rules, one for each of the definition's first formulas. @defaultValue one, of the operator's name */
  readonly names?: ReadonlyArray<string>;
}

/** The hole for all attributes of a call that a formula hands on. */
const ALL = 'attrs';

/**
 * The rules by which calls of an operator become what its definition says, one for each of its formulas.
 * They cost more than the call, so the greedy engine uses them only where it is asked to.
 */
export const rulesFromDefinition = (
  name: string,
  { names = [name], ...options }: DefinitionRuleOptions = {},
): ReadonlyArray<Result<Rule>> => {
  const op = standardOps.get(name);
  const cases = op && casesOf(op);
  invariant(op !== undefined && cases !== undefined, 'the definition of the operator is text');
  return names.map((rule, i) => ruleOf(op, cases, i, rule, options));
};

/**
 * The rule by which a call of an operator becomes what its definition says; or by which that is
 * recognized as a call of the operator, if nothing in it is computed.
 *
 * **Errors** `RULE_UNBOUND` if what is recognized does not tell all of the call.
 */
export function ruleFromDefinition(
  op: OpInfo,
  { recognizes = false }: { readonly recognizes?: boolean } = {},
): Result<Rule> {
  const cases = casesOf(op) ?? [];
  const [one] = cases;
  if (one === undefined) return fail(noDefinition(op.name));
  const { terms, attrs } = namesIn(one.formula.text);
  if (!recognizes) return ruleOf(op, cases, 0, op.name, {});
  const numbers = op.attrs.fields.map(({ name }) => name).filter((name) => terms.has(name));
  return rule(`${op.name} recognized`, one.formula.text, leftOf(op, one, attrs.has(ALL)) as never, {
    isDefinition: true,
    let: Object.fromEntries(numbers.map((name) => [name, numberIn(name)])),
  });
}

/** The text of the formula that defines the calls of an operator with these attributes. */
export function formulaFor(name: string, where: Attrs): string {
  const op = standardOps.get(name);
  const one = op && casesOf(op)?.find((each) => isAsGeneral(each, { ...each, where }));
  invariant(one !== undefined, `${name} has a formula of such calls`);
  return one.formula.text;
}

/** The text of a formula, with the expressions of `%0 = …;` in place of their names. */
export const inOneExpression = (text: string): string =>
  text
    .split(/;\s*/)
    .toReversed()
    .reduce((whole, statement) => {
      const [, name, value = ''] = /^(%\d+) = (.*)$/s.exec(statement.trim()) ?? [];
      return name === undefined ? whole : whole.replaceAll(name, value);
    });

/** The number that a term of this name is. */
const numberIn =
  (name: string) =>
  (holes: MatchedHoles): number | undefined =>
    onlyNumberOf(holes[name] as MatchedValue);

/** The formulas of an operator's definition. */
const casesOf = (op: OpInfo): ReadonlyArray<FormulaCase<Attrs>> | undefined => {
  const cases = op.facets.get(definitionColumn.name);
  return Array.isArray(cases) ? cases : undefined;
};

function ruleOf(
  op: OpInfo,
  cases: ReadonlyArray<FormulaCase<Attrs>>,
  index: number,
  name: string,
  options: Omit<DefinitionRuleOptions, 'names'>,
): Result<Rule> {
  const one = cases[index];
  invariant(one !== undefined, 'the definition has so many formulas');
  const { terms, attrs } = namesIn(one.formula.text);
  const inputs = op.inputs.map((input) => input.name);
  const site = siteIn(inputs, one.where);
  const computed = new Map<string, (holes: MatchedHoles) => ComputedValue>();
  for (const [hole, compute] of one.computed) {
    if (!terms.has(hole) && !attrs.has(hole)) continue;
    computed.set(hole, (holes) => ifKnown(() => compute(site(holes))));
  }
  for (const hole of terms) {
    if (inputs.includes(hole) || computed.has(hole)) continue;
    computed.set(hole, (holes) =>
      numberLike(holes[inputs[0] ?? ''] as MatchedValue, Number(holes[hole])),
    );
  }
  const holds = (when: Condition) => (holes: MatchedHoles) =>
    ifKnown(() => when(site(holes))) === true;
  const earlier = cases.slice(0, index).filter((each) => isAsGeneral(each, one));
  return ownRule(name, leftOf(op, one, attrs.has(ALL)), one.formula.text, {
    ...options,
    orient: 'canonical',
    isDefinition: true,
    let: Object.fromEntries(computed),
    when: one.when === undefined ? [] : holds(one.when),
    profitable: earlier
      .flatMap(({ when }) => when ?? [])
      .map((when) => (holes) => !holds(when)(holes)),
  });
}

/** The holes of a text for expressions and for attributes, which follow `=`; the text is parsed later. */
function namesIn(text: string): { readonly terms: Set<string>; readonly attrs: Set<string> } {
  const found = { terms: new Set<string>(), attrs: new Set<string>() };
  for (const [, equals, name = ''] of text.matchAll(/(=?)\?(\w+)/g)) {
    found[equals === '' ? 'terms' : 'attrs'].add(name);
  }
  return found;
}

type Condition = NonNullable<FormulaCase<Attrs>['when']>;

/** Whether a formula is for all attributes that another is for. */
const isAsGeneral = (a: FormulaCase<Attrs>, b: FormulaCase<Attrs>): boolean =>
  Object.entries(a.where).every(([name, value]) => b.where[name] === value);

/** The text of a call: its inputs and attributes are holes of their names, but for given attributes. */
function leftOf(
  { name, inputs, attrs }: OpInfo,
  { where }: FormulaCase<Attrs>,
  all: boolean,
): string {
  const args = inputs.map((input) => `?${input.name}`);
  const own = attrs.fields.flatMap((field) => {
    const given = where[field.name];
    if (given !== undefined) return [`${field.name}=${attrText(given)}`];
    return all ? [] : [`${field.name}=?${field.name}`];
  });
  return `${name}(${[...args, ...own, ...(all ? [`${ALL}=?${ALL}`] : [])].join(', ')})`;
}

function attrText(value: AttrValue): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** What a match knows of a call, as computed holes of definitions ask for it. */
const siteIn =
  (inputs: ReadonlyArray<string>, where: Attrs) =>
  (holes: MatchedHoles): FactSite<Attrs> => {
    const term = (index: number): MatchedValue => holes[inputs[index] ?? ''] as MatchedValue;
    const dims = (index: number) => term(index).dims ?? unknown();
    return {
      attrs: { ...(holes[ALL] as Attrs | undefined), ...(holes as Attrs), ...where },
      rank: (index) => dims(index).length,
      sizes: (index) => {
        const sizes = dims(index).filter(isStaticDim);
        return sizes.length === dims(index).length ? sizes : unknown();
      },
      dtype: (index) => term(index).dtype ?? unknown(),
      constant: (index) => term(index).constant,
    };
  };

/** Thrown where a match knows too little of its terms. */
class Unknown extends Error {}

function unknown(): never {
  throw new Unknown();
}

function ifKnown<A>(read: () => A): A | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}
