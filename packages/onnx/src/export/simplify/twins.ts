/**
 * Equal nodes are one: steps that look at formulas from several results write their parts again. Nodes
 * that draw random numbers stay apart.
 */
import { anyDim, bareAtom, isStaticDim, type TypeVar } from '@baton/ir';
import { shapeSize } from '@baton/tensor';
import { onnxImporters } from '../../catalogue.ts';
import type { Operand } from '../../operator-api/exporter.ts';
import { operatorKey } from '../../operator-api/importer.ts';
import { packed } from '../../protobuf/packing.ts';
import type { DraftNode } from '../graph-builder.ts';
import type { Step, Surroundings } from './steps.ts';
import { axesRead } from './targets.ts';

/** A step that has seen no node yet. It is for one graph, without the graphs inside. */
export function twins(): Step {
  const ids = new Map<Operand | TypeVar | string | undefined, number>();
  const numberOf = (key: Operand | TypeVar | string | undefined): number => {
    const known = ids.get(key) ?? ids.size;
    ids.set(key, known);
    return known;
  };
  const idOf = (operand: Operand | undefined): number =>
    numberOf(operand && (contentOf(operand) ?? operand));
  // Sizes of one name are equal, whatever tensors they are of.
  const keyOfSizes = (node: DraftNode, maker: Surroundings['maker']): string | undefined => {
    const names = namesRead(node, maker)?.map((size) =>
      typeof size === 'number' ? `${size}` : `name ${numberOf(size)}`,
    );
    const { shape } = node.outputs[0]?.type ?? {};
    return names && Array.isArray(shape) ? `sizes ${names} of rank ${shape.length}` : undefined;
  };
  const seen = new Map<string, DraftNode>();
  return (node, { maker }) => {
    const { opType, domain = '', inputs, outputs, attributes, graphs } = node;
    const isPlain = Object.keys(graphs).length === 0 && inputs.length > 0;
    if (!isPlain || outputs.length !== 1 || isRandom(domain, opType)) return undefined;
    const values = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
    const key =
      keyOfSizes(node, maker) ??
      JSON.stringify([domain, opType, inputs.map(idOf), values], (_, value) =>
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

const isRandom = (domain: string, opType: string): boolean =>
  onnxImporters.get(operatorKey(domain, opType))?.isRandom === true;

/** The names and numbers of the sizes that a node reads of a shape, if each size has one. */
function namesRead(
  node: DraftNode,
  maker: Surroundings['maker'],
): ReadonlyArray<TypeVar | number> | undefined {
  const sizes = axesRead(node, maker);
  const names = sizes?.flatMap((size) => {
    if (typeof size !== 'object' || '_tag' in size.of.type.shape) return [];
    const dim = size.of.type.shape[size.axis] ?? anyDim;
    const name = isStaticDim(dim) ? dim : bareAtom(dim);
    return typeof name === 'number' || name?._tag === 'TypeVar' ? [name] : [];
  });
  return names?.length === sizes?.length ? names : undefined;
}

/** Numbers that JSON does not tell apart have different texts. */
const exactText = (value: bigint | number): string => (Object.is(value, -0) ? '-0' : String(value));

/** Constants of so few elements are compared by their bytes, others by their identity. */
const FEW = 16;

function contentOf({ constant }: Operand): string | undefined {
  if (constant === undefined || shapeSize(constant.shape) > FEW) return undefined;
  return `${constant.dtype}[${constant.shape}]${packed(constant)}`;
}
