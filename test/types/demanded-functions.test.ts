/** Values in places that demand a polymorphic function. */
import { structuralEqual } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { messages, moduleOf, typed, typeText } from './support.ts';

/** The module of a text with types; its printed text infers to the same types. */
function stable(text: string): ReturnType<typeof typed> {
  const first = typed(moduleOf(text));
  const second = typed(moduleOf(printModule(first, { header: false })));
  expect(structuralEqual(second, first)).toBe(true);
  return first;
}

const TWICE = 'def @ap(%f: fn [a](a) -> a) { (%f(1), %f(True)) } ';
const EXP = 'def @ap(%f: (fn [a](a) -> a where exp(a, a))) { (%f(1f), %f([1f])) } ';
const BOTH = 'def @ap(%f: (fn [a, b](a) -> b where exp(a, b), nn.relu(a, b))) { %f(1f) } ';

describe('L.5 a function literal that is demanded as a polymorphic one', () => {
  it.each<[string, string, string]>([
    ['as a result', 'def @main() -> fn [a](a) -> a { fn (%x) { %x } }', 'fn () -> fn [a](a) -> a'],
    ['as an argument', `${TWICE}def @main() { @ap(fn (%x) { %x }) }`, 'fn () -> (int32, bool)'],
    [
      'inside a function that gets its most general type',
      `${TWICE}def @main() { let %h = fn (%z) { @ap(fn (%x) { let %q = %z; %x }) }; (%h(1), %h(())) }`,
      'fn () -> ((int32, bool), (int32, bool))',
    ],
    [
      'with its parameters in another order',
      'def @ap(%f: fn [a, b](a, b) -> b) { %f(1, True) } ' +
        'def @main() { @ap(fn [d, c](%x: c, %y: d) { %y }) }',
      'fn () -> bool',
    ],
    [
      'under a relation that the demand states',
      `${EXP}def @main() { @ap(fn (%x) { exp(%x) }) }`,
      'fn () -> (float32, Tensor[(1), float32])',
    ],
    [
      'that never returns',
      'def @loop() { @loop() } def @main() -> fn [a]() -> a { fn () { @loop() } }',
      'fn () -> fn [a]() -> a',
    ],
  ])('declares the type parameters itself: %s', (_title, text, type) => {
    expect(typeText(stable(text))).toBe(type);
  });

  it.each<[string, string, string]>([
    [
      'a variable from outside',
      'def @main(%y) -> fn [a](a) -> a { fn (%x) { %y } }',
      'the type of %y would mention the type variable a',
    ],
    [
      'a variable from outside, in a let',
      'def @main(%y) { let %f: fn [a](a) -> a = fn (%x) { %y }; %f(1) }',
      'the type of %y would mention the type variable a',
    ],
    [
      'a branch, which declares nothing',
      `${TWICE}def @main(%c: bool) { @ap(if (%c) { fn (%x) { %x } } else { fn (%x) { %x } }) }`,
      'the type of %x would mention the type variable a',
    ],
    [
      'a relation that the demand does not state',
      `${EXP}def @main() { @ap(fn (%x) { nn.relu(%x) }) }`,
      'nothing states that nn.relu holds for the type parameter a',
    ],
    [
      'a function of one type, under a relation',
      `${EXP}def @main() { @ap(fn (%x: float32) { %x }) }`,
      'expected argument 0 of type (fn [a](a) -> a where exp(a, a)), found fn (float32) -> float32',
    ],
  ])('is refused: %s', (_title, text, said) => {
    expect(messages(moduleOf(text)).join()).toContain(said);
  });
});

describe('L.6 an annotation with more relations covers those of the value', () => {
  it.each<[string, string]>([
    ['an operator', `${BOTH}def @main() { @ap(exp) }`],
    ['a literal', `${BOTH}def @main() { @ap(fn [a, b](%x: a) -> b where exp(a, b) { exp(%x) }) }`],
    [
      'in a let',
      'def @main() { let %f: (fn [a, b](a) -> b where nn.relu(a, b), exp(a, b)) = nn.relu; %f(1f) }',
    ],
    ['in a branch', 'def @main() { let %f = if (True) { nn.relu } else { exp }; %f(1f) }'],
  ])('%s', (_title, text) => {
    expect(typeText(stable(text))).toBe('fn () -> float32');
  });
});
