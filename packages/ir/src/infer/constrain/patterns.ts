/**
 * The types of pattern variables, from the type of the matched value:
 * [types §7](https://batonjs.github.io/baton/spec/types#7).
 */
import { describeType } from '../../describe/describe.ts';
import * as diagnose from '../../diagnostics.ts';
import type { Pattern, PatternConstructor, Var } from '../../expr/expr.ts';
import { holeArg, replaceTypeVars } from '../../types/instantiate.ts';
import { type Type, type TypeArg, tupleType, typeCall } from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import type { RuleContext } from './rule-context.ts';

/** Checks a pattern against a type; `bind` receives the type of each variable. */
export function checkPattern(
  pattern: Pattern,
  type: Type,
  c: RuleContext,
  bind: (v: Var, type: Type) => void,
): void {
  const pending: [Pattern, Type][] = [[pattern, type]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [at, against] = next;
    if (at._tag === 'PatternVar') bind(at.variable, against);
    if (at._tag === 'PatternWildcard' || at._tag === 'PatternVar') continue;
    const parts =
      at._tag === 'PatternTuple' ? fieldTypes(at, against, c) : inputTypes(at, against, c);
    for (let i = at.patterns.length - 1; i >= 0; i--) {
      pending.push([at.patterns[i] as Pattern, parts?.[i] ?? c.solver.fresh()]);
    }
  }
}

function fieldTypes(
  pattern: Extract<Pattern, { readonly _tag: 'PatternTuple' }>,
  type: Type,
  c: RuleContext,
): ReadonlyArray<Type> | undefined {
  const head = c.solver.head(type);
  const size = pattern.patterns.length;
  if (head._tag === 'TupleType' && head.fields.length === size) return head.fields;
  const fields = pattern.patterns.map(() => c.solver.fresh());
  return match(pattern, `a pattern of ${size} fields`, head, tupleType(fields), c)
    ? fields
    : undefined;
}

function inputTypes(
  pattern: PatternConstructor,
  type: Type,
  c: RuleContext,
): ReadonlyArray<Type> | undefined {
  const { ctor, patterns, span } = pattern;
  const definition = c.module.typeDefinitions.get(ctor.belongTo.nameHint);
  if (definition === undefined) {
    c.report(diagnose.undefinedAdt(ctor.belongTo.nameHint, span));
    return undefined;
  }
  if (patterns.length !== ctor.inputs.length) {
    c.report(diagnose.patternArity(ctor.nameHint, ctor.inputs.length, patterns.length, span));
  }
  const head = c.solver.head(type);
  const isSame = head._tag === 'TypeCall' && head.func.nameHint === ctor.belongTo.nameHint;
  const args =
    isSame && head.args.length === definition.typeVars.length
      ? head.args
      : definition.typeVars.map((v) => holeArg(c.solver.fresh(v.kind)));
  if (
    !isSame &&
    !match(pattern, `the pattern ${ctor.nameHint}`, head, typeCall(ctor.belongTo, args), c)
  ) {
    return undefined;
  }
  const replacement = replaceTypeVars(
    new Map<TypeVar, TypeArg>(definition.typeVars.map((v, i) => [v, args[i] as TypeArg])),
  );
  return ctor.inputs.map(replacement.type);
}

function match(pattern: Pattern, what: string, found: Type, wanted: Type, c: RuleContext): boolean {
  const merged = c.solver.tryUnify(wanted, found, () =>
    diagnose.patternMismatch(what, describeType(c.solver.resolve(found)), pattern.span),
  );
  return merged !== undefined;
}
