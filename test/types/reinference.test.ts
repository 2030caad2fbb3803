/**
 * The text of a typed program has the types of the program:
 * [types §6.1](https://batonjs.github.io/baton/spec/types#6.1).
 */
import { structuralEqual } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import { entryOf, messages, moduleOf, outcome, problems, typed, typeText } from './support.ts';

/** The module of the typed module's text, with types again. */
const again = (m: ReturnType<typeof typed>) =>
  typed(moduleOf(printModule(m).replace('#[version = "0.0.5"]\n', '')));

describe('print and infer again', () => {
  test.each<[string, string]>([
    ['a generalized let with a literal', 'let %f = fn (%x) { %x + 1 }; %f(3)'],
    ['several literals', 'let %f = fn (%n, %m) { (%n + 1, 1 + %n, %m * 2) }; %f(3, 4)'],
    [
      'recursion, generalized in a let',
      'let %f = fn (%n) { if (%n == 0) { 0 } else { %f(%n - 1) } }; %f(3)',
    ],
    [
      'relations of the same inputs with different results',
      'let %f = fn (%n) { if (%n == 0) { 1 } else { %n * %f(%n - 1) } }; %f(5)',
    ],
    [
      'a let inside a generalized let',
      'let %f = fn (%x) { let %g = fn (%y) { (%y + 1, %x + 1) }; (%g(%x), %g(2)) }; %f(3)',
    ],
    ['an operator with attributes', 'let %s = fn (%x) { sum(%x, axis=[1]) }; %s([[1f]])'],
    [
      'an operator whose attributes are the defaults',
      'let %d = fn (%x, %y) { nn.dense(%x, %y) }; %d([[1f]], [[2f]])',
    ],
    ['an operator as a value', 'concatenate'],
  ])('%s', (_title, text) => {
    const first = typed(entryOf(text));
    const second = again(first);
    expect(structuralEqual(second, first)).toBe(true);
    expect(typeText(second)).toBe(typeText(first));
  });

  test.each<[string, string]>([
    [
      'a weight that nothing determines',
      'fn (%x: Tensor[(2, 5), float32], %w) { nn.dense(%x, %w) }',
    ],
    ['a tuple of parameters', 'fn (%x: float32, %y) { concatenate((%x, %y), axis=0) }'],
  ])('a global function: %s', (_title, text) => {
    const first = typed(entryOf(text));
    expect(structuralEqual(again(first), first)).toBe(true);
  });

  it('chooses between relations of the same inputs by their results', () => {
    const text = 'def @f(%n) { if (%n == 0) { 1 } else { %n * @f(%n - 1) } }';
    const first = typed(moduleOf(text));
    expect(typeText(first, 'f')).toBe(
      '(fn [t0](t0) -> int32 where BroadcastComp(t0, int32, bool), Broadcast(t0, int32, t0), ' +
        'Broadcast(t0, int32, int32))',
    );
    expect(structuralEqual(again(first), first)).toBe(true);
  });
});

describe('relations named by operators', () => {
  test.each<[string, string, string]>([
    [
      'have the defaults of what is not written',
      'fn [a, b](%x: a) -> b where nn.softmax(a, b) { nn.softmax(%x) }',
      '(fn [a, b](a) -> b where nn.softmax(a, b, axis=-1))',
    ],
    [
      'also without arguments',
      'fn (%x) where nn.softmax { nn.softmax(%x) }',
      '(fn [t0, t1](t0) -> t1 where nn.softmax(t0, t1, axis=-1))',
    ],
    [
      'are checked with them where the function is called',
      'let %f = fn [a, b, c](%x: a, %w: b) -> c where nn.conv2d(a, b, c) { nn.conv2d(%x, %w) }; ' +
        '%f(zeros(shape=[1, 3, 8, 8], dtype="int8"), zeros(shape=[4, 3, 3, 3], dtype="int8"))',
      'fn () -> Tensor[(1, 4, 6, 6), int8]',
    ],
  ])('%s', (_title, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });

  it('a literal in a let-bound function has the type that its `where` list demands', () => {
    const text = 'let %f = fn [a, b](%x: a) -> b where Broadcast(a, float32, b) { %x + 1 }; %f(2)';
    expect(outcome(entryOf(text))).toBe('fn () -> float32');
  });

  it("E9: an annotation that does not state a literal's demand", () => {
    const m = entryOf('let %f: fn [A](A) -> A = fn (%x) { (%x + 1, %x + 1).0 }; %f(2)');
    expect(problems(m)).toStrictEqual(['TYPE_UNPROVED 1:1']);
    expect(messages(m)[0]).toMatch(/Broadcast/);
  });
});
