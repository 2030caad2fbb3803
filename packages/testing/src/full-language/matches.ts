/** Matches, complete by construction. */
import {
  type Clause,
  type Constructor,
  call,
  clause,
  type Expr,
  globalVar,
  ifElse,
  letIn,
  match,
  type Pattern,
  scalarType,
  type Type,
  type Var,
  variable,
} from '@baton/ir';
import { dataTypeOf, inputsOf } from './data-types.ts';
import { dataTypeNamed, type Env, type Form, someType, type TermSite, withLet } from './site.ts';

/** A value taken apart by cases, all of which are present. */
export const matchForm: Form = (site, type, env, fuel) => {
  const { random } = site.b;
  const all = [
    ...site.dataTypes,
    ...(site.library ? [site.library.list, site.library.option] : []),
  ];
  if (all.length === 0) return undefined;
  const chosen = random.pick(all);
  const scrutinee = dataTypeOf(
    chosen,
    chosen.data.typeVars.map(() => someType(site, 1)),
  );
  return withLet(site, scrutinee, env, fuel, (v) => {
    const scope = [...env, v];
    const clauses = random.shuffle(chosen.constructors).flatMap((ctor): Clause[] => {
      const inputs = inputsOf(chosen, ctor, scrutinee);
      const clauseOf = (isDeep: boolean): Clause => {
        const bound: Var[] = [];
        const patterns = inputs.map((input) => patternFor(site, input, bound, isDeep));
        const body = site.term(type, [...scope, ...bound], fuel);
        return clause(constructorPattern(ctor, patterns), body);
      };
      // A deeper pattern may fail; the one after it does not.
      return random.chance(0.25) ? [clauseOf(true), clauseOf(false)] : [clauseOf(false)];
    });
    return match(v, withCatchAll(site, clauses, type, scope, fuel), random.chance(0.85));
  });
};

/** Sometimes merges the last clauses into one for everything. */
function withCatchAll(
  site: TermSite,
  clauses: ReadonlyArray<Clause>,
  type: Type,
  env: Env,
  fuel: number,
): ReadonlyArray<Clause> {
  const { random } = site.b;
  if (!random.chance(0.2)) return clauses;
  const rest = clause(WILDCARD, site.term(type, env, fuel));
  return [...clauses.slice(0, random.int(0, clauses.length)), rest];
}

/** A pattern that matches every value of the type; a deep one may demand a constructor. */
function patternFor(site: TermSite, type: Type, bound: Var[], isDeep: boolean): Pattern {
  const { random } = site.b;
  const variablePattern = (of: Type): Pattern => {
    if (random.chance(0.15)) return WILDCARD;
    const v = variable(random.pick(['h', 'k', 'm']), of);
    bound.push(v);
    return { _tag: 'PatternVar', variable: v, span: undefined };
  };
  if (isDeep && type._tag === 'TypeCall') {
    const chosen = dataTypeNamed(site, type);
    const ctor = random.pick(chosen.constructors);
    const patterns = inputsOf(chosen, ctor, type).map(variablePattern);
    return constructorPattern(ctor, patterns);
  }
  if (type._tag === 'TupleType' && type.fields.length > 0 && random.chance(0.5)) {
    return { _tag: 'PatternTuple', patterns: type.fields.map(variablePattern), span: undefined };
  }
  return variablePattern(type);
}

/**
 * The head of a list known to have one; elsewhere taking it fails. The call is demanded at several
 * places: in two branches after a case that has a head, or in two such cases. Before them it
 * is unknown whether there is a head.
 */
export const partialForm: Form = (site, type, env, fuel) => {
  const { library, b } = site;
  const cons = library?.list.constructors.find((c) => c.inputs.length > 0);
  const nil = library?.list.constructors.find((c) => c.inputs.length === 0);
  if (library === undefined || cons === undefined || nil === undefined) return undefined;
  return withLet(site, dataTypeOf(library.list, [type]), env, fuel, (list) => {
    const scope = [...env, list];
    const head = call(globalVar('hd'), [list]);
    const used = (): Expr => {
      const held = variable('h', type);
      return letIn(held, head, site.term(type, [...scope, held], fuel));
    };
    const choice = (yes: Expr, no: Expr): Expr =>
      ifElse(site.term(scalarType('bool'), scope, fuel), yes, no);
    const guarded = (chosen: Expr): Expr => {
      const other = site.term(type, scope, fuel);
      const some = constructorPattern(
        cons,
        cons.inputs.map(() => WILDCARD),
      );
      return match(list, [clause(some, chosen), clause(constructorPattern(nil, []), other)], true);
    };
    const kind = b.random.int(0, 4);
    if (kind < 2) return choice(guarded(kind === 0 ? head : used()), guarded(used()));
    return guarded(kind < 4 ? choice(head, used()) : head);
  });
};

const constructorPattern = (ctor: Constructor, patterns: ReadonlyArray<Pattern>): Pattern => ({
  _tag: 'PatternConstructor',
  ctor,
  patterns,
  span: undefined,
});

const WILDCARD: Pattern = { _tag: 'PatternWildcard', span: undefined };
