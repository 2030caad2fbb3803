/** The context of the rules, and their way to report. */
import type { Diagnostic, Span } from '@baton/base';
import type { Expr, Func, Match } from '../../expr/expr.ts';
import type { IRModule } from '../../module/module.ts';
import type { Type, TypeArg } from '../../types/type.ts';
import { incompleteType } from '../../types/variable.ts';
import type { Where } from '../solve/relations.ts';
import type { Solver } from '../solve/solver.ts';

export interface RuleContext {
  readonly module: IRModule;
  readonly solver: Solver;
  readonly report: (d: Diagnostic) => void;
  readonly typeOf: (expr: Expr) => Type;
  /** The type of a global; `undefined` if the module does not define it. */
  readonly global: (name: string) => Type | undefined;
  /** The results of functions without annotations that their callers already count on. */
  readonly owed: ReadonlyMap<Func, Type>;
  /** Matches with a reported pattern: their coverage is not checked. */
  readonly misfits: ReadonlySet<Match>;
  /** Fits the value of a part to a demanded type; reports if it does not fit. */
  readonly demand: (expected: Type, part: Expr, what: string, span: Where) => Type | undefined;
  readonly checkTypeArg: (arg: TypeArg, span: Span | undefined) => void;
}

/** Reports, and returns a new hole, which causes no further reports. */
export function wrong(c: RuleContext, d: Diagnostic): Type {
  c.report(d);
  return incompleteType();
}
