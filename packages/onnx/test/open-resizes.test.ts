/** Images of which only the run knows a size, enlarged by other scales than whole ones. */
import { orThrow } from '@baton/base';
import { evaluate } from '@baton/executor';
import { decodeModel, exportOnnx, importOnnx, portsOf, rereadOnnx } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { fromNumbers, shapeSize, type Tensor, toNumbers } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const dataOf = (shape: ReadonlyArray<number>): Tensor =>
  fromNumbers(
    Float64Array.from({ length: shapeSize(shape) }, (_, i) => i),
    shape,
    'float32',
  );

describe('O: an upsampling of open sizes comes back with its size and values', () => {
  // The operator rounds the size of its result, and ONNX rounds it down.
  it.each([
    ['(2, n, 5, 3)', 'scale_h=1.5f, scale_w=2f', [2, 4, 5, 3]],
    ['(n, 1, 3, 5)', 'scale_h=2f, scale_w=1.5f', [2, 1, 3, 5]],
    ['(n, 1, 3, 5)', 'scale_h=2f, scale_w=1.5f, method="bilinear"', [3, 1, 3, 5]],
    ['(n, 1, 5, 3)', 'scale_h=0.5f, scale_w=2f', [2, 1, 5, 3]],
    ['(n, 4, 4, 2)', 'scale_h=1.25f, scale_w=1f', [2, 4, 4, 2]],
    ['(n, 2, m, 5)', 'scale_h=2f, scale_w=1f, layout="NHWC"', [1, 2, 3, 5]],
    ['(n, m, 5, 3)', 'scale_h=1f, scale_w=2f, layout="NHWC"', [2, 3, 5, 3]],
    ['(n, m, 5, 3)', 'scale_h=1f, scale_w=2f', [2, 3, 5, 3]],
    ['(n, 1, m, 3)', 'scale_h=1f, scale_w=3f', [2, 1, 4, 3]],
    ['(n, 1, 3, m)', 'scale_h=2f, scale_w=1f, method="bilinear"', [2, 1, 3, 4]],
    ['(n, 3, m, 2)', 'scale_h=2f, scale_w=1f, layout="NHWC", method="bilinear"', [2, 3, 4, 2]],
  ] as const)('%s %s', (type, attrs, shape) => {
    const text = `#[version = "0.0.5"]
def @main[n: ShapeVar, m: ShapeVar](%x: Tensor[${type}, float32]) { nn.upsampling(%x, ${attrs}) }`;
    const m = orThrow(parseModule(text, { ops: standardOps }));
    const file = orThrow(exportOnnx(m));
    const back = orThrow(rereadOnnx(orThrow(portsOf(m)), file, { ops: standardOps })).module;
    const x = dataOf(shape);
    const wanted = orThrow(evaluate(m, [x])) as Tensor;
    const found = back && (orThrow(evaluate(back, [x])) as Tensor);
    expect([found?.shape, found && Array.from(toNumbers(found))]).toEqual([
      wanted.shape,
      Array.from(toNumbers(wanted)),
    ]);
  });

  it('stays one node where scales say it', () => {
    const m = orThrow(
      parseModule(
        `#[version = "0.0.5"]
def @main[n: ShapeVar, m: ShapeVar](%x: Tensor[(n, 1, m, 3), float32]) { nn.upsampling(%x, scale_h=1f, scale_w=3f) }`,
        { ops: standardOps },
      ),
    );
    const again = exportOnnx(orThrow(importOnnx(orThrow(exportOnnx(m)), { ops: standardOps })));
    const nodes = orThrow(decodeModel(orThrow(again))).graph?.nodes ?? [];
    expect(nodes.map(({ opType }) => opType)).toEqual(['Resize']);
  });
});
