/** `baton quantize` on files in memory. */
import { decodeModel } from '@baton/onnx';
import { writeNpy } from '@baton/tensor/npy';
import { exportOnnx, importOnnx, models, orThrow, printModule, tensor } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { expectFile } from '../../../test/blessed.ts';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const mlp = orThrow(exportOnnx(models.mlp({ hidden: [96], inputs: 64, classes: 40 })));

interface Told {
  readonly bytes: { readonly before: number; readonly after: number };
  readonly errors: { readonly max: number; readonly mean: number; readonly top1: number };
  readonly samples: { readonly calibration: number; readonly heldOut: number };
}

async function quantized(...options: ReadonlyArray<string>) {
  const argv = ['quantize', 'm.onnx', '-o', 'q.onnx', '--json', ...options];
  const { code, out, files, log } = await baton(argv, { 'm.onnx': mlp.slice() });
  expect(log).toBe('');
  expect(code).toBe(EXIT.ok);
  const bytes = files.get('q.onnx') as Uint8Array;
  const nodes = orThrow(decodeModel(bytes)).graph?.nodes.map(({ opType }) => opType) ?? [];
  return { told: JSON.parse(out) as Told, nodes, bytes };
}

describe('quantize', () => {
  it('rounds operands and weights of products, and tells the error', async () => {
    const { told, nodes, bytes } = await quantized('--random', '3', '--per-channel');
    expect(nodes.filter((name) => name === 'QuantizeLinear')).toHaveLength(2);
    expect(nodes.filter((name) => name === 'DequantizeLinear')).toHaveLength(4);
    expect(told.bytes).toEqual({ before: mlp.length, after: bytes.length });
    expect(bytes.length / mlp.length).toBeLessThan(0.35);
    expect(told.samples).toEqual({ calibration: 3, heldOut: 3 });
    expect(told.errors.max).toBeGreaterThan(0);
    expect(told.errors.max).toBeLessThan(0.05);
    expect(told.errors.mean).toBeLessThan(told.errors.max);
    expect(told.errors.top1).toBe(1);
  });

  it('rounds weights alone to 8 or 4 bits', async () => {
    const [eight, four] = [
      await quantized('--weights-only', '8'),
      await quantized('--weights-only', '4'),
    ];
    expect(eight.nodes).not.toContain('QuantizeLinear');
    for (const { nodes } of [eight, four]) {
      expect(nodes.filter((name) => name === 'MatMulNBits')).toHaveLength(2);
    }
    expect(four.bytes.length).toBeLessThan(eight.bytes.length);
    expect(eight.told.errors.max).toBeLessThan(four.told.errors.max);
    expect(four.told.errors.max).toBeLessThan(0.3);
  });

  it('takes samples from a folder, and holds every fourth out', async () => {
    const sample = (seed: number): Uint8Array =>
      writeNpy(
        tensor(
          Float32Array.from({ length: 64 }, (_, i) => Math.sin(i * seed)),
          [1, 64],
          'float32',
        ),
      );
    const given = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`data/${i}.npy`, sample(i)]));
    const argv = ['quantize', 'm.onnx', '-o', 'q.onnx', '--data', 'data', '--json'];
    const { code, out } = await baton(argv, {
      'm.onnx': mlp.slice(),
      ...given,
      'data/notes.txt': '',
    });
    expect(code).toBe(EXIT.ok);
    expect((JSON.parse(out) as Told).samples).toEqual({ calibration: 3, heldOut: 2 });
  });

  it.each([
    ['for each output', ['--per-channel'], '100 %', 'quantized-along-outputs.txt'],
    ['for all', [], '0.00 %', 'quantized.txt'],
  ])(
    'writes the bounds of the samples as scales, of a weight %s',
    async (_, options, share, expected) => {
      // Fewer outputs would not be worth rounding the data.
      const rows = [1, 0.5, -0.002, 0.001, ...new Array<number>(28).fill(0)];
      const text = `#[version = "0.0.5"]
def @main(%x: Tensor[(1, 2), float32]) {
  nn.relu(nn.dense(%x, meta[relay.Constant][0]))
}

#[metadata]
{"relay.Constant": [{"dtype":"float32","shape":[16,2],"data":[${rows}]}]}
`;
      const sample = writeNpy(tensor(Float32Array.of(-1, 1.55), [1, 2], 'float32'));
      const argv = ['quantize', 'm.relay', '-o', 'q.onnx', '--data', 'data', ...options];
      const { code, out, files } = await baton(argv, { 'm.relay': text, 'data/a.npy': sample });
      expect(code).toBe(EXIT.ok);
      expect(out).toMatch(new RegExp(`^same top-1 index +${share} +on 1 held-out samples$`, 'm'));
      const m = orThrow(importOnnx(files.get('q.onnx') as Uint8Array));
      expectFile(new URL(expected, import.meta.url), `${printModule(m)}\n`);
    },
  );

  it.each([
    [['--random', 'many'], '--random expects a number of samples'],
    [['--weights-only', '2'], '--weights-only expects 8 or 4'],
    [['--data', 'none'], 'there is no such file or folder'],
    [['--data', 'none', '--random', '2'], 'are both given'],
  ])('refuses %j', async (options, message) => {
    const { code, log } = await baton(['quantize', 'm.onnx', '-o', 'q.onnx', ...options], {
      'm.onnx': mlp.slice(),
    });
    expect(code).not.toBe(EXIT.ok);
    expect(log).toContain(message);
  });

  it('wants an output, and all inputs in a file', async () => {
    const { code, log } = await baton(['quantize', 'm.onnx'], { 'm.onnx': mlp.slice() });
    expect([code, log]).toEqual([EXIT.usage, expect.stringContaining('no output is named')]);
  });
});
