/** O.12 ONNX files on the command line: data next to the file, values of inputs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft, orThrow } from '@baton/base';
import { afterAll, describe, expect, test } from 'vitest';
import { readArguments } from '../../bench/src/arguments.ts';
import { onnxSubject } from '../../bench/src/subjects/onnx-file.ts';
import {
  bytes,
  int,
  modelBytes,
  tensorProto,
  text,
} from '../../packages/onnx/test/helpers/encode.ts';

const folder = mkdtempSync(join(tmpdir(), 'baton-onnx-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file with a model whose weight lies at `location`, and whose input `s` is a shape. */
function modelFile(name: string, location: string): string {
  const entry = (key: string, value: string) => bytes(13, [...text(1, key), ...text(2, value)]);
  const places = [...entry('location', location), ...entry('offset', '4'), ...entry('length', '8')];
  const path = join(folder, name);
  const model = modelBytes({
    nodes: [
      { op: 'Reshape', in: ['x', 's'], out: ['r'] },
      { op: 'Add', in: ['r', 'w'] },
    ],
    inputs: [
      { name: 'x', dims: ['n', 2] },
      { name: 's', dims: [2], type: 7 },
    ],
    initializers: [{ name: 'w', dims: [2], extra: [...places, ...int(14, 1)] }],
  });
  writeFileSync(path, model);
  return path;
}

writeFileSync(join(folder, 'weights.bin'), new Uint8Array(new Float32Array([9, 1, 2]).buffer));
writeFileSync(join(folder, 's.pb'), Uint8Array.from(tensorProto({ dims: [2], ints: [3, 2] })));

const choices = { dims: { n: 3 }, constants: { s: '3,2' } };

describe('O.12 an ONNX file', () => {
  test('O.12 has its weights beside it, and constants from the command line', async () => {
    const loaded = orThrow(await onnxSubject(modelFile('a.onnx', 'weights.bin'), choices).load());
    expect(Object.keys(loaded.inputs)).toEqual(['x']);
  });

  test('O.12 takes a constant from a file', async () => {
    const constants = { s: join(folder, 's.pb') };
    const file = modelFile('b.onnx', 'weights.bin');
    orThrow(await onnxSubject(file, { ...choices, constants }).load());
  });

  test.each([
    ['../weights.bin', { s: '3,2' }, 'nothing at ../weights.bin'],
    ['none.bin', { s: '3,2' }, 'nothing at none.bin'],
    ['weights.bin', { s: 'three' }, 'expected a list of numbers as the constant s, found three'],
    ['weights.bin', { z: '3' }, 'expected one of the inputs in the option constants, found z'],
  ])('O.12 with data in %s and constants %j is refused', async (location, constants, message) => {
    const file = modelFile('c.onnx', location);
    const result = await onnxSubject(file, { ...choices, constants }).load();
    expect(isLeft(result) && result.left[0].message).toContain(message);
  });

  test('O.12 the command line takes dimensions by input and axis, and constants', () => {
    expect(readArguments(['--dim', 'x:0=3', '--constant', 's=3,2'])).toMatchObject({
      dims: { 'x:0': 3 },
      constants: { s: '3,2' },
    });
    expect(readArguments(['--constant', 's'])).toMatch(/^--constant expects NAME=VALUE/);
  });
});
