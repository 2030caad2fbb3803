/** onnxruntime as the reference: tensors of each element type both ways, and refusals as diagnostics. */
import { orThrow } from '@baton/base';
import { type DType, fromNumbers, reverseView, tensorsEqual } from '@baton/tensor';
import { exportOnnx, parseModule } from 'batonjs';
import { afterAll, describe, expect, it } from 'vitest';
import { requireRuntime } from '../src/onnxruntime/installed.ts';
import { startRuntime } from '../src/onnxruntime/process.ts';

const TYPES: ReadonlyArray<DType> = [
  ...(['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64'] as const),
  ...(['uint64', 'float16', 'float32', 'float64'] as const),
];

/** A file that reshapes a vector of three elements. */
const reshaping = (dtype: DType): Uint8Array => {
  const text = `def @main(%x: Tensor[(3), ${dtype}]) { reshape(%x, newshape=[3, 1]) }`;
  return orThrow(exportOnnx(orThrow(parseModule(`#[version = "0.0.5"]\n${text}`))));
};

const given = (dtype: DType, shape = [3]) =>
  fromNumbers(dtype === 'bool' ? [1, 0, 0] : [1, 2, 3], shape, dtype);

const other = startRuntime();
afterAll(() => other?.stop());

describe.each([
  ['in this process', requireRuntime()],
  ['in another process', other ?? requireRuntime()],
])('onnxruntime %s', (_, runtime) => {
  it.each(TYPES)('keeps the elements of %s, of a view too, in each sample', async (dtype) => {
    const backwards = reverseView(given(dtype), [0]);
    const samples = [given(dtype), backwards].map((x) => new Map([['x', x]]));
    const found = orThrow(await runtime.run(reshaping(dtype), samples));
    const [first, second] = found.map((outputs) => [...outputs.values()]);
    expect(first?.map((t) => tensorsEqual(t, given(dtype, [3, 1])))).toEqual([true]);
    const wanted = reverseView(given(dtype, [3, 1]), [0]);
    expect(second?.map((t) => tensorsEqual(t, wanted))).toEqual([true]);
  });

  it('refuses what is no model, and goes on', async () => {
    const refused = await runtime.run(Uint8Array.of(1, 2, 3), [new Map()]);
    expect(refused).toMatchObject({ _tag: 'Left', left: [{ code: 'CLI_RUNTIME' }] });
    const ran = await runtime.run(reshaping('float32'), [new Map([['x', given('float32')]])]);
    expect(ran._tag).toBe('Right');
  });
});
