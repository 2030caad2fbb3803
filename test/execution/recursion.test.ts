import { interpreter, oracle } from '@baton/executor';
import { describe, expect, it } from 'vitest';
import { codes, evaluate, parse, run, withPrelude } from './support.ts';

const DEEP = 100_000;
/** The oracle is slow; a JavaScript recursion would overflow sooner. */
const ORACLE_DEEP = 5_000;

describe('recursion', () => {
  it.each([
    [
      'one function',
      `def @main(%n: int32) -> int32 { if (%n == 0) { 0 } else { 1 + @main(%n - 1) } }`,
      DEEP,
    ],
    [
      'two functions that call each other',
      `def @even(%n: int32) -> int32 { if (%n == 0) { 0 } else { 1 + @odd(%n - 1) } }
       def @odd(%n: int32) -> int32 { if (%n == 0) { 0 } else { 1 + @even(%n - 1) } }
       def @main(%n: int32) -> int32 { @even(%n) }`,
      DEEP,
    ],
    [
      'a closure',
      `def @main(%n: int32) -> int32 {
         let %f = fn (%k: int32) -> int32 { if (%k == 0) { 0 } else { 1 + %f(%k - 1) } };
         %f(%n) }`,
      DEEP,
    ],
    [
      'functions as arguments',
      `def @go(%f: fn (int32) -> int32, %n: int32) -> int32 {
         if (%n == 0) { %f(0) } else { @go(fn (%x: int32) { %f(%x) + 1 }, %n - 1) } }
       def @main(%n: int32) -> int32 { @go(fn (%x: int32) { %x }, %n) }`,
      DEEP,
    ],
    [
      'matches',
      `type nat { zero, succ(nat) }
       def @make(%n: int32, %acc: nat) -> nat { if (%n == 0) { %acc } else { @make(%n - 1, succ(%acc)) } }
       def @count(%n: nat) -> int32 { match (%n) { zero => 0, succ(%m) => 1 + @count(%m) } }
       def @main(%n: int32) -> int32 { @count(@make(%n, zero)) }`,
      DEEP,
    ],
  ])('through %s goes 100,000 deep', (_, text, expected) => {
    const m = parse(text);
    expect(run(m, [DEEP], { executor: interpreter })).toBe(expected);
    expect(run(m, [ORACLE_DEEP], { executor: oracle })).toBe(ORACLE_DEEP);
  });

  it.each([
    ['if branches', 'def @main(%n: int32) -> int32 { if (%n == 0) { 7 } else { @main(%n - 1) } }'],
    [
      'let bodies',
      `def @main(%n: int32) -> int32 {
         let %m = %n - 1; let %k = %m + 0; if (%n == 0) { 7 } else { let %z = 0; @main(%k) } }`,
    ],
    [
      'match clauses',
      `type S { Go(int32), Stop }
       def @next(%n: int32) -> S { if (%n == 0) { Stop } else { Go(%n - 1) } }
       def @main(%n: int32) -> int32 { match (@next(%n)) { Stop => 7, Go(%m) => @main(%m) } }`,
    ],
    [
      'other functions',
      `def @a(%n: int32) -> int32 { if (%n == 0) { 7 } else { @b(%n - 1) } }
       def @b(%n: int32) -> int32 { if (%n == 0) { 7 } else { @a(%n - 1) } }
       def @main(%n: int32) -> int32 { @a(%n) }`,
    ],
    [
      'closures',
      `def @main(%n: int32) -> int32 {
         let %f = fn (%k: int32) -> int32 { if (%k == 0) { 7 } else { %f(%k - 1) } }; %f(%n) }`,
    ],
    [
      'parameters that are functions',
      `def @go(%f: fn (int32) -> int32, %n: int32) -> int32 {
         if (%n == 0) { %f(7) } else { @go(%f, %n - 1) } }
       def @main(%n: int32) -> int32 { @go(fn (%x: int32) { %x }, %n) }`,
    ],
    [
      'a result type that is known to fit',
      `def @go(%n: int32, %x: Tensor[(2), int32]) -> Tensor[(2), int32] {
         if (%n == 0) { %x } else { @go(%n - 1, %x) } }
       def @main(%n: int32) -> int32 { sum(@go(%n, [3, 4])) }`,
    ],
  ])('in the last place takes no space: %s', (_, text) => {
    const m = parse(text);
    expect(run(m, [300_000], { executor: interpreter, maxDepth: 10 })).toBe(7);
    expect(run(m, [ORACLE_DEEP], { executor: oracle, maxDepth: 10 })).toBe(7);
  });

  it('folds a long list in constant space', () => {
    const m = withPrelude(`
      def @upto(%n: int32, %acc: List[int32]) -> List[int32] {
        if (%n == 0) { %acc } else { @upto(%n - 1, Cons(%n, %acc)) } }
      def @main(%n: int32) -> int32 { @foldl(add, 0, @upto(%n, Nil)) }`);
    expect(run(m, [100_000], { executor: interpreter, maxDepth: 10 })).toBe(5_000_050_000 | 0);
  });

  it('that never ends is stopped by its depth', () => {
    const m = parse('def @main(%n: int32) -> int32 { 1 + @main(%n) }');
    expect(codes(evaluate(m, [0], { maxDepth: 5_000 }))).toEqual(['EXEC_TOO_DEEP']);
  });
});
