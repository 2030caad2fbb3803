/** Faults of passes on a program, in a form by which programs can be compared. */
import { type Diagnostic, isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Pass } from '@baton/pass-manager';
import { bisect } from './bisect.ts';

export interface Fault {
  /** Equal for all programs with the same fault. */
  readonly kind: string;
  readonly sentence: string;
  readonly problems: ReadonlyArray<Diagnostic>;
}

/**
 * The fault of a pipeline on a program: that of the first pass that fails or changes what the
 * program computes. `undefined` if none is found.
 */
export function faultOf(pipeline: Pass, m: IRModule): Fault | undefined {
  const found = bisect(pipeline, m);
  if (isLeft(found)) return undefined;
  const { pass, after } = found.right;
  if (!isLeft(after)) {
    const sentence = `${pass} changes what the model computes`;
    return { kind: `${pass} changes`, sentence, problems: [] };
  }
  const [{ code, message }] = after.left;
  // Names and numbers differ between programs.
  const kind = `${pass}: ${code}: ${message.replace(/[%@][\w.]+|\d+/g, '')}`;
  return { kind, sentence: `${pass} fails`, problems: after.left };
}
