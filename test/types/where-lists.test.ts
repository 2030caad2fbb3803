/** Functions that no let binds, with a `where` list of their own. */
import { structuralEqual } from '@baton/ir';
import { printModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { moduleOf, outcome, typed, typeText } from './support.ts';

const again = (m: ReturnType<typeof typed>) => typed(moduleOf(printModule(m, { header: false })));

describe('L.2 a function that no let binds', () => {
  it.each<[string, string, string]>([
    [
      'states a relation of its type parameters',
      'def @main(%a: float32) { (fn [a, b](%x: a) -> b where Broadcast(a, a, b) { multiply(%x, %x) })(%a) }',
      'fn (float32) -> float32',
    ],
    [
      'gains a relation from its body',
      'def @main() { (fn [a](%x: a) { add(%x, %x) })(1f) }',
      'fn () -> float32',
    ],
    [
      'inside another',
      'def @main(%x: float32) { (fn [a](%y: a) { (fn [b](%z: b) { exp(%z) + %z })(%y) })(%x) }',
      'fn (float32) -> float32',
    ],
    [
      'as a field of a tuple',
      'def @main() { (fn [a](%x: a) { nn.softmax(%x) }, 1) }',
      'fn () -> ((fn [a, t0](a) -> t0 where nn.softmax(a, t0, axis=-1)), int32)',
    ],
    [
      'whose operator gives what it takes under another name',
      'def @main(%v: float32) { (fn [a, b](%x: a) -> b where exp(a, b) { exp(%x) })(%v) }',
      'fn (float32) -> float32',
    ],
  ])('%s', (_title, text, type) => {
    const first = typed(moduleOf(text));
    expect(typeText(first)).toBe(type);
    expect(structuralEqual(again(first), first)).toBe(true);
  });

  it('is refused where the call does not meet its relation', () => {
    const m = moduleOf(
      'def @main(%a: int32) { (fn [a](%x: a) -> a where exp(a, a) { exp(%x) })(%a) }',
    );
    expect(outcome(m)).toMatch(/^OP_DTYPE_DOMAIN/);
  });
});
