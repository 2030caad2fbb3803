/** Bools among numbers: Relay computes with them, and most operators of ONNX do not. */
import { tensorType } from '@baton/ir';
import { int } from '../node/attribute-values.ts';
import type { Operand } from '../node/writer.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import { type DraftNode, operand } from './draft.ts';

/** The operators that take bools: those that move elements, and those of logic. */
const TAKE_BOOLS: ReadonlySet<string> = new Set([
  ...['And', 'Or', 'Xor', 'Not', 'Where', 'Equal', 'NonZero'],
  ...['Cast', 'Identity', 'Shape', 'Size'],
  ...['Reshape', 'Squeeze', 'Unsqueeze', 'Expand', 'Tile', 'Transpose', 'Concat', 'Split'],
  ...['Slice', 'Pad', 'Trilu', 'DepthToSpace', 'SpaceToDepth', 'ReverseSequence'],
  ...['Gather', 'GatherElements', 'GatherND', 'ScatterElements', 'ScatterND'],
]);

type NodeParts = Omit<DraftNode, 'span'>;

/**
 * The nodes for a node: itself, or one that takes its bools as int32, between casts. A result is
 * true where the number is not 0.
 */
export function withoutBools(node: NodeParts): ReadonlyArray<NodeParts> {
  if (TAKE_BOOLS.has(node.opType) || !node.inputs.some(isBool)) return [node];
  const before: NodeParts[] = [];
  const inputs = node.inputs.map((input) => {
    if (input === undefined || !isBool(input)) return input;
    const number = inDType(input, 'int32');
    before.push(cast(input, number));
    return number;
  });
  const after: NodeParts[] = [];
  const outputs = node.outputs.map((output) => {
    if (!isBool(output) || COMPARE.has(node.opType)) return output;
    const number = inDType(output, 'int32');
    after.push(cast(number, output));
    return number;
  });
  return [...before, { ...node, inputs, outputs }, ...after];
}

/** The operators whose results are bools. */
const COMPARE: ReadonlySet<string> = new Set(['Less', 'LessOrEqual', 'Greater', 'GreaterOrEqual']);

const isBool = (of: Operand | undefined): boolean => of?.type.dtype === 'bool';

const inDType = ({ type }: Operand, dtype: 'int32'): Operand =>
  operand(tensorType(type.shape, dtype));

const cast = (from: Operand, to: Operand): NodeParts => ({
  opType: 'Cast',
  inputs: [from],
  outputs: [to],
  attributes: { to: int(elementNumber(to.type.dtype === 'bool' ? 'bool' : 'int32')) },
  graphs: {},
});
