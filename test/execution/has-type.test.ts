/** `hasType` on values of many types: each has its own type, and none of the others. */
import { orThrow } from '@baton/base';
import { evaluate, hasType } from '@baton/executor';
import { inferTypes, typeOf } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { parseModule } from '@baton/text';
import { describe, expect, test } from 'vitest';

const DATA = `type List[A] { Cons(A, List[A]), Nil }
type Pair[A, B] { Pair(A, B) }
type Two { One(float32), Other(int32) }
`;

/** Expressions of different types. */
const BODIES = [
  '1f',
  '1',
  'True',
  'zeros(shape=[2], dtype="float32")',
  'zeros(shape=[3], dtype="float32")',
  'zeros(shape=[2, 1], dtype="float32")',
  'zeros(shape=[2], dtype="int32")',
  '()',
  '(1f,)',
  '(1f, 1f)',
  '(1f, 1)',
  '(1, 1f)',
  '(1f, 1f, 1f)',
  '((1f, 1f), 1f)',
  '(1f, (1f, 1f))',
  'ref(1f)',
  'ref(1)',
  'ref((1f, 1))',
  'ref(ref(1f))',
  'fn (%x: float32) -> float32 { %x }',
  'fn (%x: int32) -> int32 { %x }',
  'fn (%x: float32) -> int32 { 1 }',
  'fn (%x: float32, %y: float32) -> float32 { %x }',
  'fn () -> float32 { 1f }',
  'fn (%x: ref(float32)) -> float32 { 1f }',
  'fn (%x: fn (float32) -> float32) -> float32 { 1f }',
  'fn (%x: (float32, float32)) -> float32 { 1f }',
  'fn (%x: (float32, float32, float32)) -> float32 { 1f }',
  'fn (%x: List[int32]) -> float32 { 1f }',
  'fn (%x: Two) -> float32 { 1f }',
  'Cons(1f, Nil)',
  'Cons(1, Nil)',
  'Cons(Cons(1, Nil), Nil)',
  'Cons((1, 1f), Nil)',
  'Pair(1, 1f)',
  'Pair(1f, 1)',
  'Pair(Cons(1, Nil), (1f, 1))',
  'Other(1)',
];

const cases = BODIES.map((body) => {
  const text = `#[version = "0.0.5"]\n${DATA}def @main() { ${body} }`;
  const m = orThrow(inferTypes(orThrow(parseModule(text, { ops: standardOps }))));
  const main = m.functions.get('main');
  const type = main && typeOf(m, main.body);
  return { body, m, type, value: orThrow(evaluate(m, [])) };
});

describe('a value has its own type alone', () => {
  test.each(cases)('$body', ({ m, value }) => {
    const found = cases.flatMap(({ body, type }) =>
      type !== undefined && hasType(m, value, type) ? [body] : [],
    );
    expect(found).toEqual([cases.find((one) => one.value === value)?.body]);
  });
});
