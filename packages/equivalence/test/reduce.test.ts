import { isLeft, orThrow } from '@baton/base';
import { checkPass, type Reduction, reduce } from '@baton/equivalence';
import { type IRModule, postOrderExprs } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { toNumbers } from '@baton/tensor';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { read, renaming } from './support.ts';

const large = read(`def @helper(%a: Tensor[(6, 5), float32]) { tanh(%a) }
def @main(%x: Tensor[(6, 5), float32], %y: Tensor[(6, 5), float32], %c: bool) {
  %0 = @helper(%x);
  let %t = (nn.relu(%0), %y * 3f, exp(%y));
  %1 = %t.0 + %t.1;
  %2 = if (%c) { sigmoid(%1 + %x) } else { %1 };
  %3 = transpose(%2, axes=[1, 0]);
  (sum(%3, axis=[1]), concatenate((%2, %1), axis=1), %t.2)
}`);

const has =
  (name: string) =>
  (m: IRModule): boolean =>
    postOrderExprs([...m.functions.values()]).some((e) => e._tag === 'Op' && e.name === name);

const reduced = (...args: Parameters<typeof reduce>): Reduction => orThrow(reduce(...args));

describe('reduce', () => {
  test.each(['sigmoid', 'transpose', 'concatenate', 'nn.relu', 'tanh', 'sum'])(
    'a program that has %s becomes one call',
    (name) => {
      const found = reduced(large, has(name));
      expect(found.stop).toBe('minimal');
      expect(found.calls).toBe(1);
      expect(found.module.functions.size).toBe(1);
    },
  );

  test('dimensions shrink, and the text reads back', () => {
    const found = reduced(large, has('sum'));
    const text = printModule(found.module);
    expect(text).toContain('Tensor[(1, 1), float32]');
    const again = parseModule(text, { ops: standardOps });
    expect(isLeft(again)).toBe(false);
  });

  test('the part of the program on which a wrong pass fails is kept', () => {
    const wrong = renaming('nn.relu', 'abs');
    const stillFails = (m: IRModule): boolean => {
      const found = checkPass(wrong, m);
      return !isLeft(found) && found.right.equivalence.verdict === 'different';
    };
    const found = reduced(large, stillFails);
    expect(found.calls).toBe(1);
    expect(has('nn.relu')(found.module)).toBe(true);
  });

  test('a budget is not passed over in silence', () => {
    const found = reduced(large, has('sum'), { maxAttempts: 2 });
    expect(found.stop).toBe('budget');
    expect(found.attempts).toBe(2);
  });

  test('U.7 a program that does not fail is refused', () => {
    const found = reduce(large, () => false);
    expect(isLeft(found) && found.left[0].code).toBe('EQUIV_NO_FAILURE');
  });

  test('U.4 an unknown function is refused, with the known ones', () => {
    const found = reduce(large, has('sum'), { entry: 'mian' });
    expect(isLeft(found) && found.left[0].hint).toBe(
      'did you mean `@main`? there is @helper, @main',
    );
  });

  test.each([
    ['int32', '7', [1, 2, -1]],
    ['uint8', '7u8', [1, 2]],
    ['bool', 'False', [1]],
    ['float32', '7f', [1, 2, 0.5, -1]],
  ])('a constant of %s becomes a plain number of its type, or stays', (dtype, written, plain) => {
    const m = read(`def @main(%x: Tensor[(2), ${dtype}]) { equal(%x, ${written}) }`);
    const constantsOf = (of: IRModule): ReadonlyArray<number> =>
      postOrderExprs([...of.functions.values()]).flatMap((e) =>
        e._tag === 'Constant' && e.data.dtype === dtype ? [Number(toNumbers(e.data)[0])] : [],
      );
    const [own = Number.NaN] = constantsOf(m);
    for (const number of [...plain, own]) {
      const found = reduced(m, (of) =>
        constantsOf(of).some((value) => value === number || value === own),
      );
      expect(constantsOf(found.module)).toEqual([number]);
    }
    const others = reduced(m, (of) => constantsOf(of).some((value) => !plain.includes(value)));
    expect(constantsOf(others.module)).toEqual([own]);
  });

  test('deterministic', () => {
    const text = (): string => printModule(reduced(large, has('sum')).module);
    expect(text()).toBe(text());
  });
});
