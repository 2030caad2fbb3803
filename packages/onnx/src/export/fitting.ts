/**
 * Nodes whose types their operator does not have in the operator set that is written: a later set has
 * them, or the node takes a wider type between casts, where that computes the same.
 */
import { tensorType } from '@baton/ir';
import { cast, type DType, isDType, shapeSize } from '@baton/tensor';
import { int } from '../operator-api/attribute-values.ts';
import type { Operand } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import { type Schema, schemasOf } from '../schemas/schemas.ts';
import { constantOperand, operand } from './graph-builder.ts';
import { bound, misfit, type NodeParts, schemaAt, takes } from './misfit.ts';

/** The replacement of a node. */
export type Fit =
  | { readonly _tag: 'Nodes'; readonly nodes: ReadonlyArray<NodeParts> }
  /** An operator set after the one that is written has the node. */
  | { readonly _tag: 'Later'; readonly since: number; readonly what: string }
  | { readonly _tag: 'Lacking'; readonly what: string };

/** A later set up to this one is preferred to casts: runtimes of the last years read it. */
const MOST_PREFERRED = 23;

/** The node as nodes of an operator set; a set that the user has chosen stays. */
export function fitted(node: NodeParts, opset: number, isChosen: boolean): Fit {
  const { opType } = node;
  const whole: Fit = { _tag: 'Nodes', nodes: [node] };
  if ((node.domain ?? '') !== '') return whole;
  const schema = schemaAt(opType, opset);
  const problem = schema && misfit(node, schema);
  if (schema !== undefined && problem === undefined) return whole;
  const what =
    problem === undefined
      ? opType
      : problem._tag === 'Type'
        ? `${opType} of ${problem.dtype}`
        : `${opType} with ${problem.what}`;
  const later = schemasOf(opType).find(
    (one) => one.since > opset && misfit(node, one) === undefined,
  );
  const isPreferred = later !== undefined && !isChosen && later.since <= MOST_PREFERRED;
  const nodes = isPreferred || schema === undefined ? undefined : throughOthers(node, schema);
  if (nodes !== undefined) return { _tag: 'Nodes', nodes };
  return later === undefined
    ? { _tag: 'Lacking', what }
    : { _tag: 'Later', since: later.since, what };
}

/** Operators that read the bits of their data. */
const READS_BITS: ReadonlySet<string> = new Set(['BitCast', 'BitShift', 'BitwiseNot']);

/** Operators whose results are elements of their data, or bools: floats hold them exactly. */
const SELECTS: ReadonlySet<string> = new Set([
  ...['MaxPool', 'GlobalMaxPool', 'Relu', 'Max', 'Min', 'Clip', 'TopK', 'ReduceMax', 'ReduceMin'],
  ...['ArgMax', 'ArgMin', 'Less', 'Greater', 'LessOrEqual', 'GreaterOrEqual', 'Equal'],
  ...['IsInf', 'IsNaN', 'Sign', 'Abs', 'Neg', 'Unique', 'Compress', 'ReverseSequence', 'OneHot'],
  ...['MaxUnpool', 'Floor', 'Ceil', 'Round'],
]);

/** Types that hold all numbers of a type, and in which sums and products wrap alike. */
const WIDER: Readonly<Partial<Record<DType, ReadonlyArray<DType>>>> = {
  bool: ['int32', 'uint8', 'int64'],
  int8: ['int32', 'int64'],
  uint8: ['int32', 'int64'],
  int16: ['int32', 'int64'],
  uint16: ['int32', 'int64'],
  uint32: ['int64'],
  int32: ['int64'],
  float16: ['float32', 'float64'],
  bfloat16: ['float32', 'float64'],
};

/** Floats that hold all numbers of a type of integers. */
const FLOATS: Readonly<Partial<Record<DType, ReadonlyArray<DType>>>> = {
  bool: ['float32'],
  int8: ['float32', 'float64'],
  uint8: ['float32', 'float64'],
  int16: ['float32', 'float64'],
  uint16: ['float32', 'float64'],
  int32: ['float64'],
  uint32: ['float64'],
};

/** The node in wider types between casts; `undefined` if no type is exact. */
function throughOthers(node: NodeParts, schema: Schema): ReadonlyArray<NodeParts> | undefined {
  if (READS_BITS.has(node.opType)) return undefined;
  const inputs = bound(node.inputs, schema.inputs);
  const outputs = bound(node.outputs, schema.outputs);
  if (inputs === undefined || outputs === undefined) return undefined;
  const carriers = new Map<string, DType>();
  for (const { operand: of, parameter } of [...inputs, ...outputs]) {
    const { dtype } = of.type;
    if (!isDType(dtype) || takes(parameter, dtype)) continue;
    const floats = SELECTS.has(node.opType) ? (FLOATS[dtype] ?? []) : [];
    const wider = [...(WIDER[dtype] ?? []), ...floats].find((one) => takes(parameter, one));
    if (wider === undefined) return undefined;
    carriers.set(parameter.variable, wider);
  }
  const before: NodeParts[] = [];
  const after: NodeParts[] = [];
  const carrierOf = new Map(
    [...inputs, ...outputs].map(({ operand: of, parameter }) => [
      of,
      carriers.get(parameter.variable),
    ]),
  );
  const made = {
    ...node,
    inputs: node.inputs.map((input) => {
      const dtype = input && carrierOf.get(input);
      return input && dtype ? castOf(input, dtype, before) : input;
    }),
    outputs: node.outputs.map((output) => {
      const dtype = carrierOf.get(output);
      if (dtype === undefined) return output;
      const carried = inDType(output, dtype);
      after.push(castNode(carried, output));
      return carried;
    }),
  };
  return misfit(made, schema) === undefined ? [...before, made, ...after] : undefined;
}

/** Constants of at most this many elements are cast at once. */
const MAX_FOLDED_ELEMENTS = 64;

function castOf(input: Operand, dtype: DType, nodes: NodeParts[]): Operand {
  const { constant } = input;
  if (constant !== undefined && shapeSize(constant.shape) <= MAX_FOLDED_ELEMENTS) {
    return constantOperand(cast(constant, dtype), input.hint);
  }
  const made = inDType(input, dtype);
  nodes.push(castNode(input, made));
  return made;
}

const inDType = ({ type }: Operand, dtype: DType): Operand =>
  operand(tensorType(type.shape, dtype));

const castNode = (from: Operand, to: Operand): NodeParts => ({
  opType: 'Cast',
  inputs: [from],
  outputs: [to],
  attributes: { to: int(elementNumber(to.type.dtype as DType)) },
  graphs: {},
});
