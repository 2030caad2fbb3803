/** `baton prove` on rules of the user's own. */
import * as proofs from '@baton/proofs';
import { openSolver } from '@baton/proofs/z3';
import { rule, ruleSet } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { proofsOf } from '../../packages/cli/src/node-proofs.ts';
import { baton } from '../../packages/cli/test/memory-host.ts';

const mine = ruleSet('mine', [
  rule('neutral', '?x * 1', '?x'),
  rule('lie', 'maximum(?x, ?y)', '?x'),
  rule('rounding', '(?x + ?y) - ?y', '?x'),
  rule('unconditional', 'transpose(?x, axes=[1, 0])', '?x'),
]);
const modules = {
  'mine.mjs': { mine },
  'other.mjs': { other: ruleSet('other', rule('own', 'my.op(?x)', '?x')) },
};
const parts = async () => ({ modules, proofs: await proofsOf({ ...proofs, openSolver }) });

describe('prove', () => {
  it('tells which rules are proved, and what refutes the others', async () => {
    const { code, out, log } = await baton(['prove', 'mine.mjs'], {}, await parts());
    const lines = out.split('\n');
    expect([code, log, lines.length]).toEqual([1, '', 4]);
    expect(lines[0]).toMatch(/^neutral: proved: /);
    expect(lines[1]).toMatch(/^lie: refuted: .*=/);
    expect(lines[2]).toMatch(/^rounding: refuted: /);
    expect(lines[3]).toMatch(/^unconditional: (refuted|tested): /);
  });

  it('proves the rules that are named', async () => {
    const argv = ['prove', 'mine.mjs', '--rule', 'neutral', '--json'];
    const { code, out } = await baton(argv, {}, await parts());
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'baton.prove/1',
      rules: [{ name: 'neutral', state: 'proved', range: 'kept' }],
    });
  });

  it('says of a rule about an operator that Baton does not have that it is not understood', async () => {
    const { code, out, log } = await baton(['prove', 'other.mjs'], {}, await parts());
    expect([code, out]).toEqual([1, 'own: not understood']);
    expect(log).toContain('my.op');
  });

  it.each([
    [['mine.mjs', '--rule', 'none'], 3, 'it has no rule none'],
    [['no.mjs'], 3, 'no.mjs cannot be read'],
    [[], 2, 'FILE.mjs'],
  ])('refuses %j', async (argv, exit, message) => {
    const { code, log } = await baton(['prove', ...argv], {}, { modules });
    expect([code, log]).toEqual([exit, expect.stringContaining(message)]);
  });

  it('says which package it needs', async () => {
    const { code, log } = await baton(['prove', 'mine.mjs'], {}, { modules });
    expect([code, log]).toEqual([3, expect.stringContaining('@baton/proofs is not found')]);
  });
});
