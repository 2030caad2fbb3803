import { runPass } from '@baton/pass-manager';
import {
  algebra,
  arithmetic,
  greedy,
  movement,
  operatorCount,
  orThrow,
  saturate,
} from '@baton/rewrites';
import { describe, expect, it } from 'vitest';
import { after, program } from './support.ts';

const rules = [arithmetic, movement, algebra];
const cheapest = saturate(rules, { cost: operatorCount });

describe('equality saturation', () => {
  it.each([
    ['0f + (1f * %x)', '%x'],
    ['(2f + %x) + 3f', 'add(%x, 5f)'],
    ['transpose(transpose(%x))', '%x'],
    ['%x * %y + %x * %z', '%0 = add(%y, %z); multiply(%x, %0)'],
  ])('%s', (body, expected) => {
    expect(after(cheapest, program('%x %y %z', body))[0]).toBe(expected);
  });

  it('finds what an order of rules hides', () => {
    // Only after the sums are turned round do the products stand side by side.
    const m = program('%x %y %z', '(%x * %y + exp(%z)) + %z * %x');
    const [made] = after(cheapest, m);
    expect(made.match(/multiply/g)).toHaveLength(1);
    expect(after(greedy(rules), m)[0].match(/multiply/g)).toHaveLength(2);
  });

  it('makes every scope cheaper by itself, and keeps what scopes share', () => {
    const m = program(
      '%x %c:bool',
      '%0 = exp(%x); if (%c) { (%0 * 1f) + 0f } else { %0 + %0 * 1f }',
    );
    expect(after(cheapest, m)[0]).toBe('%0 = exp(%x); if (%c) { %0 } else { multiply(%0, 2f) }');
  });

  it('keeps the order of what others notice', () => {
    const m = program(
      '%r:ref(float32) %x:float32',
      'let %a = ref_write(%r, 1f * %x); ref_read(%r) + 0f',
    );
    expect(after(cheapest, m)[0]).toBe(
      'let %a: () = ref_write(%r, %x); %0 = ref_read(%r); add(%0, 0f)',
    );
  });

  it('returns the same module if nothing is cheaper', () => {
    const m = orThrow(runPass(cheapest)(program('%x', 'sqrt(%x)'))).module;
    expect(orThrow(runPass(cheapest)(m)).module).toBe(m);
  });

  it('says when a limit ended it', () => {
    const terms = Array.from('abcdefghij', (name) => `%${name}`);
    const m = program(terms.join(' '), terms.join(' + '));
    const [, counts] = after(saturate(rules, { nodeLimit: 500 }), m);
    expect(counts['stopped: node limit']).toBe(1);
  });
});
