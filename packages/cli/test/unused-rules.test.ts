/** U8: own rules that are not used say why. */
import { rule, ruleSet } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const RELAY = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { tanh(%x) + sinh(%y) }
`;

const optimized = (...rules: ReadonlyArray<ReturnType<typeof rule>>) =>
  baton(
    ['optimize', 'in.relay', '-o', 'out.relay', '--rules', 'mine.mjs'],
    { 'in.relay': RELAY },
    { modules: { 'mine.mjs': { mine: ruleSet('mine', rules) } } },
  );

describe('a rule of --rules FILE', () => {
  it('that is used says nothing', async () => {
    const { code, log, text } = await optimized(
      rule('sum', 'tanh(?a) + sinh(?b)', 'tanh(?a + ?b)', { needs: ['reassoc'] }),
    );
    expect(code).toBe(EXIT.ok);
    expect(text('out.relay')).toContain('tanh(%0)');
    expect(log).not.toContain('the rule sum');
  });

  it.each([
    ['that matches nothing', rule('none', 'cosh(?a) + ?b', '?b'), 'the rule none was not used: '],
    ['that costs too much', rule('dear', 'tanh(?a)', 'sinh(?a) / cosh(?a)'), 'cost: it makes'],
    ['that matches a part', rule('part', 'tanh(?a) + tanh(?b)', 'tanh(?a)'), 'parts fit'],
  ])('%s says why', async (_title, one, message) => {
    const { code, log } = await optimized(one);
    expect([code, log]).toEqual([EXIT.ok, expect.stringContaining(message)]);
  });
});
