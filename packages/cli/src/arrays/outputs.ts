/** Writes the outputs of a model to files. */
import { fail, type Result, right } from '@baton/base';
import { outputNames } from '@baton/onnx';
import type { Tensor } from '@baton/tensor';
import { writeNpy } from '@baton/tensor/npy';
import { type IRModule, toData, type Value } from 'batonjs';
import { zipSync } from 'fflate';
import { misuse, unfit } from '../diagnostics.ts';
import type { NewFile } from '../host.ts';

export function namedOutputs(m: IRModule, value: Value): Readonly<Record<string, Value>> {
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  const main = m.functions.get('main');
  const names = main === undefined ? [] : outputNames(main, fields.length);
  return Object.fromEntries(fields.map((field, i) => [names[i] ?? '', field]));
}

/** Values by name as JSON; 64-bit integers are numbers if that is exact, else text. */
const outputsAsJson = (outputs: Readonly<Record<string, Value>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, toData(value)])),
    (_, value) => (typeof value === 'bigint' ? exact(value) : value),
  );

const exact = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

export function outputFile(
  path: string,
  outputs: Readonly<Record<string, Value>>,
): Result<NewFile> {
  if (path === '-' || /\.json$/i.test(path)) {
    return right({ path, pieces: [`${outputsAsJson(outputs)}\n`] });
  }
  const tensors: [string, Tensor][] = [];
  for (const [name, value] of Object.entries(outputs)) {
    if (value._tag !== 'Tensor') return fail(unfit(path, `${name} is no tensor`, 'write .json'));
    tensors.push([name, value]);
  }
  const [first, ...others] = tensors;
  if (/\.npz$/i.test(path)) {
    const files = tensors.map(([name, tensor]) => [`${name}.npy`, writeNpy(tensor)] as const);
    return right({ path, pieces: [zipSync(Object.fromEntries(files), { level: 0 })] });
  }
  if (!/\.npy$/i.test(path)) {
    return misuse(`${path}: the name has no known ending`, 'end it in .json, .npz or .npy');
  }
  return first !== undefined && others.length === 0
    ? right({ path, pieces: [writeNpy(first[1])] })
    : misuse(`${path} holds one array, and the model has ${tensors.length} outputs`);
}
