/** The relation of sums that undo a broadcast. */
import { type Dim, describeShape, type RelationContext } from '@baton/ir';
import { shapeMismatch } from '../diagnostics.ts';
import { broadcastShape } from './basic.ts';
import { dimsAgree, report } from './known.ts';

/** `wanted`, if a tensor of that shape broadcasts to `from`; reports if not. */
export function collapsedShape(
  from: ReadonlyArray<Dim>,
  wanted: ReadonlyArray<Dim>,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const joint = broadcastShape(from, wanted, context);
  if (joint === undefined || '_tag' in joint) return undefined;
  if (dimsAgree(joint, from)) return wanted;
  const expected = `that broadcasts to ${describeShape(from)}`;
  return report(context, shapeMismatch('a result', expected, wanted));
}
