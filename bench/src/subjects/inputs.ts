/** Seeded inputs for models without given inputs. */
import { fnv1a32, isLeft, mulberry32, right } from '@baton/base';
import { cast, isDType, isFloat } from '@baton/tensor';
import {
  diagnostic,
  fail,
  type IRModule,
  printType,
  type Result,
  type Tensor,
  type Type,
  tensor,
} from 'batonjs';

/** `count` numbers, uniform in [lo, hi), each rounded to float32. */
export function uniformData(seed: string, count: number, lo: number, hi: number): Float32Array {
  const next = mulberry32(fnv1a32(seed));
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++) data[i] = lo + (hi - lo) * next();
  return data;
}

/** One tensor for each parameter of `@main`: floats in [−1, 1), integers and booleans 0 or 1. */
export function seededInputs(m: IRModule, seed: string): Result<Record<string, Tensor>> {
  const inputs: Record<string, Tensor> = {};
  for (const param of m.functions.get('main')?.params ?? []) {
    const made = seededTensor(param.typeAnnotation, `${seed}:${param.nameHint}`);
    if (isLeft(made)) return made;
    inputs[param.nameHint] = made.right;
  }
  return right(inputs);
}

function seededTensor(type: Type | undefined, seed: string): Result<Tensor> {
  const unusable = () =>
    fail<Tensor>(
      diagnostic(
        'BENCH_INPUT',
        `no input can be made for ${type ? printType(type) : 'an unknown type'}`,
        {
          hint: 'name the sizes of dynamic dimensions',
        },
      ),
    );
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return unusable();
  const dims = type.shape;
  const { dtype } = type;
  if (!dims.every((d): d is number => typeof d === 'number')) return unusable();
  if (typeof dtype !== 'string' || !isDType(dtype)) return unusable();
  const count = dims.reduce((n, d) => n * d, 1);
  const floats = isFloat(dtype);
  const data = uniformData(seed, count, floats ? -1 : 0, floats ? 1 : 2);
  return right(cast(tensor(data, dims, 'float32'), dtype));
}
