/** Whether rules keep to the range of float16: one rule for each outcome. */
import { orThrow } from '@baton/base';
import { irModule } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { arithmetic, compileRules, type Rule, rule, spellings, type Term } from '@baton/rewrites';
import { fromNumbers, toNumbers } from '@baton/tensor';
import { expect, test } from 'vitest';
import { FoundCalls } from '../src/calls.ts';
import { rangeOf } from '../src/range.ts';

const calls = new FoundCalls(standardOps);

/** The verdict on a rule of operators that work element by element. */
function verdict(given: Rule): ReturnType<typeof rangeOf> {
  const [compiled] = orThrow(compileRules([given], standardOps));
  if (compiled === undefined) throw new Error(given.name);
  const m = irModule({ ops: standardOps });
  return rangeOf({ compiled, m, calls, isOfElements: true, share: 1 });
}

const shipped = (set: typeof arithmetic, name: string): Rule => {
  const found = orThrow(set).rules.find((one) => one.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

const LAW = { needs: ['nsz', 'nnan', 'ninf', 'reassoc'] } as const;

test.each([
  ['needs `range`', shipped(arithmetic, '(x * c) * c')],
  ['kept', shipped(arithmetic, '(x + c) + c')],
  ['kept', shipped(spellings, 'x / n')],
  ['needs `range`', shipped(spellings, '(x * n) * y')],
  ['guarded by `within`', shipped(arithmetic, '(x + c) * c')],
  ['not tried', orThrow(rule('integers', 'bitwise_and(?x, ?x)', '?x'))],
] as const)('W4: %s: $1.name', (state, given) => {
  expect(verdict(given)).toEqual({ state, detail: '' });
});

/** Rules that make what leaves the range without a word about it. */
const UNGUARDED: ReadonlyArray<readonly [string, ReturnType<typeof rule>]> = [
  ['a product overflows', rule('product', '(?x * ?y) * ?z', '?x * (?y * ?z)', LAW)],
  ['a square overflows', rule('square', 'abs(?x)', 'sqrt(?x * ?x)', LAW)],
  ['a sum overflows', rule('sum', '(?x + ?y) + ?z', '?x + (?y + ?z)', LAW)],
  ['a distributed sum overflows', rule('law', '?x * ?y + ?x * ?z', '?x * (?y + ?z)', LAW)],
  [
    'a condition `within` that holds always',
    rule('within', '(?x * ?y) * ?z', '?x * (?y * ?z)', {
      needs: [...LAW.needs, 'range'],
      within: () => true,
    }),
  ],
  [
    'a computed constant that is not the reciprocal of what it is multiplied with',
    rule('square of a constant', '(?x * ?c) * ?c', '?x * ?s', {
      ...LAW,
      let: { s: ({ c }: { readonly c: Term }) => squared(c) },
      when: ({ c }) => c.constant !== undefined,
    }),
  ],
];

/** The square of a constant, as far as its type has it: at most its largest number. */
const squared = ({ constant }: Term): Term['constant'] =>
  constant &&
  fromNumbers(
    Array.from(toNumbers(constant), (c) => Math.min(c * c, 60_000)),
    constant.shape,
    constant.dtype,
  );

test.each(UNGUARDED)('W4: refuted: %s', (_, given) => {
  const { state, detail } = verdict(orThrow(given));
  expect(state).toBe('left');
  expect(detail).toMatch(/^in float16, .*: \S+ and \S+$/);
});
