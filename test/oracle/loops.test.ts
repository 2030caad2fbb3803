/**
 * Functions that call themselves until a value says stop: as `Loop` in an ONNX file they compute in
 * onnxruntime, and read again, what the program computes.
 */
import { isLeft, orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { scalar, type Tensor, tensor } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { difference } from './compare.ts';
import { runElsewhere } from './oracle.ts';

const PARAMS = '%n: int32, %x: Tensor[(2, 3), float32]';

/** Bodies of `@main`, with other functions before it. */
const PROGRAMS: Readonly<Record<string, readonly [body: string, functions?: string]>> = {
  'a power of two': [
    `let %loop = fn (%i: int32, %s: Tensor[(2, 3), float32]) -> (int32, Tensor[(2, 3), float32]) {
      if (%i < %n) { let %t = %s * 2f; %loop(%i + 1, %t + %x) } else { (%i, %s) }
    };
    %loop(0, %x)`,
  ],
  'a tensor that grows': [
    `let %loop = fn (%i: int32, %s: Tensor[(?, 3), float32]) -> Tensor[(?, 3), float32] {
      if (%i < %n) { %loop(%i + 1, concatenate((%s, tanh(%s)), axis=0)) } else { %s }
    };
    %loop(0, %x)`,
  ],
  'a condition that ends it': [
    `let %loop = fn (%i: int32, %s: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
      let %done = %i >= %n;
      if (%done) { exp(%s) } else { %loop(%i + 1, %s - %x * 0.5f) }
    };
    %loop(0, %x)`,
  ],
  'a function of the module, with a tuple': [
    '@power(%n, (%x, %x))',
    `def @power(%n: int32, %p: (Tensor[(2, 3), float32], Tensor[(2, 3), float32]))
        -> Tensor[(2, 3), float32] {
      if (%n > 0) { @power(%n - 1, (%p.1, %p.0 * %p.1)) } else { %p.0 }
    }`,
  ],
  'a loop in a loop, and in a branch': [
    `let %outer = fn (%i: int32, %s: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
      if (%i < %n) {
        let %inner = fn (%j: int32, %t: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
          if (%j < %i) { %inner(%j + 1, %t + %s) } else { %t }
        };
        %outer(%i + 1, %inner(0, %s) * 0.25f)
      } else { %s }
    };
    if (%n < 2) { %x } else { %outer(0, %x) }`,
  ],
  'no step': [
    `let %loop = fn (%i: int32, %s: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
      if (%i < 0) { %loop(%i + 1, exp(%s)) } else { %s }
    };
    %loop(%n, %x)`,
  ],
};

const x = tensor([1, -2, 3, -0.5, 0.25, 0], [2, 3], 'float32');

test.each(Object.entries(PROGRAMS))('%s', async (_, [body, functions = '']) => {
  const text = `#[version = "0.0.5"]\n${functions}\ndef @main(${PARAMS}) {\n${body}\n}\n`;
  const module = orThrow(parseModule(text, { ops: standardOps }));
  const file = orThrow(exportOnnx(module));
  expect(orThrow(decodeModel(file)).graph?.nodes.map((node) => node.opType)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(Loop|If)$/)]),
  );
  const again = importOnnx(file, { ops: standardOps });
  for (const steps of [0, 1, 4]) {
    const inputs = { n: scalar(steps, 'int32'), x };
    const wanted = tensorsOf(evaluate(module, inputs));
    const found = await runElsewhere(file, { inputs: new Map(Object.entries(inputs)) });
    const back = isLeft(again) ? [] : tensorsOf(evaluate(again.right, inputs));
    for (const [i, expected] of wanted.entries()) {
      for (const other of [[...found.values()][i], back[i]]) {
        expect(other && difference(other, expected, 64, 1)).toBe(undefined);
        expect(other).toBeDefined();
      }
    }
  }
});

function tensorsOf(result: ReturnType<typeof evaluate>): ReadonlyArray<Tensor> {
  const value = orThrow(result);
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  return fields.filter((field) => field._tag === 'Tensor');
}
