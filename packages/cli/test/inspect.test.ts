/** U7: `baton inspect` prints the names that `--dim` takes, columns that do not collide, and nodes. */
import { encodeModel, type ModelProto } from '@baton/onnx';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

/** A model with one Relu on an input of these dimensions. */
function modelOf(dims: ReadonlyArray<string | number>, name = 'x'): Uint8Array {
  const shape = dims.map((dim) => (typeof dim === 'number' ? BigInt(dim) : dim));
  const value = (label: string) => ({
    name: label,
    type: { _tag: 'Tensor', elemType: 1, shape } as const,
  });
  const node = { name: 'act', opType: 'Relu', domain: '', overload: '', attributes: [] };
  const model: ModelProto = {
    irVersion: 8,
    opsetImports: [{ domain: '', version: 17 }],
    functions: [],
    graph: {
      name: 'g',
      nodes: [{ ...node, inputs: [name], outputs: ['y'] }],
      initializers: [],
      sparseInitializers: [],
      inputs: [value(name)],
      outputs: [value('y')],
    },
  };
  return new Uint8Array(Buffer.concat([...encodeModel(model)]));
}

describe('the names of open dimensions', () => {
  it.each([
    ['unk__653'],
    ['N'],
    ['batch_1'],
    ['batch size'],
    ['1'],
    ['None'],
    ['int32'],
    ['a.b/c'],
    ['?'],
    [''],
    ['Tensor'],
  ])('%j is printed as --dim takes it', async (dim) => {
    const files = { 'm.onnx': modelOf([dim, 3]) };
    const { code, out } = await baton(['inspect', 'm.onnx', '--json'], files);
    expect(code).toBe(EXIT.ok);
    const { dims, inputs } = JSON.parse(out);
    const [name] = dims;
    expect([dims.length, inputs.x]).toEqual([1, `Tensor[(${name}, 3), float32]`]);
    const sized = await baton(['inspect', 'm.onnx', `--dim=${name}=7`, '--json'], files);
    expect([sized.code, sized.log]).toEqual([EXIT.ok, '']);
    expect(JSON.parse(sized.out)).toMatchObject({
      dims: [],
      inputs: { x: 'Tensor[(7, 3), float32]' },
    });
  });

  it('that are alike up to their numbers stay apart', async () => {
    const { out } = await baton(['inspect', 'm.onnx'], { 'm.onnx': modelOf(['unk__1', 'unk__2']) });
    expect(out).toMatch(/^input x +Tensor\[\(unk__1, unk__2\), float32\]$/m);
    expect(out).toMatch(/^open \(--dim\) +unk__1, unk__2$/m);
  });
});

it('columns are apart under long names', async () => {
  const name = 'a_name_of_an_input_that_is_longer_than_a_column';
  const { out } = await baton(['inspect', 'm.onnx'], { 'm.onnx': modelOf([2], name) });
  expect(out).toContain(`input ${name}  Tensor[(2), float32]`);
  const starts = out.split('\n').map((line) => /^.*?\S {2,}(?=\S)/.exec(line)?.[0].length);
  expect(new Set(starts.slice(0, 6)).size).toBe(1);
});

describe('--nodes', () => {
  it('has a row for each node of an ONNX file', async () => {
    const files = { 'm.onnx': modelOf(['n', 2]) };
    const { out } = await baton(['inspect', 'm.onnx', '--nodes'], files);
    expect(out).toBe('act  nn.relu  Tensor[(n, 2), float32]');
    const json = await baton(['inspect', 'm.onnx', '--nodes', '--json'], files);
    expect(JSON.parse(json.out).list).toEqual([
      { name: 'act', operator: 'nn.relu', result: 'Tensor[(n, 2), float32]' },
    ]);
  });

  it('names places of Relay text, in functions and branches', async () => {
    const text = `#[version = "0.0.5"]
def @f(%x: float32) { exp(%x) }
def @main(%c: bool, %x: float32) { if (%c) { @f(%x) } else { tanh(%x) } }
`;
    const { out } = await baton(['inspect', 'm.relay', '--nodes'], { 'm.relay': text });
    expect(out.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
      'm.relay:2:23 exp float32',
      'm.relay:3:46 @f float32',
      'm.relay:3:62 tanh float32',
      'm.relay:3:36 if float32',
    ]);
  });
});

describe('--lowered', () => {
  it('prints the kernels of `main`, and their memory', async () => {
    const files = { 'm.onnx': modelOf([2, 3]) };
    const { code, out } = await baton(['inspect', 'm.onnx', '--lowered'], files);
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      EXIT.ok,
      ['b0 = max(p0, 0) in vectors', 'result b0'],
    ]);
    const { out: json } = await baton(['inspect', 'm.onnx', '--lowered', '--json'], files);
    expect(JSON.parse(json).lowered).toEqual(out.trimEnd().split('\n'));
  });

  it('names what of a program is no dataflow of known sizes', async () => {
    const { code, log } = await baton(['inspect', 'm.onnx', '--lowered'], {
      'm.onnx': modelOf(['N', 3]),
    });
    expect(code).not.toBe(EXIT.ok);
    expect(log).toContain('WASM_NO_DATAFLOW');
  });
});
