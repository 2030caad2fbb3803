/** What passes do wrong with a program, in a form that programs can be compared by. */
import { type Diagnostic, isLeft } from '@baton/base';
import type { IRModule } from '@baton/ir';
import type { Pass } from '@baton/pass-manager';
import { bisect } from './bisect.ts';

/** What passes do wrong with a program. */
export interface Fault {
  /** One for all programs with the same fault. */
  readonly kind: string;
  readonly sentence: string;
  readonly problems: ReadonlyArray<Diagnostic>;
}

/**
 * What the passes of a pipeline do wrong with a program: the first one that fails or changes what the
 * program computes. `undefined` if nothing is found.
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
  // Names and numbers differ from program to program.
  const kind = `${pass}: ${code}: ${message.replace(/[%@][\w.]+|\d+/g, '')}`;
  return { kind, sentence: `${pass} fails`, problems: after.left };
}
