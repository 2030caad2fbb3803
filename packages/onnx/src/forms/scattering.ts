/** The ways in which a scatter joins an update to the data. */
import { text } from '../operator-api/attribute-values.ts';
import type { CallContext, NodeAttributeValues } from '../operator-api/exporter.ts';

/** The operator set that has each way besides replacing. */
const SINCE: Readonly<Partial<Record<string, number>>> = { add: 16, mul: 16, min: 18, max: 18 };

/** The attribute of a way; `undefined` after a failure. */
export function joining(context: CallContext, way: string): NodeAttributeValues | undefined {
  if (way === 'update') return {};
  const first = SINCE[way];
  if (first === undefined) return context.fail(`ONNX has no scatter by ${way}`);
  return context.since(first, `a scatter by ${way}`) ? { reduction: text(way) } : undefined;
}
