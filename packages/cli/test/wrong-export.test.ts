/** X9: bytes that are not the model are detected before they are written. */
import { isLeft, renderDiagnostics } from '@baton/base';
import { portsOf } from '@baton/onnx';
import { exportOnnx, type IRModule, models, orThrow, parseModule } from 'batonjs';
import { expect, it } from 'vitest';
import { modelBytes } from '../../onnx/test/helpers/encode.ts';
import { checkFile } from '../src/file-check.ts';
import type { Host } from '../src/host.ts';

const host = {
  progress: { step: () => {}, done: () => {} },
  tell: () => {},
  now: () => 0,
} as unknown as Host;

const mlp = (seed: string): IRModule => models.mlp({ hidden: [8], inputs: 4, classes: 2, seed });

/** The result of checking the file of `other` instead of the file of `model`. */
function found(model: IRModule, other: IRModule, isRun: boolean): string {
  const file = { bytes: () => orThrow(exportOnnx(other)), weights: () => undefined };
  const ports = orThrow(portsOf(model));
  const program = isRun ? model : undefined;
  const checked = checkFile(host, file, 'out.onnx', { ports, program });
  return isLeft(checked)
    ? checked.left.map(({ code, message }) => `${code} ${message}`).join()
    : '';
}

const named = (name: string, body: string): IRModule =>
  orThrow(
    parseModule(
      `#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 3), float32], output_tensor_names=["${name}"]) { ${body} }`,
    ),
  );

it('a file with the inputs and outputs of the model is the model, unless it is run', () => {
  expect(found(mlp('one'), mlp('one'), true)).toBe('');
  expect(found(mlp('one'), mlp('other'), false)).toBe('');
  expect(found(mlp('one'), mlp('other'), true)).toMatch(
    /^EQUIV_DIFFERENT out\.onnx does not compute what the model computes/,
  );
});

it.each([
  ['y_1', 'nn.relu(%x)', 'the output y_1'],
  ['y', 'transpose(%x)', 'the output y of type Tensor[(3, 2), float32]'],
  ['y', 'cast(%x, dtype="float16")', 'the output y of type Tensor[(2, 3), float16]'],
  ['y', '(%x, %x)', '2 outputs'],
])('a file with the output %s = %s is not', (name, body, message) => {
  const problem = found(named('y', 'nn.relu(%x)'), named(name, body), false);
  expect(problem).toContain(`ONNX_SIGNATURE the file has ${message}`);
});

/** A file that runtimes run, and the import does not read: the number of classes is an input. */
const unread = modelBytes(
  {
    nodes: [{ op: 'OneHot', in: ['x', 'n', 'v'] }],
    inputs: [
      { name: 'x', dims: [2], type: 7 },
      { name: 'n', dims: [], type: 7 },
      { name: 'v', dims: [2] },
    ],
    outputs: [{ name: 'y', dims: [2, null] }],
  },
  17,
);

it.each([false, true])('a file that cannot be read again passes if it may: %s', (allowsUnread) => {
  const told: string[] = [];
  const listening = { ...host, tell: (text: string) => void told.push(text) };
  const file = { bytes: () => unread, weights: () => undefined };
  const ports = orThrow(portsOf(mlp('one')));
  const original = { ports, program: undefined, allowsUnread };
  const checked = checkFile(listening, file, 'out.onnx', original);
  const text = isLeft(checked) ? renderDiagnostics(checked.left) : told.join();
  expect(isLeft(checked)).toBe(!allowsUnread);
  expect(text).toContain(allowsUnread ? 'warning[CLI_NOT_READ]' : 'error[CLI_NOT_READ]');
  expect(text).toContain('out.onnx cannot be read again');
  expect(text).toContain('--unchecked');
});
