/** U6: `baton optimize --verify` on large models, its progress, and its page. */
import { constant, func, irModule, tensorType, variable } from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { full } from '@baton/tensor';
import { exportOnnx, type IRModule, orThrow } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';
import { wrong } from './wrong-pass.ts';

/** Convolutions of about 5 million operations each. */
function network(layers = 3): IRModule {
  const x = variable('x', tensorType([1, 16, 32, 32], 'float32'));
  const w = constant(full([16, 16, 3, 3], 'float32', 0.01));
  let y = callOp(standardOps, 'exp', [x]);
  for (let i = 0; i < layers; i++) {
    y = callOp(standardOps, 'nn.conv2d', [y, w], { padding: [1, 1] });
    y = callOp(standardOps, 'nn.relu', [y]);
  }
  return irModule({ ops: standardOps, functions: new Map([['main', func([x], y)]]) });
}

const large = orThrow(exportOnnx(network()));
const small = orThrow(
  exportOnnx(
    irModule({
      ops: standardOps,
      functions: new Map([
        [
          'main',
          (() => {
            const x = variable('x', tensorType([2, 3], 'float32'));
            return func([x], callOp(standardOps, 'exp', [x]));
          })(),
        ],
      ]),
    }),
  ),
);

const argv = (...options: string[]) => [
  'optimize',
  'm.onnx',
  '-o',
  'o.onnx',
  '--verify',
  ...options,
];

describe('a large model', () => {
  it('is compared on a few inputs, with a count that ends where it says', async () => {
    const { code, stages } = await baton(argv(), { 'm.onnx': large });
    expect(code).toBe(EXIT.ok);
    const samples = stages.filter((text) => text.startsWith('comparing: '));
    expect(samples).toEqual([
      'comparing: sample 1 of 3',
      'comparing: sample 2 of 3',
      'comparing: sample 3 of 3',
    ]);
  });

  it.each([['o.onnx'], ['o.relay'], ['o.json']])(
    'that differs is not written: %s',
    async (output) => {
      const command = ['optimize', 'm.onnx', '-o', output, '--verify'];
      const { code, log, files } = await baton(
        command,
        { 'm.onnx': large },
        { config: { passes: [wrong] } },
      );
      expect([code, log]).toEqual([
        EXIT.findings,
        expect.stringContaining('does not compute what'),
      ]);
      expect(files.has(output)).toBe(false);
    },
  );

  it('is compared on all kinds of inputs with --thorough, which names the pass', async () => {
    const { code, log, stages } = await baton(
      argv('--thorough'),
      { 'm.onnx': large },
      { config: { passes: [wrong] } },
    );
    expect([code, log]).toEqual([EXIT.findings, expect.stringContaining('Wrong')]);
    expect(stages.filter((text) => text.startsWith('comparing: grid inputs (1 of 4'))).not.toEqual(
      [],
    );
  });
});

describe('a small model', () => {
  it('is compared on all kinds of inputs', async () => {
    const { code, stages } = await baton(argv(), { 'm.onnx': small });
    expect(code).toBe(EXIT.ok);
    expect(stages).toContain('comparing: special inputs (4 of 4)');
    expect(stages.some((text) => text.includes('sample'))).toBe(false);
  });
});

it.each([
  ['large', large],
  ['small', small],
])('the page of a verified %s model says so', async (_title, model) => {
  const verified = await baton(argv('--report', 'r.html'), { 'm.onnx': model });
  expect(verified.code).toBe(EXIT.ok);
  expect(verified.text('r.html')).toContain('--verify found no difference');
  const plain = await baton(['optimize', 'm.onnx', '-o', 'o.onnx', '--report', 'r.html'], {
    'm.onnx': model,
  });
  expect(plain.text('r.html')).not.toContain('--verify found no difference');
});
