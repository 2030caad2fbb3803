/** Compares two ONNX files in onnxruntime, on the same inputs. */
import { diagnostic, fail, isLeft, ok, type Result } from '@baton/base';
import {
  allClose,
  describeTensor,
  isFloat,
  type Tensor,
  type Tolerance,
  toNumbers,
} from '@baton/tensor';
import type { IRModule } from 'batonjs';
import { madeUpInputs } from './arrays/inputs.ts';
import type { CommandOption } from './command.ts';
import { misuse } from './diagnostics.ts';
import type { Host, ModelSource } from './host.ts';

export const runtimeOption = (doc: string): CommandOption => ({
  type: 'string',
  value: 'RUNTIME',
  words: ['onnxruntime'],
  doc,
});

export interface Runnable {
  readonly name: string;
  readonly source: ModelSource;
}

const OPEN_SIZE = 2;

/**
 * Runs two files on inputs generated for `model`, the program of the first: the outputs must have
 * the same names and types, and the same values up to rounding.
 *
 * **Errors** `EQUIV_DIFFERENT`; `CLI_RUNTIME` if a file does not run, or there is no runtime.
 */
export async function sameInRuntime(
  host: Host,
  runtime: string,
  model: IRModule,
  [first, second]: readonly [Runnable, Runnable],
): Promise<Result<void>> {
  if (runtime !== 'onnxruntime')
    return misuse(`expected the runtime onnxruntime, found ${runtime}`);
  const inputs = madeUpInputs(model, OPEN_SIZE);
  if (isLeft(inputs)) return inputs;
  const onnxruntime = await host.onnxruntime();
  if (isLeft(onnxruntime)) return onnxruntime;
  const outputs: ReadonlyMap<string, Tensor>[] = [];
  for (const { name, source } of [first, second]) {
    host.progress.step(`running ${name} in onnxruntime`);
    const found = await onnxruntime.right(source, inputs.right);
    if (isLeft(found)) return fail(doesNotRun(name, found.left[0].message));
    outputs.push(found.right);
  }
  const [wanted = new Map(), found = new Map()] = outputs;
  const difference = differenceOf(wanted, found);
  return difference === undefined
    ? ok(undefined)
    : fail(
        diagnostic(
          'EQUIV_DIFFERENT',
          `${second.name} does not compute in onnxruntime what ${first.name} computes: ${difference}`,
        ),
      );
}

const doesNotRun = (name: string, reason: string) =>
  diagnostic('CLI_RUNTIME', `onnxruntime does not run ${name}: ${reason}`);

/** Errors up to this, relative to the root mean square of the output, count as equal. */
const TOLERANCE = 1e-3;

/** 16-bit floats have three digits. */
const COARSE_TOLERANCE = 0.05;

export function differenceOf(
  wanted: ReadonlyMap<string, Tensor>,
  found: ReadonlyMap<string, Tensor>,
): string | undefined {
  const names = [...wanted.keys()].join(', ');
  const others = [...found.keys()].join(', ');
  if (names !== others) return `the outputs are ${others} in place of ${names}`;
  for (const [name, expected] of wanted) {
    const value = found.get(name);
    if (value === undefined) continue;
    const isOther =
      value.dtype !== expected.dtype || !allClose(value, expected, toleranceOf(expected));
    if (isOther)
      return `${name} is ${describeTensor(value)} in place of ${describeTensor(expected)}`;
  }
  return undefined;
}

function toleranceOf(value: Tensor): Tolerance {
  if (!isFloat(value.dtype)) return { atol: 0, rtol: 0 };
  const rtol = /16$/.test(value.dtype) ? COARSE_TOLERANCE : TOLERANCE;
  const numbers = Array.from(toNumbers(value)).filter(Number.isFinite);
  const squares = numbers.reduce((sum, x) => sum + x * x, 0);
  return { atol: rtol * Math.sqrt(squares / Math.max(1, numbers.length)) + 1e-6, rtol };
}
