/** Inputs of programs for which none are given. */
import { fnv1a32, isLeft, mulberry32, type Random, type Result, right } from '@baton/base';
import { cast, type DType, isBig, isDType, isFloat, type Tensor, tensor } from '@baton/tensor';
import { diagnostic, fail, type IRModule, printType, type Type } from 'batonjs';

/**
 * How inputs are drawn. `small`: floats in [-4, 4), integers 0 and 1, which are indices of nearly
 * every table. `tenths`: multiples of 0.1, on which quotients are nearly whole, and integers to
 * 100. `wide`: floats of many magnitudes, and integers at the ends of their type.
 */
export const CHARACTERS = ['small', 'tenths', 'wide'] as const;

type Character = (typeof CHARACTERS)[number];

export function drawnInputs(m: IRModule, character: Character): Result<Record<string, Tensor>> {
  const inputs: Record<string, Tensor> = {};
  for (const { nameHint, typeAnnotation } of m.functions.get('main')?.params ?? []) {
    const made = drawnTensor(typeAnnotation, character, mulberry32(fnv1a32(nameHint)));
    if (isLeft(made)) return made;
    inputs[nameHint] = made.right;
  }
  return right(inputs);
}

/** Every dimension without a size has this one: sizes that must agree do. */
export const OPEN_SIZE = 4;

function drawnTensor(type: Type | undefined, character: Character, random: Random): Result<Tensor> {
  const dtype = type?._tag === 'TensorType' ? type.dtype : undefined;
  if (type?._tag !== 'TensorType' || '_tag' in type.shape || !isOwnDType(dtype)) {
    const shown = type === undefined ? 'an unknown type' : printType(type);
    return fail(
      diagnostic('CASES_INPUT', `no input can be drawn for ${shown}`, {
        hint: 'state inputs and outputs in a file .npz of the same name',
      }),
    );
  }
  const shape = type.shape.map((dim) => (typeof dim === 'number' ? dim : OPEN_SIZE));
  const length = shape.reduce((a, b) => a * b, 1);
  if (isBig(dtype)) {
    const values = Array.from({ length }, () => wholeBig(dtype, character, random));
    return right(tensor(values, shape, dtype));
  }
  const draw = isFloat(dtype) ? real : whole;
  const values = Array.from({ length }, () => draw(dtype, character, random));
  return right(cast(tensor(values, shape, isFloat(dtype) ? 'float64' : 'int64'), dtype));
}

const isOwnDType = (dtype: unknown): dtype is DType => typeof dtype === 'string' && isDType(dtype);

function real(_dtype: DType, character: Character, random: Random): number {
  const u = 2 * random() - 1;
  if (character === 'small') return 4 * u;
  if (character === 'tenths') return Math.round(1000 * u) / 10;
  return Math.sign(u) * 2 ** (20 * random() - 8);
}

/** The cast to the type wraps numbers that are out of range. */
function whole(_dtype: DType, character: Character, random: Random): number {
  if (character === 'small') return Math.floor(2 * random());
  if (character === 'tenths') return Math.floor(101 * random());
  return Math.floor(2 ** 32 * random());
}

function wholeBig(dtype: DType, character: Character, random: Random): bigint {
  if (character !== 'wide') return BigInt(whole(dtype, character, random));
  const most = dtype === 'uint64' ? 2n ** 64n - 1n : 2n ** 63n - 1n;
  const below = BigInt(Math.floor(1000 * random()));
  return random() < 0.5 || dtype === 'uint64' ? most - below : -most + below;
}
