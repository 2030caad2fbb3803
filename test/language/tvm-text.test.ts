/** T.1 The text that TVM Relay reads. `pnpm bench:tvm`, run by hand, asks TVM about it. */
import { isLeft, orThrow } from '@baton/base';
import { constant, func, type IRModule, inferTypes, irModule, structuralEqual } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { DTYPES, splat, type Tensor, tensor, toBytes, toNumbers } from '@baton/tensor';
import { programOf } from '@baton/testing';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const read = (text: string): IRModule =>
  orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
const forTvm = (m: IRModule): string =>
  printModule(m, { dialect: 'tvm', showTypes: false, header: false, meta: 'section' });

const bodyForTvm = (params: string, body: string): string => {
  const text = forTvm(read(`#[version = "0.0.5"]\ndef @main(${params}) { ${body} }`));
  return text.split('\n')[1]?.trim() ?? '';
};

describe('T.1 the text for TVM', () => {
  it.each([
    ['%x: Tensor[(2, 3), float32]', 'nn.dense(%x, %x)', 'nn.dense(%x, %x, units=None)'],
    ['%x: Tensor[(2, 2), float32]', 'nn.matmul(%x, %x)', 'nn.matmul(%x, %x, units=None)'],
    ['%x: Tensor[(2, 3), float32]', 'transpose(%x)', 'transpose(%x, axes=None)'],
    ['%x: Tensor[(2, 3), float32]', 'sum(%x, axis=1)', 'sum(%x, axis=[1])'],
    ['%x: Tensor[(2, 3), float32]', 'shape_of(%x)', 'shape_of(%x, dtype="int32")'],
    ['%x: Tensor[(2, 3), float32]', 'nn.relu(%x)', 'nn.relu(%x)'],
    [
      '%x: Tensor[(2, 3), float32]',
      'cumsum(%x, axis=1)',
      'cumsum(%x, axis=1, attrs_type_key="relay.attrs.ScanopAttrs")',
    ],
    [
      '',
      'arange(0f, 3f, 1f)',
      'arange(0f, 3f, 1f, start=None, stop=None, step=None, dtype="float32")',
    ],
    [
      '%x: Tensor[(1, 2, 5), float32], %w: Tensor[(3, 2, 2), float32]',
      'nn.conv1d(%x, %w, padding=[1])',
      'nn.conv1d(%x, %w, padding=[1, 1])',
    ],
    [
      '%x: Tensor[(1, 2, 5, 5), float32]',
      'image.resize2d(%x, size=[3, 3])',
      'image.resize2d(%x, size=[3, 3], roi=[0f, 0f, 0f, 0f])',
    ],
    [
      '%x: Tensor[(2, 3), float32], %s: Tensor[(1), int32]',
      'collapse_sum_to(%x, %s)',
      'collapse_sum_to(%x, %s, shape=None, dtype="", attrs_type_key="relay.attrs.InitOpAttrs")',
    ],
    ['', '1u8', 'meta[relay.Constant][0]'],
    ['', '1.5f64', '1.5f64'],
  ])('of %s, %s', (params, body, expected) => {
    expect(bodyForTvm(params, body)).toBe(expected);
  });

  it('is read back, constants bit for bit', () => {
    for (const dtype of DTYPES) {
      const data: Tensor = splat([2, 0, 3], dtype, 1);
      const filled: Tensor = splat([2, 3], dtype, 1);
      for (const one of [data, filled, splat([], dtype, 1)]) {
        const m = irModule({
          ops: standardOps,
          functions: new Map([['main', func([], constant(one))]]),
        });
        const text = printModule(m, { dialect: 'tvm' });
        const again = orThrow(parseModule(text, { ops: standardOps }));
        const body = again.functions.get('main')?.body;
        if (body?._tag !== 'Constant') throw new Error('a constant stays a constant');
        expect(body.data.dtype).toBe(dtype);
        expect(body.data.shape).toEqual(one.shape);
        expect(toBytes(body.data)).toEqual(toBytes(one));
      }
    }
  });

  it('says the same program: the additions equal the defaults', () => {
    let found = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const { module } = programOf(seed, { maxCalls: 8 });
      const again = orThrow(
        parseModule(printModule(module, { dialect: 'tvm' }), { ops: standardOps }),
      );
      const text = printModule(again, { dialect: 'tvm', showTypes: false });
      expect(text).toBe(printModule(module, { dialect: 'tvm', showTypes: false }));
      if (structuralEqual(again, module)) found++;
    }
    expect(found).toBeGreaterThan(30);
  });

  it('has a metadata section as TVM 0.16 writes it, which is read', () => {
    const section = `{
  "root": 1, "nodes": [
    {"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
    {"type_key": "Array", "data": [3]},
    {"type_key": "relay.Constant", "attrs": {
      "_checked_type_": "6", "data": "0", "span": "0", "virtual_device_": "4"}}
  ],
  "b64ndarrays": ["P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQACAAAAAAAAAAMAAAAAAAAAGAAAAAAAAAAAAAAAAACAPwAAAEAAAEBAAACAQAAAoEA="],
  "attrs": {"tvm_version": "0.16.dev0"}
}`;
    const m = read(
      `#[version = "0.0.5"]\ndef @main() { meta[relay.Constant][0] }\n#[metadata]\n${section}`,
    );
    const body = m.functions.get('main')?.body;
    const wanted = tensor(Float32Array.from([0, 1, 2, 3, 4, 5]), [2, 3], 'float32');
    expect(body?._tag === 'Constant' && toNumbers(body.data)).toEqual(toNumbers(wanted));
    expect(body?._tag === 'Constant' && body.data.shape).toEqual([2, 3]);
  });

  it.each([
    ['its root is no table', '{"root": 7, "nodes": [], "b64ndarrays": []}'],
    [
      'a constant has no array',
      '{"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": [2]}, {"attrs": {"data": "0"}}], "b64ndarrays": []}',
    ],
    [
      'an array is cut off',
      '{"root": 0, "nodes": [{"keys": ["relay.Constant"], "data": [1]}, {"data": [2]}, {"attrs": {"data": "0"}}], "b64ndarrays": ["P6G0"]}',
    ],
  ])('refuses a section of which %s', (message, section) => {
    const found = parseModule(
      `#[version = "0.0.5"]\ndef @main() { meta[relay.Constant][0] }\n#[metadata]\n${section}`,
      { ops: standardOps },
    );
    expect(isLeft(found) && found.left.map((d) => d.message)).toEqual([
      `the metadata section is not valid: ${message}`,
    ]);
  });
});
