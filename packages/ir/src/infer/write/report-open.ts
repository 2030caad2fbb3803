/** Reports the open types of a definition: E15, and unbound variables. */
import type { Diagnostic } from '@baton/base';
import * as diagnose from '../../diagnostics.ts';
import type { Expr } from '../../expr/expr.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import { isClosed, mentionsTypeVars, type Type } from '../../types/type.ts';
import type { TypeVar } from '../../types/variable.ts';
import type { Around } from '../collect/entry.ts';
import { typedParts } from '../collect/part.ts';
import type { Constraints } from '../constrain/constraints.ts';

/** Reports the nodes whose types stayed open, as near to the cause as possible. */
export function reportOpen(d: Constraints): void {
  const isOpen = (node: Expr): boolean => {
    const type = d.lateType(node);
    return type !== undefined && !isClosed(type);
  };
  const hasOpenPart = (node: Expr): boolean =>
    (node._tag === 'Function' && node.params.some(isOpen)) || typedParts(node).some(isOpen);
  let first: Expr | undefined;
  let reported = false;
  for (const { node, binding, type } of d.late) {
    if (node._tag === 'Var' && binding === undefined) {
      d.report(diagnose.unboundVariable(node.nameHint, node.span));
      reported = true;
      continue;
    }
    if (d.isSilenced || type === undefined || isClosed(type)) continue;
    first ??= node;
    if (node._tag === 'Var' ? binding?.isParameter !== true : hasOpenPart(node)) continue;
    d.report(openDiagnostic(node));
    reported = true;
  }
  // The types wait for each other in a circle: any of them will do.
  if (!reported && first !== undefined) d.report(openDiagnostic(first));
}

function openDiagnostic(node: Expr): Diagnostic {
  const [what, hint] =
    node._tag === 'Var'
      ? [`variable %${node.nameHint}`, 'annotate it, or let the function be generalized']
      : [
          'this expression',
          'nothing uses it in a way that says its type: annotate a variable or a result',
        ];
  return diagnose.underConstrained(what, hint, node.span);
}

/** Reports types that mention a parameter of a function that is not around them. */
export function reportEscapes(d: Constraints): void {
  const { entered } = d.annotations;
  const { hasMetRigid } = d.solver;
  // Levels keep generalized types inside; only declared parameters can escape, and nothing is
  // outside the one function that is around all.
  const isDeclaring = (at: Around): boolean => at.function.typeParams.length > 0;
  const isInside = entered.some((at) => at.outer !== undefined && isDeclaring(at));
  const isOne = entered.findLastIndex((at) => at.outer === undefined) === 0;
  if (!hasMetRigid && !isInside && (isOne || !entered.some(isDeclaring))) return;
  const before = d.reports;
  for (const { node, binding } of d.late) {
    if (node._tag !== 'Var' || binding === undefined) continue;
    const found = escaped(d.typeOf(node), binding.around, d);
    if (found === undefined) continue;
    d.report(diagnose.escapedTypeVariable(found.nameHint, `%${node.nameHint}`, node.span));
  }
  if (d.reports > before || !hasMetRigid) return;
  for (const { function: f, outer } of entered) {
    const found = escaped(d.typeOf(f), outer, d);
    if (found === undefined) continue;
    d.report(diagnose.escapedTypeVariable(found.nameHint, 'this function', f.span));
  }
}

/** A parameter in a type that no surrounding function declares. */
function escaped(type: Type, around: Around | undefined, d: Constraints): TypeVar | undefined {
  if (!mentionsTypeVars(type)) return undefined;
  const left = new Set(freeTypeVarsOf([type]));
  for (let at = around; at !== undefined && left.size > 0; at = at.outer) {
    const f = d.typeOf(at.function);
    for (const own of f._tag === 'FuncType' ? f.typeParams : []) left.delete(own);
  }
  return [...left][0];
}
