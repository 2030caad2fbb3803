/** Functions that a host computes in place of the interpreter. */
import type { Func } from '@baton/ir';
import type { Meter } from '../limits.ts';
import type { Value } from '../values/value.ts';

/** A function in the form of the host. */
export interface HostRoutine {
  /**
   * The value for arguments that fit the types of the parameters. It counts the steps that the
   * interpreter would count, at calls that are `depth` deep, and may stop the run. The value shares no
   * storage with the host's.
   */
  readonly call: (args: ReadonlyArray<Value>, meter: Meter, depth: number) => Value;
}

/** The functions of a module that a host computes; the interpreter runs the others. */
export type Host = (func: Func) => HostRoutine | undefined;

/** The host that computes nothing. */
export const noHost: Host = () => undefined;
