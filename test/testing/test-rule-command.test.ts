/** `baton test-rule` on rules of the user's own. */
import * as testing from '@baton/testing';
import { rule, ruleSet } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { baton } from '../../packages/cli/test/memory-host.ts';

const mine = ruleSet('mine', [
  rule('neutral', '?x * 1', '?x'),
  rule('lie', 'tanh(?x)', '?x', { needs: [] }),
]);
const parts = { modules: { 'mine.mjs': { mine } }, testing };

describe('test-rule', () => {
  it('tells which rules change results, with a program', async () => {
    const argv = ['test-rule', 'mine.mjs', '--count', '5'];
    const { code, out, log } = await baton(argv, {}, parts);
    expect(code).toBe(1);
    expect(out).toMatch(/^neutral +\d+ +\d+ +same results$/m);
    expect(out).toMatch(/^lie +other results$/m);
    expect(log).toContain('TESTING_RULE_DIFFERENT');
  });

  it('tests the rules that are named', async () => {
    const argv = [
      'test-rule',
      'mine.mjs',
      '--rule',
      'neutral',
      '--count',
      '5',
      '--seed',
      '3',
      '--json',
    ];
    const { code, out } = await baton(argv, {}, parts);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'baton.test-rule/1',
      rules: [{ name: 'neutral', result: 'same results' }],
    });
  });

  it.each([
    [['mine.mjs', '--rule', 'none'], 3, 'it has no rule none'],
    [['mine.mjs', '--count', 'x'], 2, '--count expects a number'],
    [['no.mjs'], 3, 'no.mjs cannot be read'],
  ])('refuses %j', async (argv, exit, message) => {
    const { code, log } = await baton(['test-rule', ...argv], {}, parts);
    expect([code, log]).toEqual([exit, expect.stringContaining(message)]);
  });

  it('says which package it needs', async () => {
    const { code, log } = await baton(['test-rule', 'mine.mjs'], {}, { modules: parts.modules });
    expect([code, log]).toEqual([3, expect.stringContaining('@baton/testing is not found')]);
  });
});
