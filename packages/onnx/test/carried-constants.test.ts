/** A constant that a node needs in a wider type is cast when the file is written, unless it is large. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';
import { bound } from '../src/export/misfit.ts';

test.each([
  [64, 'Cast Add Cast'],
  [65, 'Cast Cast Add Cast'],
])('of %i elements', (size, nodes) => {
  const text = `#[version = "0.0.5"]
    def @main(%x: Tensor[(${size}), int8]) { %x + arange(0i8, ${size}i8, 1i8, dtype="int8") }`;
  const m = orThrow(parseModule(text, { ops: standardOps }));
  const file = orThrow(decodeModel(orThrow(exportOnnx(m, { opset: 13 }))));
  expect(file.graph?.nodes.map(({ opType }) => opType).join(' ')).toBe(nodes);
});

test('a node without inputs has no parameters to bind', () => {
  expect(bound([], [])).toEqual([]);
  expect(bound([undefined], [])).toBeUndefined();
});
