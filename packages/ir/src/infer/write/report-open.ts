/** What is left of a definition that nothing determines: E15, and variables that nothing binds. */
import type { Diagnostic } from '@baton/base';
import * as diagnose from '../../diagnostics.ts';
import type { Expr, Var } from '../../expr/expr.ts';
import { freeTypeVarsOf } from '../../types/free-type-vars.ts';
import { isClosed, type Type } from '../../types/type.ts';
import { typedPart } from '../collect/walk.ts';
import type { Around } from '../constrain/annotations.ts';
import { isOpen, type Solver } from '../solve/solver.ts';
import { spanOf } from '../solve/where.ts';

/** Where a variable without closed annotation is bound. */
export interface Binding {
  /** Whether it is a parameter: only a parameter can leave a type open. */
  readonly isParameter: boolean;
  readonly around: Around | undefined;
}

/** What is looked at. */
export interface Leftovers {
  /** The nodes whose types were not closed at once, in order of completion, and what is known. */
  readonly late: ReadonlyMap<Expr, { readonly type: Type }>;
  /** The variables that something binds. */
  readonly bound: ReadonlyMap<Var, Binding>;
  readonly report: (d: Diagnostic) => void;
  /** Whether the cause was reported elsewhere. */
  readonly isSilenced: boolean;
}

/** Reports the nodes whose types stayed open, as near to the cause as can be told. */
export function reportOpen({ late, bound, report, isSilenced }: Leftovers): void {
  const isOpen = (node: Expr): boolean => {
    const type = late.get(node)?.type;
    return type !== undefined && !isClosed(type);
  };
  let first: Expr | undefined;
  let reported = false;
  for (const node of late.keys()) {
    if (node._tag === 'Var' && !bound.has(node)) {
      report(diagnose.unboundVariable(node.nameHint, node.span));
      reported = true;
      continue;
    }
    if (isSilenced || !isOpen(node)) continue;
    first ??= node;
    if (node._tag === 'Var' && bound.get(node)?.isParameter !== true) continue;
    if (node._tag !== 'Var' && hasOpenPart(node, isOpen)) continue;
    report(openDiagnostic(node));
    reported = true;
  }
  // The types wait for each other in a circle: any of them will do.
  if (!reported && first !== undefined) report(openDiagnostic(first));
}

function hasOpenPart(node: Expr, isOpen: (part: Expr) => boolean): boolean {
  if (node._tag === 'Function' && node.params.some(isOpen)) return true;
  for (let i = 0, part = typedPart(node, 0); part !== undefined; part = typedPart(node, ++i)) {
    if (isOpen(part)) return true;
  }
  return false;
}

const openDiagnostic = (node: Expr): Diagnostic =>
  node._tag === 'Var'
    ? diagnose.underConstrained(
        `variable %${node.nameHint}`,
        'annotate it, or let the function be generalized',
        node.span,
      )
    : diagnose.underConstrained(
        'this expression',
        'nothing uses it in a way that says its type: annotate a variable or a result',
        node.span,
      );

/** Reports what is asked of a type parameter that no function around declares: nothing answers. */
export function reportUnproved(solver: Solver, report: (d: Diagnostic) => void): void {
  for (const one of solver.pending) {
    if (!isOpen(one)) continue;
    const { name, args } = solver.holes.resolveRelation(one.relation);
    const [v] = freeTypeVarsOf(args);
    if (v !== undefined) report(diagnose.unprovedConstraint(name, v.nameHint, spanOf(one.span)));
  }
}
