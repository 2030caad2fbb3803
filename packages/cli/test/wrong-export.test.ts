/** X9: bytes that are not the model are found before they become a file. */
import { isLeft } from '@baton/base';
import { portsOf } from '@baton/onnx';
import { exportOnnx, type IRModule, models, orThrow, parseModule } from 'batonjs';
import { expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { checkFile } from '../src/file-check.ts';
import type { Host } from '../src/host.ts';
import { baton } from './memory-host.ts';

const host = {
  progress: { step: () => {}, done: () => {} },
  tell: () => {},
  now: () => 0,
} as unknown as Host;

const mlp = (seed: string): IRModule => models.mlp({ hidden: [8], inputs: 4, classes: 2, seed });

/** What is found in the file of `other` in place of the file of `model`. */
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

/** A number of images that only the run knows. */
const UNREAD = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3, 4), float32]) {
  let %found: Tensor[(?, 3), float32] = cast(argwhere(%x), dtype="float32");
  image.resize2d(reshape(%found, newshape=[-1, 1, 1, 3]), size=[1, 5])
}
`;

it('a file that cannot be read again is not written, unless that is allowed', async () => {
  const command = ['optimize', 'in.relay', '-o', 'out.onnx'];
  const refused = await baton(command, { 'in.relay': UNREAD });
  expect(refused.code).toBe(EXIT.input);
  expect(refused.log).toContain('error[CLI_NOT_READ]: out.onnx cannot be read again');
  expect(refused.log).toContain('--unchecked');
  expect(refused.files.has('out.onnx')).toBe(false);
  const allowed = await baton([...command, '--unchecked'], { 'in.relay': UNREAD });
  expect(allowed.code).toBe(EXIT.ok);
  expect(allowed.log).toContain('warning[CLI_NOT_READ]');
  expect(allowed.files.has('out.onnx')).toBe(true);
});
