/** The state that the parts of a function's compilation share. */
import type { Diagnostic } from '@baton/base';
import type { Expr, Func, IRModule } from '@baton/ir';
import type { CheckedValue, DimensionCheck } from '../values/dimensions.ts';
import type { Closure } from '../values/value.ts';
import type { Analysis } from './analysis.ts';
import type { Builder } from './builder.ts';
import type { Host, HostRoutine } from './host.ts';
import type { ClosureSite, Target } from './instruction.ts';
import type { Refcounting } from './refcounts.ts';
import type { Segment } from './segment.ts';

export interface CompileContext {
  readonly module: IRModule;
  readonly executor: string;
  readonly host: Host;
  readonly globalFunction: (name: string) => Closure | undefined;
  /** An operator or a constructor as a function value. */
  readonly wrapped: (callee: Extract<Expr, { _tag: 'Op' | 'Constructor' }>) => Closure | Diagnostic;
}

export interface HostedSegment {
  readonly segment: Segment;
  readonly routine: HostRoutine;
}

/** The compilation of one global function, with all functions inside it. */
export interface Compilation {
  readonly context: CompileContext;
  readonly analysis: Analysis;
  /** The routine of an inner function; compiled once everything that needs it is. */
  readonly builderOf: (func: Func, parent: Builder) => Builder;
  /** The code of a node that is computed on demand, or jumped to, in its routine. */
  readonly targetOf: (node: Expr, builder: Builder) => Target;
  readonly hostedAt: (node: Expr) => HostedSegment | undefined;
  readonly closureMade: (site: ClosureSite, child: Builder) => void;
  readonly refcountingOf: (node: Expr) => Refcounting;
  /** A check of values against types, if their types state sizes. */
  readonly checkOf: (
    values: ReadonlyArray<CheckedValue>,
    builder: Builder,
  ) => DimensionCheck | undefined;
}
