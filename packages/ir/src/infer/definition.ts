/** Inference of one definition: a global function, or several that call each other. */
import * as diagnose from '../diagnostics.ts';
import { func } from '../expr/construct.ts';
import type { Func } from '../expr/expr.ts';
import { isClosed } from '../types/type.ts';
import type { Group } from './collect/collect.ts';
import { constrain } from './constrain/constrain.ts';
import type { Constraints } from './constrain/constraints.ts';
import { generalizeGroup, type Member } from './generalize/group.ts';
import { OUTERMOST_LEVEL } from './solve/holes.ts';
import { settleDims, settleLiterals } from './solve/settle.ts';
import { reportEscapes, reportOpen } from './write/report-open.ts';
import { write } from './write/write.ts';

/** The most rounds in which a group's functions may find more constraints for their own calls. */
const MAX_ROUNDS = 4;

/** The functions with types throughout; `undefined` after reporting errors. `found` is used again. */
export function inferDefinition(group: Group, found: Constraints): Group | undefined {
  let current = group;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    constrain(current, found);
    // What the rest lacks follows from the copy that was refused and reported.
    if (found.solver.budget.isSpent) return undefined;
    settle(found);
    tellTypes(found);
    if (found.reports === 0) reportEscapes(found);
    if (found.reports === 0) reportOpen(found);
    if (found.reports > 0 || found.isSilenced) return undefined;
    const restated = withOwnConstraints(found);
    const functions = write(found);
    if (restated === undefined) return functions;
    current = restated;
  }
  for (const [name, f] of group) found.run.report(diagnose.growingConstraints(name, f.span));
  return undefined;
}

/** Calls `onType` with the types of the nodes kept aside. */
function tellTypes({ late, run, solver }: Constraints): void {
  const { onType } = run;
  if (onType === undefined) return;
  for (const { node, type } of late) if (type !== undefined) onType(node, solver.resolve(type));
}

/** The third and fourth phases: the remaining open types, and the types of the functions. */
function settle(d: Constraints): void {
  const { solver, run } = d;
  settleLiterals(solver);
  for (const finish of d.unsettled) finish();
  if (d.unsettled.length > 0) settleLiterals(solver);
  if (run.generalizes && d.reports === 0 && !d.isSilenced) {
    const members: Member[] = [];
    for (const [name, f] of d.group) {
      members.push({
        name,
        function: f,
        type: d.typeOf(f),
        isStated: d.view.signature(name) !== undefined,
        mark: d.marks[members.length] as number,
      });
    }
    const types = generalizeGroup(members, d.openConstraints, solver, d.report);
    members.forEach(({ function: f, type: old }, i) => {
      const type = types[i] ?? old;
      if (type !== old || d.lateType(f) !== undefined) d.keep(f, type);
    });
  } else settleDims(OUTERMOST_LEVEL, solver);
  for (const one of d.late) {
    if (one.type !== undefined && !isClosed(one.type)) one.type = solver.resolve(one.type);
  }
}

/** The functions with the constraints that their own recursive calls add, if there are any. */
function withOwnConstraints(d: Constraints): Group | undefined {
  let next: Map<string, Func> | undefined;
  for (const name of d.called) {
    const f = d.group.get(name);
    if (f === undefined || d.openTypes.has(name)) continue;
    const type = d.lateType(f);
    if (type?._tag !== 'FuncType' || type.constraints.length === f.constraints.length) continue;
    const { constraints, typeParams } = type;
    next ??= new Map(d.group);
    next.set(name, func(f.params, f.body, { ...f, constraints, typeParams }));
  }
  return next;
}
