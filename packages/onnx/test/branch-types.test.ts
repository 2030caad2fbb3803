/** The result of a branch has the sizes that both branches have, and no others. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const outputTypeOf = (then: string, otherwise: string): string | undefined => {
  const text = `#[version = "0.0.5"]
    def @main(%c: bool, %x: Tensor[${then}, float32], %y: Tensor[${otherwise}, float32]) {
      if (%c) { exp(%x) } else { exp(%y) } }`;
  const file = orThrow(exportOnnx(orThrow(parseModule(text, { ops: standardOps }))));
  const type = orThrow(decodeModel(file)).graph?.outputs[0]?.type;
  if (type?._tag !== 'Tensor') return undefined;
  return type.shape?.map((dim) => (typeof dim === 'number' ? dim : 'open')).join(', ');
};

test.each([
  ['(2, 3)', '(2, 3)', '2, 3'],
  ['(2, 3)', '(2, ?)', '2, open'],
  ['(?, 3)', '(2, 3)', 'open, 3'],
  ['(?, 3)', '(2, ?)', 'open, open'],
])('%s or %s', (then, otherwise, sizes) => {
  expect(outputTypeOf(then, otherwise)).toBe(sizes);
});
