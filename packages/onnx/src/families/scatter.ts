/** The combination of scattered updates with the data. */
import type { NodeContext } from '../operator-api/importer.ts';

/** The attribute `reduction` by Baton's name; `undefined` after a failure. */
export function scatterMode(context: NodeContext): string | undefined {
  const reduction = context.attributes.string('reduction');
  if (reduction === 'none') return 'update';
  if (['add', 'mul', 'min', 'max'].includes(reduction)) return reduction;
  return context.fail('ONNX_ATTRIBUTE', 'expected reduction none, add, mul, min or max');
}
