/** The fourth phase: the most general types of the functions of a group. */
import type { Diagnostic } from '@baton/base';
import * as diagnose from '../../diagnostics.ts';
import type { Func } from '../../expr/expr.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import type { FuncType, Type } from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';
import { spanOf } from '../solve/relations.ts';
import { isOpen, type Pending, type Solver } from '../solve/solver.ts';
import { additionsOf, type Generalized, generalize, generalType } from './generalize.ts';

export interface Member {
  readonly name: string;
  readonly function: Func;
  readonly type: Type;
  /** Whether its annotations state a signature. */
  readonly isStated: boolean;
  /** The number of waiting relations at the start of its body. */
  readonly mark: number;
}

/** The types of the functions; `open` has constraints of inner functions about unknown types. */
export function generalizeGroup(
  members: ReadonlyArray<Member>,
  open: ReadonlyArray<Pending>,
  solver: Solver,
  report: (d: Diagnostic) => void,
): ReadonlyArray<FuncType | undefined> {
  const types = members.map((one) => one.type);
  const declared = members.flatMap((one) => one.function.typeParams);
  const gained = generalize(types, declared, { level: OUTERMOST_LEVEL, mark: 0 }, solver);
  for (const one of gained.constraints) solver.assume(one);
  for (const one of open) solver.check(one);
  reportUnproved(solver, report);
  const isTooLarge = reportSize(members, gained, report);
  if (isTooLarge) return members.map(() => undefined);
  // All functions without a signature have one list of parameters and one of relations.
  const shared = additionsOf(gained, solver);
  const parts: GainedParts = {
    relations: new Set(gained.constraints),
    numbers: new Map(gained.typeParams.map((v, i) => [v, i])),
  };
  return members.map(({ type, isStated, mark }, i) => {
    const resolved = solver.resolve(type);
    if (resolved._tag !== 'FuncType') return undefined;
    if (!isStated) return generalType(resolved, shared, solver);
    const own = ownPart(parts, solver.pending.slice(mark, members[i + 1]?.mark), solver);
    return generalType(resolved, additionsOf(own, solver), solver);
  });
}

/** The most type parameters and relations of a group together: each function has all of them. */
const MAX_GROUP_PARTS = 2 ** 24;

/** Reports a group whose functions would have too many type parameters and relations. */
function reportSize(
  members: ReadonlyArray<Member>,
  { typeParams, constraints }: Generalized,
  report: (d: Diagnostic) => void,
): boolean {
  const open = members.filter((one) => !one.isStated);
  const [first] = open;
  const parts = typeParams.length + constraints.length;
  if (first === undefined || open.length * parts <= MAX_GROUP_PARTS) return false;
  const { name, function: f } = first;
  report(diagnose.groupTooLarge(name, open.length, parts, MAX_GROUP_PARTS, f.span));
  return true;
}

interface GainedParts {
  readonly relations: ReadonlySet<Pending>;
  readonly numbers: ReadonlyMap<TypeVar, number>;
}

/** The additions to a function with a signature: its relations, and the parameters in them. */
function ownPart(
  { relations, numbers }: GainedParts,
  own: ReadonlyArray<Pending>,
  solver: Solver,
): Generalized {
  const constraints = own.filter((one) => relations.has(one));
  const args = constraints.flatMap((one) => one.relation.args.map(solver.resolve));
  const typeParams = freeTypeVarsOf(args).filter((v) => numbers.has(v));
  const numberOf = (v: TypeVar): number => numbers.get(v) ?? 0;
  return { typeParams: typeParams.sort((a, b) => numberOf(a) - numberOf(b)), constraints };
}

/** Reports demands on type parameters that no surrounding function declares. */
function reportUnproved(solver: Solver, report: (d: Diagnostic) => void): void {
  for (const one of solver.pending) {
    if (!isOpen(one)) continue;
    const { name, args } = solver.holes.resolveRelation(one.relation);
    const [v] = freeTypeVarsOf(args);
    if (v !== undefined) report(diagnose.unprovedConstraint(name, v.nameHint, spanOf(one.span)));
  }
}
