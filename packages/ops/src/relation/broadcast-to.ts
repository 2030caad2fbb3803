/** The relation of operators that broadcast a tensor to a larger shape. */
import { type Dim, describeShape, type RelationContext } from '@baton/ir';
import { shapeMismatch } from '../diagnostics.ts';
import { broadcastShape } from './basic.ts';
import { dimsAgree, report } from './known.ts';

/** `wanted`, if a tensor of shape `from` broadcasts to it; reports if not. */
export function broadcastsTo(
  from: ReadonlyArray<Dim>,
  wanted: ReadonlyArray<Dim>,
  context: RelationContext,
): ReadonlyArray<Dim> | undefined {
  const joint = broadcastShape(from, wanted, context);
  if (joint === undefined || '_tag' in joint) return undefined;
  if (dimsAgree(joint, wanted)) return wanted;
  const expected = `that broadcasts to ${describeShape(wanted)}`;
  return report(context, shapeMismatch('`data`', expected, from));
}
