/** Calls like the examples of an operator's definition: what any operator has. */
import { InvariantError } from '@baton/base';
import type { Attrs, OpInfo, OpTable, TensorType } from '@baton/ir';
import { type Example, type ExampleArg, examplesColumn } from '@baton/ops';
import { type DType, isTensor, type Tensor, toNumbers } from '@baton/tensor';
import type { Builder } from '../generate/builder.ts';
import type { TensorValue, Value } from '../generate/value.ts';
import { inDomain } from './families.ts';
import type { Sampler } from './sampler.ts';

/** The sampler of calls like the examples, unless there are none. */
export function exampleSampler(ops: OpTable, op: OpInfo): Sampler | undefined {
  const examples = ops.read(examplesColumn, op.name) ?? [];
  if (examples.length === 0) return undefined;
  return (b) => sampleExample(b, op, b.random.pick(examples));
}

function sampleExample(b: Builder, op: OpInfo, example: Example): Value {
  const args = example.args.map((arg, index): Value => {
    if (isList(arg)) return b.tuple(arg.map((part) => operandLike(b, part)));
    const value = operandLike(b, arg);
    return isTensor(arg) ? value : inDomain(b, op, value, index);
  });
  return b.call(op.name, args, definedAttrs(example.attrs ?? {}));
}

function operandLike(b: Builder, arg: TensorType | Tensor): TensorValue {
  if (isTensor(arg)) return b.constant([...toNumbers(arg)], arg.shape, arg.dtype);
  if ('_tag' in arg.shape) throw new InvariantError('an example says its shapes');
  const shape = arg.shape.filter((dim) => typeof dim === 'number');
  return b.operand({ shape, dtype: arg.dtype === 'float32' ? b.float : (arg.dtype as DType) });
}

const isList = (arg: ExampleArg): arg is ReadonlyArray<TensorType | Tensor> => Array.isArray(arg);

const definedAttrs = (attrs: Partial<Attrs>): Attrs =>
  Object.fromEntries(Object.entries(attrs).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
