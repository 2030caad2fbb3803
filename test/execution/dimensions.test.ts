import { describe, expect, it } from 'vitest';
import { codes, evaluate, messages, parse, run } from './support.ts';

const fails = (text: string, ...args: ReadonlyArray<never>): ReadonlyArray<string> => {
  const result = evaluate(parse(text), args);
  expect(codes(result)).toEqual(['EXEC_DIMENSION']);
  return messages(result);
};

/** Makes a vector whose length its type does not state. */
const VECTOR = `
  def @vector(%n: int32) -> Tensor[(?), float32] {
    cast(arange(0, %n, 1, dtype="int32"), dtype="float32") }`;

describe('sizes at the call of an entry (D8)', () => {
  const same = `def @main(%x: Tensor[(n), float32], %y: Tensor[(n), float32]) { %x + %y }`;

  it('are equal where names are equal', () => {
    expect(
      run(parse(same), [
        [1, 2],
        [3, 4],
      ]),
    ).toEqual([4, 6]);
  });

  it('are reported with parameter, dimension and both sizes if they differ', () => {
    const result = evaluate(parse(same), [[1, 2], [3]]);
    expect(codes(result)).toEqual(['EXEC_DIMENSION']);
    expect(messages(result)).toEqual([
      'dimension 0 of parameter %y is expected to be n = 2, found 1',
    ]);
    expect(result._tag === 'Left' && result.left[0].span).toBeDefined();
  });

  it('are compared with numbers', () => {
    const result = evaluate(parse('def @main(%x: Tensor[(?, 2), float32]) { %x }'), [[[1, 2, 3]]]);
    expect(messages(result)).toEqual(['dimension 1 of parameter %x is expected to be 2, found 3']);
  });

  it('solve for a name that stands only in an expression', () => {
    const m = parse(`def @main(%x: Tensor[(2 * m), float32], %y: Tensor[(m + 1), float32]) {
      (%x, %y) }`);
    expect(
      run(m, [
        [1, 2, 3, 4],
        [5, 6, 7],
      ]),
    ).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7],
    ]);
    expect(messages(evaluate(m, [[1, 2, 3], [5]]))).toEqual([
      'dimension 0 of parameter %x is expected to be 2 * m, which cannot be 3, found 3',
    ]);
    expect(messages(evaluate(m, [[1, 2, 3, 4], [5]]))).toEqual([
      'dimension 0 of parameter %y is expected to be m + 1 = 3, found 1',
    ]);
  });

  it('bind bare names before expressions are compared', () => {
    const m = parse(`def @main(%x: Tensor[(n * m), float32], %y: Tensor[(n, m), float32]) {
      (%x, %y) }`);
    const square = [
      [1, 2],
      [3, 4],
    ];
    expect(run(m, [[1, 2, 3, 4], square])).toEqual([[1, 2, 3, 4], square]);
    expect(codes(evaluate(m, [[1, 2, 3], square]))).toEqual(['EXEC_DIMENSION']);
  });

  it('are checked in tuples', () => {
    const m = parse('def @main(%t: (Tensor[(n), float32], (Tensor[(n), float32],))) { %t.1.0 }');
    expect(run(m, [[[1, 2], [[3, 4]]]])).toEqual([3, 4]);
    expect(codes(evaluate(m, [[[1, 2], [[3]]]]))).toEqual(['EXEC_DIMENSION']);
  });
});

describe('sizes at calls inside a program', () => {
  it('are checked where a function with numbers is given `?`', () => {
    const text = `${VECTOR}
      def @three(%x: Tensor[(3), float32]) -> Tensor[(3), float32] { %x }
      def @main(%n: int32) { @three(@vector(%n)) }`;
    expect(run(parse(text), [3])).toEqual([0, 1, 2]);
    expect(fails(text, 4 as never)).toEqual([
      'dimension 0 of parameter %x is expected to be 3, found 4',
    ]);
  });

  it('are checked where names meet', () => {
    const text = `${VECTOR}
      def @both(%x: Tensor[(n), float32], %y: Tensor[(n), float32]) { %x + %y }
      def @main(%n: int32, %m: int32) { @both(@vector(%n), @vector(%m)) }`;
    expect(run(parse(text), [2, 2])).toEqual([0, 2]);
    expect(fails(text, 1 as never, 3 as never)).toEqual([
      'dimension 0 of parameter %y is expected to be n = 1, found 3',
    ]);
  });

  it('are checked for closures, with names of the function around', () => {
    const text = `${VECTOR}
      def @main(%x: Tensor[(n), float32], %k: int32) {
        let %f = fn (%y: Tensor[(n), float32]) -> Tensor[(n), float32] { %x + %y };
        %f(@vector(%k)) }`;
    expect(run(parse(text), [[1, 1], 2])).toEqual([1, 2]);
    expect(fails(text, [1, 1] as never, 3 as never)).toEqual([
      'dimension 0 of parameter %y is expected to be n = 2, found 3',
    ]);
  });

  it('belong to one call: the next has its own', () => {
    const text = `
      def @twice(%x: Tensor[(n), float32], %y: Tensor[(n), float32]) { %x + %y }
      def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) {
        (@twice(%x, %x), @twice(%y, %y)) }`;
    expect(run(parse(text), [[1], [2, 3]])).toEqual([[2], [4, 6]]);
  });

  it('are checked in the result of a function', () => {
    const text = `${VECTOR}
      def @make(%n: int32) -> Tensor[(3), float32] { @vector(%n) }
      def @main(%n: int32) { @make(%n) }`;
    expect(run(parse(text), [3])).toEqual([0, 1, 2]);
    expect(fails(text, 2 as never)).toEqual([
      'dimension 0 of the result of @make is expected to be 3, found 2',
    ]);
  });

  it('are checked where a let states more than its value', () => {
    const text = `${VECTOR}
      def @main(%n: int32) { let %v: Tensor[(3), float32] = @vector(%n); %v }`;
    expect(run(parse(text), [3])).toEqual([0, 1, 2]);
    expect(fails(text, 1 as never)).toEqual([
      'dimension 0 of variable %v is expected to be 3, found 1',
    ]);
  });

  it('are checked where data are made', () => {
    const text = `${VECTOR}
      type Pair { P(Tensor[(3), float32], float32) }
      def @main(%n: int32) { match (P(@vector(%n), 1f)) { P(%x, _) => %x } }`;
    expect(run(parse(text), [3])).toEqual([0, 1, 2]);
    expect(fails(text, 4 as never)).toEqual([
      'dimension 0 of input 0 of P is expected to be 3, found 4',
    ]);
  });

  it('grow in a recursion that says so', () => {
    const text = `
      def @grow(%x: Tensor[(?), float32], %n: int32) -> Tensor[(?), float32] {
        if (%n == 0) { %x } else { @grow(concatenate((%x, %x), axis=0), %n - 1) } }
      def @main(%n: int32) { sum(@grow([1f, 2f], %n)) }`;
    expect(run(parse(text), [4])).toBe(48);
  });

  it('are not asked of type parameters that stand for a whole shape', () => {
    const text = `
      def @first[s: Shape](%x: Tensor[s, float32], %y: Tensor[s, float32]) -> Tensor[s, float32] { %x }
      def @main(%x: Tensor[(?), float32], %y: Tensor[(?), float32]) { @first(%x, %y) }`;
    expect(run(parse(text), [[1], [2, 3]])).toEqual([1]);
  });
});

describe('a size that a type promises where its value comes from a type with `?`', () => {
  const three = 'Tensor[(3), float32]';
  const any = 'Tensor[(?), float32]';
  const twice = `def @twice(%x: ${any}) -> ${any} { concatenate((%x, %x), axis=0) }`;
  const same = `def @twice(%x: ${any}) -> ${any} { %x }`;
  const apply = `def @apply(%f: fn (${three}) -> ${three}, %x: ${three}) -> ${three}`;
  const applied = `def @main(%x: ${three}) { @apply(@twice, %x) }`;

  it.each<[string, string, string]>([
    [
      'a call in the middle of a function',
      `${apply} { %f(%x) + %x } ${applied}`,
      'the result of %f',
    ],
    ['a call at its end', `${apply} { %f(%x) } ${applied}`, 'the result of %f'],
    [
      'a call in a branch',
      `${apply} { if (True) { %f(%x) } else { %x } } ${applied}`,
      'the result of %f',
    ],
    [
      'a call of a field',
      `def @main(%x: ${three}) -> ${three} {
        let %t: (fn (${three}) -> ${three}, int32) = (@twice, 1); %t.0(%x) }`,
      'the result of a call',
    ],
    [
      'a call through a let that says more than the function',
      `def @main(%x: ${three}) -> ${three} {
        let %f: fn (${three}) -> ${three} = fn (%y: ${any}) -> ${any} { @twice(%y) }; %f(%x) }`,
      'the result of %f',
    ],
    [
      'a call with a type for what is `?`',
      `def @id[a](%x: a) -> a { %x }
        def @main(%x: ${three}) -> ${three} { @id<${three}>(@twice(%x)) }`,
      'the result of @id',
    ],
    [
      'a match',
      `type Box[a] { Full(a) }
        def @open(%b: Box[${three}]) { match (%b) { Full(%y) => %y } }
        def @main(%x: ${three}) { @open(Full(@twice(%x))) }`,
      'variable %y',
    ],
    [
      'a match inside a match',
      `type Box[a] { Full(a) }
        def @open(%b: Box[(${three}, Box[int32])]) { match (%b) { Full((%y, Full(_))) => %y } }
        def @main(%x: ${three}) { @open(Full((@twice(%x), Full(1)))) }`,
      'variable %y',
    ],
    [
      'a read',
      `def @read(%r: ref(${three})) { ref_read(%r) + ones(shape=[3], dtype="float32") }
        def @main(%x: ${three}) { @read(ref(@twice(%x))) }`,
      'what the reference holds',
    ],
    [
      'a read at the end of a function',
      `def @read(%r: ref(${three})) { ref_read(%r) }
        def @main(%x: ${three}) { @read(ref(@twice(%x))) }`,
      'what the reference holds',
    ],
  ])('is looked at after %s', (_, text, subject) => {
    expect(fails(twice + text, [1, 2, 3] as never)).toEqual([
      `dimension 0 of ${subject} is expected to be 3, found 6`,
    ]);
    expect(run(parse(same + text), [[1, 2, 3]])).toHaveLength(3);
  });

  it('is looked at where names meet', () => {
    const text = `${twice}
      def @apply(%x: Tensor[(n), float32], %f: fn (Tensor[(n), float32]) -> Tensor[(n), float32]) {
        %f(%x) }
      def @main(%x: ${three}) { @apply(%x, @twice) }`;
    expect(fails(text, [1, 2, 3] as never)).toEqual([
      'dimension 0 of the result of %f is expected to be n = 3, found 6',
    ]);
  });

  const small = { maxDepth: 10 };
  it.each<[string, string]>([
    [
      'a function value that promises as much',
      `def @down(%k: fn (int32, ${three}) -> ${three}, %n: int32, %x: ${three}) -> ${three} {
        if (%n == 0) { %x } else { %k(%n - 1, %x) } }
      def @main(%n: int32) {
        let %go = fn (%n: int32, %x: ${three}) -> ${three} { @down(%go, %n, %x) };
        %go(%n, ones(shape=[3], dtype="float32")) }`,
    ],
    [
      'functions that hand a named size to each other',
      `def @even[n: ShapeVar](%n: int32, %x: Tensor[(n), float32]) -> Tensor[(n), float32] {
        if (%n == 0) { %x } else { @odd(%n - 1, %x) } }
      def @odd[m: ShapeVar](%n: int32, %x: Tensor[(m), float32]) -> Tensor[(m), float32] {
        if (%n == 0) { %x } else { @even(%n - 1, %x) } }
      def @main(%n: int32) { @even(%n, ones(shape=[3], dtype="float32")) }`,
    ],
    [
      'a local function with the name of the one around',
      `def @loop(%n: int32, %x: Tensor[(n), float32]) -> Tensor[(n), float32] {
        let %go = fn (%k: int32, %y: Tensor[(n), float32]) -> Tensor[(n), float32] {
          if (%k == 0) { %y } else { %go(%k - 1, %x) } };
        %go(%n, %x) }
      def @main(%n: int32) { @loop(%n, ones(shape=[3], dtype="float32")) }`,
    ],
  ])('takes no space in calls of %s', (_, text) => {
    expect(run(parse(text), [2000], small)).toEqual([1, 1, 1]);
  });
});
