/** Values of inputs from the command line: a file with a tensor, or the numbers themselves. */
import { readFile } from 'node:fs/promises';
import { diagnostic, fail, isLeft, type Result, right } from '@baton/base';
import { decodeModel, readTensorFile, type ValueInfoProto } from '@baton/onnx';
import { type Tensor, tensor } from '@baton/tensor';

/** The constants, `NAME=FILE.pb` or `NAME=1,2,3`, for the model in these bytes. */
export async function readConstants(
  bytes: Uint8Array,
  written: Readonly<Record<string, string>>,
): Promise<Result<Readonly<Record<string, Tensor>>>> {
  const constants: Record<string, Tensor> = {};
  if (Object.keys(written).length === 0) return right(constants);
  const model = decodeModel(bytes);
  if (isLeft(model)) return model;
  for (const [name, text] of Object.entries(written)) {
    const input = model.right.graph?.inputs.find((candidate) => candidate.name === name);
    const made = text.endsWith('.pb')
      ? readTensorFile(await readFile(text), { source: text })
      : fromNumbers(name, text, input);
    if (isLeft(made)) return made;
    constants[name] = made.right;
  }
  return right(constants);
}

/** The ONNX types of numbers on the command line. */
const DTYPES = new Map([
  [1, 'float32'],
  [6, 'int32'],
  [7, 'int64'],
  [9, 'bool'],
  [11, 'float64'],
] as const);

/** Numbers as a scalar or a list, like the input; the import reports an unknown input. */
function fromNumbers(
  name: string,
  text: string,
  input: ValueInfoProto | undefined,
): Result<Tensor> {
  const type = input?.type?._tag === 'Tensor' ? input.type : undefined;
  const dtype = DTYPES.get((type?.elemType ?? 7) as 7);
  const rank = type?.shape?.length ?? 1;
  const numbers = text.split(',').map(Number);
  const fits =
    numbers.every(Number.isFinite) && (rank === 1 || (rank === 0 && numbers.length === 1));
  if (dtype !== undefined && fits) {
    return right(tensor(numbers, rank === 0 ? [] : [numbers.length], dtype));
  }
  return fail(
    diagnostic('BENCH_INPUT', `expected a list of numbers as the constant ${name}, found ${text}`, {
      hint: 'other tensors are given as a file: --constant NAME=FILE.pb',
    }),
  );
}
