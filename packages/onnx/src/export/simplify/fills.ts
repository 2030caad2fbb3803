/** Constants of one value are written as that value and their sizes. */
import {
  dtypeInfo,
  fromNumbers,
  isSplat,
  reshapeView,
  sliceView,
  type Tensor,
  toNumbers,
} from '@baton/tensor';
import type { Operand } from '../../operator-api/exporter.ts';
import { elementNumber } from '../../protobuf/element-type.ts';
import { packed } from '../../protobuf/packing.ts';
import {
  constantOperand,
  type DraftNode,
  type GraphBuilder,
  type InnerGraph,
  operand,
} from '../graph-builder.ts';
import { isValid } from '../misfit.ts';

/** A fill of fewer bytes takes no less as a node. */
const FEW_BYTES = 512;

/**
 * The graph with fills as nodes. A tensor of the original that has equal elements by chance is stored
 * element by element, and stays as it is. Recursion is as deep as graphs nest.
 */
export function withFills(graph: InnerGraph, opset: number): InnerGraph {
  const made = new Map<string, DraftNode>();
  const filled = (input: Operand | undefined): Operand | undefined => {
    const { constant } = input ?? {};
    if (input === undefined || constant === undefined || !isLarge(constant)) return input;
    const key = `${constant.dtype}[${constant.shape}]${toNumbers(first(constant))}`;
    const node = made.get(key) ?? fill(input, constant);
    if (!isValid(node, opset)) return input;
    made.set(key, node);
    return node.outputs[0];
  };
  const within = ({ draft, ...rest }: InnerGraph): InnerGraph => ({
    ...rest,
    draft: changed(draft),
  });
  const changed = (draft: GraphBuilder): GraphBuilder => ({
    ...draft,
    nodes: draft.nodes.map((node) => ({
      ...node,
      inputs: node.inputs.map(filled),
      graphs: Object.fromEntries(
        Object.entries(node.graphs).map(([name, inner]) => [name, within(inner)]),
      ),
    })),
  });
  const { draft, outputs } = within(graph);
  return { outputs, draft: { ...draft, nodes: [...made.values(), ...draft.nodes] } };
}

const isLarge = (constant: Tensor): boolean =>
  isSplat(constant) && sizeOf(constant.shape) * dtypeInfo(constant.dtype).bytes > FEW_BYTES;

const sizeOf = (shape: ReadonlyArray<number>): number => shape.reduce((a, b) => a * b, 1);

/** The value as a list of one. */
const first = (constant: Tensor): Tensor => {
  const { shape } = constant;
  const starts = shape.map(() => 0);
  const ones = shape.map(() => 1);
  return reshapeView(sliceView(constant, starts, ones), [1]);
};

function fill({ type, hint }: Operand, constant: Tensor): DraftNode {
  const { shape, dtype } = constant;
  const sizes = constantOperand(fromNumbers(Float64Array.from(shape), [shape.length], 'int64'));
  const file = packed(first(constant));
  const payload = { _tag: 'Raw', start: 0, end: file.length } as const;
  const proto = { name: '', dims: [1], dataType: elementNumber(dtype), payload, file };
  return {
    opType: 'ConstantOfShape',
    inputs: [sizes],
    outputs: [operand(type, { hint })],
    attributes: { value: { kind: 'tensor', value: proto } },
    graphs: {},
    span: undefined,
  };
}
