/** Reducer steps that simplify constants and attributes. */
import { attrEqual, type Constant, call, constant } from '@baton/ir';
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
import { replacing, type Strategy } from './candidate.ts';

/** Fills a constant with one value: 1, 2, or its own first value. */
export const constantCandidates: Strategy = replacing(function* (node) {
  if (node._tag !== 'Constant' || node.literal !== undefined) return;
  for (const data of plainer(node)) yield constant(data, node.span);
});

export const attributeCandidates: Strategy = replacing(function* (node, m) {
  if (node._tag !== 'Call' || node.op._tag !== 'Op' || node.attrs === undefined) return;
  for (const { name, defaultValue: plain } of m.ops.get(node.op.name)?.attrs.fields ?? []) {
    const value = node.attrs[name];
    if (plain === undefined || value === undefined || attrEqual(value, plain)) continue;
    yield call(node.op, node.args, { ...node, attrs: { ...node.attrs, [name]: plain } });
  }
});

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
