/** The fourth phase: the most general types of the functions of a group. */
import type { Diagnostic } from '@baton/base';
import * as diagnose from '../../diagnostics.ts';
import type { Func } from '../../expr/expr.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import type { FuncType, Type } from '../../types/type.ts';
import { OUTERMOST_LEVEL } from '../solve/holes.ts';
import { spanOf } from '../solve/relations.ts';
import { isOpen, type Pending, type Solver } from '../solve/solver.ts';
import { generalize, generalType } from './generalize.ts';

/** A function of the group. */
export interface Member {
  readonly function: Func;
  readonly type: Type;
  /** Whether its annotations state a signature. */
  readonly isStated: boolean;
  /** The number of waiting relations at the start of its body. */
  readonly mark: number;
}

/**
 * The resulting types of the functions, in their order. `open` holds constraints of inner functions
 * about types that were unknown there.
 */
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
  return members.map(({ type, isStated, mark }, i) => {
    const resolved = solver.resolve(type);
    if (resolved._tag !== 'FuncType') return undefined;
    if (!isStated) return generalType(resolved, gained, solver);
    const end = members[i + 1]?.mark;
    const own = members.length === 1 ? undefined : new Set(solver.pending.slice(mark, end));
    const constraints = gained.constraints.filter((one) => own?.has(one) !== false);
    const args = constraints.flatMap((one) => one.relation.args.map(solver.resolve));
    const mentioned = new Set(freeTypeVarsOf(args));
    const typeParams = gained.typeParams.filter((v) => mentioned.has(v));
    return generalType(resolved, { typeParams, constraints }, solver);
  });
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
