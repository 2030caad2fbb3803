/** Samplers for the families of operators, which definitions show. */
import { isRight } from '@baton/base';
import {
  type Attrs,
  noAttrs,
  type OpInfo,
  type OpTable,
  type TensorType,
  tensorType,
  variable,
} from '@baton/ir';
import { between, boundsColumn, fusionColumn } from '@baton/ops';
import type { DType } from '@baton/tensor';
import { askRelation } from '../generate/ask.ts';
import type { Builder } from '../generate/builder.ts';
import { wholeFor } from '../generate/settle.ts';
import { narrower, sizeOf } from '../generate/shapes.ts';
import { type TensorValue, tensorValue, type Value } from '../generate/value.ts';
import type { Sampler } from './sampler.ts';

/** The sampler of an operator by the form of its definition, if it is of a known family. */
export function familySampler(ops: OpTable, op: OpInfo): Sampler | undefined {
  const fields = op.attrs.fields.map((field) => field.name);
  const fusion = ops.read(fusionColumn, op.name);
  if (fields.length === 0 && op.inputs.length === 1 && acceptedDTypes(op, 1).length > 0) {
    return unary;
  }
  if (fields.length === 0 && op.inputs.length === 2 && fusion === 'broadcast' && meets(op)) {
    return binary;
  }
  if (op.inputs.length === 1 && ['axis', 'keepdims', 'exclude'].every((n) => fields.includes(n))) {
    return reduction;
  }
  return undefined;
}

const PROBED: ReadonlyArray<DType> = ['float32', 'int32', 'bool'];

const unary: Sampler = (b, op) => {
  const x = b.operand({ dtype: dtypeFor(b, op, 1) });
  return b.call(op.name, [inDomain(b, op, x, 0)]);
};

/** A call on two tensors that broadcast. */
const binary: Sampler = (b, op) => {
  const dtype = dtypeFor(b, op, 2);
  const x = b.operand({ dtype });
  const y = inDomain(b, op, partner(b, x), 1);
  const swap = y.shape.length <= x.shape.length && isSymmetric(b, op) && b.random.chance(0.3);
  return b.call(op.name, swap ? [y, x] : [inDomain(b, op, x, 0), y]);
};

export function partner(b: Builder, x: TensorValue): TensorValue {
  const shape = narrower(b.random, x.shape);
  return b.random.chance(0.35) ? b.weights(shape, x.dtype) : b.operand({ shape, dtype: x.dtype });
}

const reduction: Sampler = (b, op) => {
  const rank = [0, 4] as const;
  const x = b.operand({
    dtype: dtypeFor(b, op, 1),
    rank,
    // An empty axis has no least element.
    fits: (shape) => !shape.includes(0),
    fresh: () => [2, 3, 5].slice(b.random.int(0, 2)),
  });
  return b.call(op.name, [inDomain(b, op, x, 0)], reductionAttrs(b, x.shape.length));
};

/** Axes to reduce, kept or not. */
export function reductionAttrs(b: Builder, rank: number): Attrs {
  const { random } = b;
  const axes = random.shuffle(Array.from({ length: rank }, (_, i) => i));
  const some = axes.slice(0, random.int(1, Math.max(1, rank - 1)));
  const signed = some.map((axis) => (random.chance(0.3) ? axis - rank : axis));
  const axis = rank === 0 || random.chance(0.2) ? null : random.chance(0.4) ? signed[0] : signed;
  return {
    axis: axis ?? null,
    keepdims: random.chance(0.5),
    exclude: axis !== null && random.chance(0.15),
  };
}

/** The value limited to the operator's domain for its argument. */
export function inDomain(b: Builder, op: OpInfo, x: TensorValue, index: number): TensorValue {
  const bounds = b.ops.read(boundsColumn, op.name);
  const interval = bounds?.domain?.[index];
  if (interval === undefined || x.dtype === 'bool') return x;
  const within = b.within(x, interval);
  const made = bounds?.facts?.([within.facts], {
    args: [within.type],
    attrs: noAttrs,
    result: within.type,
    // The number of elements that make the result.
    ratio: sizeOf(within.shape),
    products: 1,
  });
  return made === undefined ? within : wholeFor(b, within, made);
}

const isSymmetric = (b: Builder, op: OpInfo): boolean =>
  b.ops.read(boundsColumn, op.name)?.domain === undefined;

/** A dtype that the operator accepts, mostly the program's. */
function dtypeFor(b: Builder, op: OpInfo, count: number): DType {
  const accepted = acceptedDTypes(op, count);
  if (accepted.includes('float32') && (accepted.length === 1 || b.random.chance(0.8))) {
    return b.float;
  }
  const other = b.random.pick(accepted);
  if (other === 'float32') return b.float;
  return other === 'int32' ? b.random.pick(['int32', 'int32', 'int64', 'int8']) : other;
}

/** Whether each argument may be the wider one. */
function meets(op: OpInfo): boolean {
  const [dtype] = acceptedDTypes(op, 2);
  return dtype !== undefined && accepts(op, [tensorType([2, 1], dtype), tensorType([3], dtype)]);
}

function accepts(op: OpInfo, types: ReadonlyArray<TensorType>): boolean {
  const args = types.map(
    (type): Value => tensorValue(variable('probe', type), type, between(0, 0)),
  );
  const attrs = op.attrs.decode({});
  return isRight(attrs) && askRelation(op, args, attrs.right)._tag === 'Type';
}

const dtypesOf = new WeakMap<OpInfo, ReadonlyArray<DType>>();

/** Which of float32, int32 and bool the operator accepts for `count` arguments of one type. */
function acceptedDTypes(op: OpInfo, count: number): ReadonlyArray<DType> {
  const known = dtypesOf.get(op);
  if (known !== undefined) return known;
  const accepted = PROBED.filter((dtype) => {
    const type = tensorType([2, 3], dtype);
    return accepts(
      op,
      Array.from({ length: count }, () => type),
    );
  });
  dtypesOf.set(op, accepted);
  return accepted;
}
