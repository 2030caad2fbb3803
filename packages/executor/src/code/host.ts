/** Functions, and segments of them, that a host computes in place of the interpreter. */
import type { Diagnostic } from '@baton/base';
import type { Expr, Func } from '@baton/ir';
import type { Meter } from '../limits.ts';
import type { Value } from '../values/value.ts';
import type { Segment } from './segment.ts';

/** A function or a segment in the form of the host. */
export interface HostRoutine {
  /**
   * The value for arguments that fit their types: those of the parameters, or of what a segment
   * reads, each once. It counts the steps that the interpreter would count, at calls that are `depth`
   * deep, and may stop the run. The value shares no storage with the host's.
   */
  readonly call: (args: ReadonlyArray<Value>, meter: Meter, depth: number) => Value;
  /** The same at known sizes, called in place of `call`; `undefined` leaves the arguments. */
  readonly callAtSizes?: (
    args: ReadonlyArray<Value>,
    meter: Meter,
    depth: number,
  ) => Value | undefined;
  /** Ends what serves the routine. It is not called again. */
  readonly dispose?: () => void;
}

/** The part of a module that a host computes; the interpreter runs the rest. */
export interface Host {
  readonly functionRoutine: (func: Func) => HostRoutine | undefined;
  /** Whether a node may belong to a segment: it neither fails nor has an effect. */
  readonly takes: (node: Expr) => boolean;
  /** The routine of a segment of nodes that it takes, which has no `callAtSizes`. */
  readonly segmentRoutine: (segment: Segment) => HostRoutine | undefined;
  /** The parts of the module that run more slowly than they could. */
  readonly warnings?: () => ReadonlyArray<Diagnostic>;
  readonly dispose?: () => void;
}

/** The host that computes nothing. */
export const noHost: Host = {
  functionRoutine: () => undefined,
  takes: () => false,
  segmentRoutine: () => undefined,
};
