/**
 * Equal nodes are one: steps that look at formulas from several results write their parts again. No node
 * that is written gives other results each time: the import draws random numbers by a seed.
 */
import { shapeSize } from '@baton/tensor';
import type { Operand } from '../../node/writer.ts';
import { packed } from '../../protobuf/packing.ts';
import type { DraftNode } from '../draft.ts';
import type { Step } from './step.ts';

/** A step that has seen no node yet. It is for one graph, without the graphs inside. */
export function twins(): Step {
  const ids = new Map<Operand | string | undefined, number>();
  const idOf = (operand: Operand | undefined): number => {
    const key = operand && (contentOf(operand) ?? operand);
    const known = ids.get(key) ?? ids.size;
    ids.set(key, known);
    return known;
  };
  const seen = new Map<string, DraftNode>();
  return (node, { maker }) => {
    const { opType, domain = '', inputs, outputs, attributes, graphs } = node;
    const isPlain = Object.keys(graphs).length === 0 && inputs.length > 0;
    if (!isPlain || outputs.length !== 1) return undefined;
    const values = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([domain, opType, inputs.map(idOf), values], (_, value) =>
      typeof value === 'bigint' || typeof value === 'number' ? exactText(value) : value,
    );
    const twin = seen.get(key);
    const [result] = twin?.outputs ?? [];
    // In a graph inside, the nodes around it are out of sight.
    if (result !== undefined && maker(result) !== undefined) return result;
    seen.set(key, node);
    return undefined;
  };
}

/** Numbers that JSON does not tell apart have different texts. */
const exactText = (value: bigint | number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Constants of so few elements are compared by their bytes, others by their identity. */
const FEW = 16;

function contentOf({ constant }: Operand): string | undefined {
  if (constant === undefined || shapeSize(constant.shape) > FEW) return undefined;
  return `${constant.dtype}[${constant.shape}]${packed(constant)}`;
}
