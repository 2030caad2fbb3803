/** `baton bisect` on passes and rules of the user's own. */

import { diagnostic } from '@baton/base';
import { fail, parseModule, pass, passes, rule, ruleSet } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';
import { wrong } from './wrong-pass.ts';

const RELAY = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) { tanh(%x) * 2f }
`;
const files = { 'm.relay': RELAY };

const broken = pass({
  name: 'Broken',
  doc: 'Fails.',
  level: 0,
  run: () => fail(diagnostic('MINE', 'this pass has failed')),
});

describe('bisect', () => {
  it('finds no fault in the passes of a level', async () => {
    const { code, out } = await baton(['bisect', 'm.relay'], files);
    expect([code, out]).toEqual([EXIT.ok, 'no pass changes what the model computes']);
  });

  it('names a pass that changes values, and writes what it is given', async () => {
    const config = { passes: [passes.deadCodeElimination, wrong, passes.foldConstant] };
    const argv = ['bisect', 'm.relay', '-o', 'before.relay'];
    const { code, out, text } = await baton(argv, files, { config });
    expect([code, out]).toEqual([
      EXIT.findings,
      expect.stringMatching(/^Wrong, pass \d+ of the pipeline, changes what the model computes$/),
    ]);
    expect(parseModule(text('before.relay'))._tag).toBe('Right');
    expect(text('before.relay')).not.toContain('add');
  });

  it('names a pass that fails, with its problem', async () => {
    const { code, out, log } = await baton(['bisect', 'm.relay', '--json'], files, {
      config: { passes: [broken] },
    });
    expect([code, log]).toEqual([EXIT.findings, expect.stringContaining('this pass has failed')]);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'baton.bisect/1',
      pass: 'Broken',
      fault: 'fails',
    });
  });

  it('finds rules that are wrong', async () => {
    const mine = ruleSet('mine', [rule('lie', 'tanh(?a) * 2f', 'tanh(?a)')]);
    const argv = ['bisect', 'm.relay', '--rules', 'mine.mjs'];
    const { code, out } = await baton(argv, files, { modules: { 'mine.mjs': { mine } } });
    expect([code, out]).toEqual([EXIT.findings, expect.stringContaining('Greedy')]);
  });
});
