/** Steps of the reducer that simplify constants and attributes. */
import { attrEqual, type Constant, call, constant, type IRModule } from '@baton/ir';
import {
  type DType,
  full,
  isBig,
  isInteger,
  readNumber,
  shapeSize,
  type Tensor,
  toBigInts,
  toNumbers,
} from '@baton/tensor';
import { bodyNodes, type Candidates, withNode } from './candidate.ts';

/** Gives a constant one value everywhere: 1, 2, or its own first value. */
export function* constantCandidates(m: IRModule, entry: string): Candidates {
  for (const node of bodyNodes(m, entry)) {
    if (node._tag !== 'Constant' || node.literal !== undefined) continue;
    for (const data of plainer(node)) {
      yield withNode(m, entry, node, constant(data, node.span));
    }
  }
}

/** Gives an attribute of a call its default. */
export function* attributeCandidates(m: IRModule, entry: string): Candidates {
  for (const node of bodyNodes(m, entry)) {
    if (node._tag !== 'Call' || node.op._tag !== 'Op' || node.attrs === undefined) continue;
    for (const field of m.ops.get(node.op.name)?.attrs.fields ?? []) {
      const value = node.attrs[field.name];
      const plain = field.defaultValue;
      if (plain === undefined || value === undefined || attrEqual(value, plain)) continue;
      const plainerCall = call(node.op, node.args, {
        ...node,
        attrs: { ...node.attrs, [field.name]: plain },
      });
      yield withNode(m, entry, node, plainerCall);
    }
  }
}

/** Simpler tensors of the same type: only values earlier in the list than the tensor's own. */
function* plainer({ data }: Constant): Generator<Tensor> {
  const size = shapeSize(data.shape);
  if (size === 0) return;
  const uniform = uniformValue(data);
  for (const value of PLAIN) {
    if (uniform === value) return;
    if (fits(data.dtype, value)) yield full(data.shape, data.dtype, value);
  }
  if (uniform === undefined) yield full(data.shape, data.dtype, readNumber(data, 0));
}

/** The values to try, the simplest first. */
const PLAIN: ReadonlyArray<number> = [1, 2, 0.5, -1];

const fits = (dtype: DType, value: number): boolean =>
  dtype === 'bool'
    ? value === 1
    : !isInteger(dtype) || (Number.isInteger(value) && (value > 0 || !dtype.startsWith('u')));

function uniformValue(data: Tensor): number | undefined {
  if (isBig(data.dtype)) {
    const values = toBigInts(data);
    return values.every((v) => v === values[0]) ? Number(values[0]) : undefined;
  }
  const values = toNumbers(data);
  for (let i = 1; i < values.length; i++) if (!Object.is(values[i], values[0])) return undefined;
  return values[0];
}
