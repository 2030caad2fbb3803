/** Rules about any operator of a kind, as rules about each operator of a table. */
import { once, remember } from '@baton/base';
import type { OpTable } from '@baton/ir';
import { type CallPattern, operatorHole, type Pattern, partsOf, withParts } from '@baton/ops';
import { type Equation, lazyEquation, type OperatorTest, type Rule, ruleWith } from './rule.ts';

/**
 * The rule for each operator of a table that its holes for operators stand for; the rule itself if
 * it has no such hole. All have its name. `given` are the operators of some holes, where others than
 * these are not asked for.
 */
export function instancesOf(
  rule: Rule,
  ops: OpTable,
  given: Rule['chosen'] = rule.chosen,
): ReadonlyArray<Rule> {
  if (rule.operators.size === 0) return [rule];
  let choices: ReadonlyArray<Rule['chosen']> = [rule.chosen];
  for (const [hole, isMeant] of rule.operators) {
    const wanted = given.get(hole);
    choices = choices.flatMap((chosen) => {
      const all = operatorsOf(isMeant, ops, chosen);
      const names = wanted === undefined ? all : all.filter((name) => name === wanted);
      return names.map((name) => new Map([...chosen, [hole, name]]));
    });
  }
  return choices.map((chosen) => instanceOf(rule, chosen));
}

/** The operators of a table that a hole stands for; many rules have the same test. */
export function operatorsOf(
  isMeant: OperatorTest,
  ops: OpTable,
  chosen: Rule['chosen'],
): ReadonlyArray<string> {
  const found = (): ReadonlyArray<string> => {
    const holes = Object.fromEntries(chosen);
    return ops.names.filter((name) => isMeant(ops, name, holes));
  };
  if (isMeant.length > 2) return found();
  return remember(
    remember(known, ops, () => new WeakMap()),
    isMeant,
    found,
  );
}

const known = new WeakMap<OpTable, WeakMap<OperatorTest, ReadonlyArray<string>>>();

function instanceOf(rule: Rule, chosen: Rule['chosen']): Rule {
  const chosenIn = (p: Pattern): Pattern => withOperators(p, chosen);
  const equations = once((): Rule['equations'] => {
    const of = (equation: Equation): Equation =>
      lazyEquation(chosenIn(equation.left), () => chosenIn(equation.right));
    const [first, ...others] = rule.equations;
    return [of(first), ...others.map(of)];
  });
  return ruleWith(rule, {
    operators: new Map(),
    chosen,
    get equations() {
      return equations();
    },
  });
}

/** The pattern with operators in the place of their holes. */
function withOperators(p: Pattern, chosen: Rule['chosen']): Pattern {
  const parts = partsOf(p).map((part) => withOperators(part, chosen));
  // What a right side shares stays one pattern.
  const made = parts.every((part, i) => part === partsOf(p)[i]) ? p : withParts(p, parts);
  return made._tag === 'Call' ? withOperator(made, chosen) : made;
}

function withOperator(p: CallPattern, chosen: Rule['chosen']): CallPattern {
  const hole = operatorHole(p);
  return hole === undefined ? p : { ...p, op: chosen.get(hole) ?? p.op };
}
