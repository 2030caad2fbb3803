/**
 * Operators of two inputs before operator set 7: the second broadcasts only if an attribute says so, along
 * axes of the first from the attribute `axis` on, or along its last ones.
 */
import type { Expr } from '@baton/ir';
import type { NodeContext } from '../operator-api/importer.ts';

/** The attributes of these versions, and one of the first, which told what memory to use again. */
const EARLY = ['axis', 'broadcast', 'consumed_inputs'];

/** The second input with axes of size 1 after its own, so that it broadcasts as in NumPy. */
export function alignedSecond(context: NodeContext): Expr {
  const { attributes } = context;
  const second = context.input(1);
  const [rank, own] = [context.input(0), second].map((x) => context.dimsOf(x).length) as [
    number,
    number,
  ];
  if (attributes.int('broadcast') === 0 || !attributes.has('axis')) return second;
  const axis = context.axis(attributes.int('axis', 0), rank);
  const after = rank - axis - own;
  if (after < 0) {
    context.fail(
      'ONNX_AXIS',
      `expected ${own} axes of a tensor of rank ${rank} from axis ${axis} on`,
    );
  }
  if (context.hasFailed() || after === 0) return second;
  return context.call('expand_dims', [second], { axis: own, num_newaxis: after });
}

/** Fails if a node of a version that broadcasts as NumPy does has these attributes. */
export function checkAligning(context: NodeContext): void {
  for (const name of EARLY) {
    if (!context.attributes.has(name)) continue;
    context.fail('ONNX_ATTRIBUTE', `expected an attribute of the operator, found ${name}`);
  }
}
