/** Calls like the examples of an operator's definition: every operator has some. */
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

/** The example with floats of the program's dtype, or with its own if the operator refuses them. */
function sampleExample(b: Builder, op: OpInfo, example: Example): Value {
  const attrs = definedAttrs(example.attrs ?? {});
  if (b.float !== 'float32') {
    const made = b.attempt(op.name, exampleArgs(b, op, example, b.float), attrs);
    if (typeof made !== 'string') return made;
  }
  return b.call(op.name, exampleArgs(b, op, example, 'float32'), attrs);
}

const exampleArgs = (
  b: Builder,
  op: OpInfo,
  example: Example,
  float: DType,
): ReadonlyArray<Value> =>
  example.args.map((arg, index) => {
    if (isList(arg)) return b.tuple(arg.map((part) => operandLike(b, part, float)));
    const value = operandLike(b, arg, float);
    return isTensor(arg) ? value : inDomain(b, op, value, index);
  });

function operandLike(b: Builder, arg: TensorType | Tensor, float: DType): TensorValue {
  const dtype = arg.dtype === 'float32' ? float : (arg.dtype as DType);
  if (isTensor(arg)) return b.constant([...toNumbers(arg)], arg.shape, dtype);
  if ('_tag' in arg.shape) throw new InvariantError('an example says its shapes');
  const shape = arg.shape.filter((dim) => typeof dim === 'number');
  return b.operand({ shape, dtype });
}

const isList = (arg: ExampleArg): arg is ReadonlyArray<TensorType | Tensor> => Array.isArray(arg);

const definedAttrs = (attrs: Partial<Attrs>): Attrs =>
  Object.fromEntries(Object.entries(attrs).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])));
