/** `baton bench`: executors, and the parts that have no compiled code. */
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const HEADER = '#[version = "0.0.5"]\n';
const T = 'Tensor[(16, 16), float32]';
const PLAIN = `${HEADER}def @main(%x: ${T}) { let %y = exp(%x); nn.relu(%y) }\n`;
const BRANCH = `${HEADER}def @main(%c: bool, %x: ${T}) { if (%c) { exp(%x) } else { %x } }\n`;
const inputs = ['-i', 'c=true', '--random'];

describe('bench', () => {
  it.each([['interpreter'], ['wasm'], ['oracle']])('runs on %s', async (executor) => {
    const argv = ['bench', 'm.relay', '--random', '--executor', executor];
    const { code, out, log } = await baton(argv, { 'm.relay': PLAIN });
    expect([code, log]).toEqual([EXIT.ok, '']);
    expect(out).toContain('m.relay');
  });

  it.each([[[]], [['--executor', 'wasm']]])(
    'names the parts that have no compiled code: %j',
    async (options) => {
      const argv = ['bench', 'm.relay', ...inputs, ...options];
      const { code, log } = await baton(argv, { 'm.relay': BRANCH });
      expect(code).toBe(EXIT.ok);
      expect(log).toContain('the interpreter runs if in @main');
    },
  );

  it('knows no other executor', async () => {
    const argv = ['bench', 'm.relay', '--executor', 'wsam'];
    const { code, log } = await baton(argv, { 'm.relay': PLAIN });
    expect([code, log]).toEqual([EXIT.usage, expect.stringContaining('did you mean `wasm`?')]);
  });
});
