/** An operator for a formula rounds as floats do: the same formula of integers stays spelled out. */
import { orThrow } from '@baton/base';
import { decodeModel, exportOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { expect, test } from 'vitest';

const HARD = 'clip(%x + 3N, a_min=0.0, a_max=6.0)';

test.each([
  ['a hard sigmoid', `${HARD} / 6N`, 'HardSigmoid'],
  ['a hard swish', `%x * ${HARD} / 6N`, 'HardSwish'],
  ['a hard swish, divided first', `${HARD} / 6N * %x`, 'HardSwish'],
  ['a slope for each channel', 'where(%x < 0N, %x * %s, %x)', 'PRelu'],
])('%s', (_, body, name) => {
  for (const [dtype, suffix, isOne] of [
    ['float32', 'f', true],
    ['int32', '', false],
    ['int64', 'i64', false],
  ] as const) {
    const text = `#[version = "0.0.5"]
      def @main(%x: Tensor[(2, 3, 4), ${dtype}], %s: Tensor[(3, 1), ${dtype}]) {
        ${body.replaceAll('N', suffix)} }`;
    const m = orThrow(parseModule(text, { ops: standardOps }));
    const { graph } = orThrow(decodeModel(orThrow(exportOnnx(m))));
    expect(graph?.nodes.some(({ opType }) => opType === name)).toBe(isOne);
  }
});
