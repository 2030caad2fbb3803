/** Decisions of the specification about types without a numbered case. */
import { incompleteType, type OpTable, tensorType } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { printModule } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import { entryOf, moduleOf, outcome, preludeModule, problems, typed, typeText } from './support.ts';

const table = (rows: ReadonlyArray<readonly [string, string, string]>): void => {
  test.each(rows)('%s', (_title, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });
};

describe('D1: functions get their most general types', () => {
  table([
    ['a function of one parameter', 'fn (%x) { %x }', 'fn [t0](t0) -> t0'],
    [
      'relations become constraints',
      'fn (%x, %y) { %x + %y }',
      '(fn [t0, t1, t2](t0, t1) -> t2 where Broadcast(t0, t1, t2))',
    ],
    [
      'equal relations are stated once',
      'fn (%x) { (%x + 1i32, %x + 1i32) }',
      '(fn [t0, t1](t0) -> (t1, t1) where Broadcast(t0, int32, t1))',
    ],
    [
      'a hole in the shape slot is a shape',
      'fn (%x: Tensor[_, float32]) { %x }',
      'fn [t0: Shape](Tensor[t0, float32]) -> Tensor[t0, float32]',
    ],
    [
      'a hole in the dtype slot is a dtype, a hole as a dimension a dimension',
      'fn (%x: Tensor[(_, 3), _]) { %x }',
      'fn [t0: ShapeVar, t1: BaseType](Tensor[(t0, 3), t1]) -> Tensor[(t0, 3), t1]',
    ],
    [
      'a relation is solved as soon as its shapes are parameters',
      'fn (%x: Tensor[_, float32]) { %x + 1f }',
      'fn [t0: Shape](Tensor[t0, float32]) -> Tensor[t0, float32]',
    ],
    [
      'a projection of an unknown tuple is a constraint',
      'fn (%t) { %t.0 }',
      '(fn [t0, t1](t0) -> t1 where TupleGetItem(t0, t1, index=0))',
    ],
    [
      'a function inside another is not generalized',
      'fn () { fn (%x) { %x } }',
      'fn [t0]() -> fn (t0) -> t0',
    ],
    ['a parameter is not polymorphic', 'fn (%f) { (%f(1), %f(())) }', 'TYPE_MISMATCH 1:22'],
    [
      'a let-bound function is generalized',
      'let %p = fn (%x, %y) { %x }; (%p(1, 2f), %p((), 1))',
      'fn () -> (int32, ())',
    ],
    [
      'and passed on as it is',
      'let %p = fn (%x, %y) { %x }; let %q = %p; (%q(1, 2f), %q((), 1))',
      'fn () -> (int32, ())',
    ],
    [
      'but not over what the surroundings know',
      'fn (%x) { let %f = fn (%y) { (%x, %y) }; (%f(1), %f(())) }',
      'fn [t0](t0) -> ((t0, int32), (t0, ()))',
    ],
    [
      'nor over what a relation with the surroundings determines',
      'fn (%x: float32) { %1 = log(%x); let %f = fn () { %1 }; (%f(), %1) }',
      'fn (float32) -> (float32, float32)',
    ],
    [
      'local functions may stand inside each other',
      'let %f = fn (%x) { let %g = fn (%y) { (%x, %y) }; (%g(1), %g(())) }; (%f(2f), %f(()))',
      'fn () -> (((float32, int32), (float32, ())), (((), int32), ((), ())))',
    ],
    [
      'a local function is monomorphic in its own body, and general after it',
      'let %f = fn (%x, %n) { if (%n == 0) { %x } else { %f(%x, %n - 1) } }; (%f(1, 2), %f((), 3))',
      'fn () -> (int32, ())',
    ],
    [
      'a reference that a call makes has one type',
      'let %mk = fn (%x) { ref(%x) }; let %r = %mk(1); (ref_write(%r, 2f), ref_read(%r))',
      'fn () -> ((), float32)',
    ],
    [
      'which is why only function literals are generalized',
      'let %r = ref(fn (%x) { %x }); (ref_read(%r)(1i32), ref_read(%r)(()))',
      'TYPE_MISMATCH 1:65',
    ],
    [
      'a graph binding of a function is not generalized',
      '%1 = fn (%x) { %x }; (%1(1), %1(()))',
      'TYPE_MISMATCH 1:33',
    ],
    [
      'nor is a let-bound one that has another use',
      '%1 = fn (%x) { %x }; let %f = %1; (%f(1), %1(()))',
      'TYPE_MISMATCH 1:46',
    ],
  ]);

  it('gives the same type to its printed text', () => {
    for (const text of [
      'fn (%x: Tensor[_, float32]) { %x + 1f }',
      'fn (%x, %y) { (%x + %y, %x * %y) }',
      'let %inc = fn (%x) { %x + 1 }; (%inc(2f), %inc(3))',
      'fn (%t) { %t.0 + 1 }',
      'fn (%f, %x) { %f(%f(%x)) }',
    ]) {
      const m = typed(entryOf(text));
      const again = typed(moduleOf(printModule(m, { header: false })));
      expect(typeText(again)).toBe(typeText(m));
    }
  });

  it('generalizes the functions of a group together', () => {
    const text =
      'def @even(%n) { if (%n == 0) { True } else { @odd(%n - 1) } } ' +
      'def @odd(%n) { if (%n == 0) { False } else { @even(%n - 1) } } ';
    expect(outcome(moduleOf(text), 'even')).toBe(
      '(fn [t0, t1](t0) -> bool where BroadcastComp(t0, int32, bool), ' +
        'Broadcast(t0, int32, t1), BroadcastComp(t1, int32, bool), Broadcast(t1, int32, t0))',
    );
    const bad = moduleOf(`${text}def @main() { @even(3i64) }`);
    expect(problems(bad)).toStrictEqual(['OP_DTYPE_MISMATCH 2:140', 'OP_DTYPE_MISMATCH 2:140']);
  });

  it('lets an annotated function call itself at other types', () => {
    const text =
      'def @f[A](%x: A, %n: int32) -> int32 { if (%n == 0) { 0 } else { @f((%x, %x), %n - 1) } }';
    expect(outcome(moduleOf(text), 'f')).toBe('fn [A](A, int32) -> int32');
  });

  it('refuses such a call where the body asks more of the type', () => {
    const text =
      'def @f[A](%x: A, %n: int32) -> A { if (%n == 0) { %x + %x } else { @f((%x, %x), %n - 1).0 } }';
    expect(problems(moduleOf(text))).toStrictEqual(['OP_NOT_TENSOR 2:68']);
  });

  it("states the demands of an annotated function's body on its type parameters", () => {
    const m = moduleOf('def @g() { @f((1, 2)) } def @f[A](%x: A) -> A { %x + %x }');
    expect(problems(m)).toStrictEqual(['OP_NOT_TENSOR 2:12']);
    const right = moduleOf('def @g() { @f(1) } def @f[A](%x: A) -> A { %x + %x }');
    expect(outcome(right, 'f')).toBe('(fn [A](A) -> A where Broadcast(A, A, A))');
    expect(outcome(right, 'g')).toBe('fn () -> int32');
  });

  it('is switched off by `generalize: false`', () => {
    const off = { generalize: false };
    expect(problems(entryOf('fn (%x) { %x }'), off)).toStrictEqual(['TYPE_UNDERCONSTRAINED 1:5']);
    const local = entryOf('let %id = fn (%x) { %x }; (%id(1), %id(()))');
    expect(problems(local, off)).toStrictEqual(['TYPE_MISMATCH 1:40']);
    expect(outcome(entryOf('let %id = fn (%x) { %x }; %id(1)'), 'main', off)).toBe(
      'fn () -> int32',
    );
  });
});

describe('D2: numbers without suffix take their dtype from context', () => {
  table([
    ['C008: a decimal literal', '1.5', 'fn () -> float32'],
    ['C008: beside a float64', 'add(1.5, 2f64)', 'fn () -> float64'],
    ['an int literal as uint8', '255 + 1u8', 'fn () -> uint8'],
    ['a float literal as float16', 'fn (%x: float16) { %x * 2.5 }', 'fn (float16) -> float16'],
    ['a literal is no bool', 'if (1) { 2 } else { 3 }', 'TYPE_CONDITION 1:5'],
    ['an argument demands', '(fn (%x: int64) { %x })(1)', 'fn () -> int64'],
    ['a result demands', 'fn () -> float64 { 1 }', 'fn () -> float64'],
    [
      'a literal has no dtype of a parameter',
      'fn [d: BaseType](%x: Tensor[(), d]) { %x + 1 }',
      'OP_DTYPE_MISMATCH 1:39',
    ],
  ]);

  test('elements of a list share their dtype', () => {
    const m = preludeModule('def @main() { Cons(1, Cons(2.5, Nil)) }');
    expect(outcome(m)).toBe('fn () -> List[float32]');
  });
});

describe('D3: type parameters of every kind', () => {
  table([
    [
      'shape and dtype',
      'fn [s: Shape, d: BaseType](%x: Tensor[s, d]) -> Tensor[s, d] { %x }',
      'fn [s: Shape, d: BaseType](Tensor[s, d]) -> Tensor[s, d]',
    ],
    ['angle brackets', 'fn <a>(%x: a) -> a { %x }', 'fn [a](a) -> a'],
    [
      'explicit arguments of each kind',
      'let %f = fn [t: Type, s: Shape, d: BaseType, n: ShapeVar]' +
        '(%x: t, %y: Tensor[s, d], %z: Tensor[(n), d]) { (%x, %y, %z) }; ' +
        'fn (%y: Tensor[(2, 3), int8], %z: Tensor[(5), int8]) ' +
        '{ %f[bool, (2, 3), int8, 5](True, %y, %z).0 }',
      'fn () -> fn (Tensor[(2, 3), int8], Tensor[(5), int8]) -> bool',
    ],
    [
      'some of them',
      'let %f = fn [a, b](%x: a, %y: b) { (%x, %y) }; %f[int64](1, 2)',
      'fn () -> (int64, int32)',
    ],
    ['too many', 'let %f = fn [a](%x: a) { %x }; %f[int32, int32](1)', 'TYPE_ARGUMENT_COUNT 1:32'],
    ['one that does not fit', 'let %f = fn [a](%x: a) { %x }; %f[int32](())', 'TYPE_MISMATCH 1:42'],
    [
      'a parameter of a function without a name',
      '(fn [a](%x: a) { %x + %x })(1)',
      'fn () -> int32',
    ],
  ]);

  test('of algebraic data types', () => {
    const m = moduleOf(
      'type E[n: ShapeVar, d: BaseType] { Mk(Tensor[(n, 2), d]) } ' +
        'def @f(%e) { match (%e) { Mk(%t) => %t } } ' +
        'def @main(%t: Tensor[(3, 2), float32]) { (Mk(%t), @f(Mk(%t))) }',
    );
    expect(outcome(m, 'f')).toBe(
      'fn [t0: ShapeVar, t1: BaseType](E[t0, t1]) -> Tensor[(t0, 2), t1]',
    );
    expect(outcome(m)).toBe(
      'fn (Tensor[(3, 2), float32]) -> (E[3, float32], Tensor[(3, 2), float32])',
    );
  });
});

describe('D4: type relations', () => {
  table([
    [
      'between named types',
      'fn [a, b, c](%x: a, %y: b) -> c where Broadcast(a, b, c) { add(%x, %y) }',
      '(fn [a, b, c](a, b) -> c where Broadcast(a, b, c))',
    ],
    [
      'a bare name speaks of the parameters and the result',
      'fn (%x, %y) where Broadcast { add(%x, %y) }',
      '(fn [t0, t1, t2](t0, t1) -> t2 where Broadcast(t0, t1, t2))',
    ],
    [
      'the name of an operator means its relation',
      'fn [a, b, c](%x: a, %y: b) -> c where multiply(a, b, c) { add(%x, %y) }',
      '(fn [a, b, c](a, b) -> c where multiply(a, b, c))',
    ],
    [
      'with attributes',
      'fn [a, b](%x: a) -> b where sum(a, b, axis=[1]) { sum(%x, axis=[1]) }',
      '(fn [a, b](a) -> b where sum(a, b, axis=[1], keepdims=False, exclude=False))',
    ],
    [
      'an operator asks for the standard relation that is its own',
      'fn (%x, %y) { cast_like(cast(%x, dtype="int8"), %y) }',
      '(fn [t0, t1, t2, t3](t0, t1) -> t2 where Cast(t0, t3, dtype="int8"), CastLike(t3, t1, t2))',
    ],
    [
      'under either name',
      'fn [a, b](%x: a) -> b where Cast(a, b, dtype="int8") { cast(%x, dtype="int8") }',
      '(fn [a, b](a) -> b where Cast(a, b, dtype="int8"))',
    ],
    [
      'are checked where the function is called',
      'let %f = fn [a, b, c](%x: a, %y: b) -> c where Broadcast(a, b, c) { add(%x, %y) }; ' +
        'fn (%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { %f(%x, %y) }',
      'OP_BROADCAST 1:142',
    ],
    [
      'and there they are solved',
      'let %f = fn [a, b, c](%x: a, %y: b) -> c where Broadcast(a, b, c) { add(%x, %y) }; ' +
        'fn (%x: Tensor[(3, 1), float32], %y: Tensor[(4), float32]) { %f(%x, %y) }',
      'fn () -> fn (Tensor[(3, 1), float32], Tensor[(4), float32]) -> Tensor[(3, 4), float32]',
    ],
    [
      'of a function that is given',
      'free_var %f: (fn [a, b, c](a, b) -> c where Broadcast(a, b, c)); ' +
        'free_var %a: Tensor[(100, 1, 100), float32]; free_var %b: Tensor[(100, 1), float32]; %f(%a, %b)',
      'fn (Tensor[(100, 1, 100), float32], Tensor[(100, 1), float32], ' +
        '(fn [a, b, c](a, b) -> c where Broadcast(a, b, c))) -> Tensor[(100, 100, 100), float32]',
    ],
    [
      'an operator as a value has one',
      'let %g = add; (%g(1, 2f), %g(True, False))',
      'fn () -> (float32, bool)',
    ],
    [
      'which is checked where it is passed',
      'let %h = fn (%f: fn (float32, float32) -> float32) { %f(1, 2) }; %h(add)',
      'fn () -> float32',
    ],
    [
      'and refused',
      'let %h = fn (%f: fn (float32, int32) -> float32) { %f(1, 2) }; %h(add)',
      'OP_DTYPE_MISMATCH 1:67',
    ],
  ]);

  /** A relation of the user: the output is a vector of as many elements as the input has rows. */
  const withRows = (ops: OpTable): OpTable =>
    ops.withRelation({
      name: 'Rows',
      doc: 'A vector with an element for each row.',
      inputCount: 1,
      relation: ([x], _attrs, context) => {
        const type = x === undefined ? incompleteType() : context.resolve(x);
        if (type._tag === 'IncompleteType' || type._tag === 'TypeVar') return undefined;
        if (type._tag !== 'TensorType' || '_tag' in type.shape || type.shape[0] === undefined) {
          return context.fail('ROWS', 'expected a tensor with rows');
        }
        return tensorType([type.shape[0]], type.dtype);
      },
    });
  const ROWS = 'fn [a, b](%f: fn (a) -> b, %x: a) -> b where Rows(a, b) { %f(%x) }';

  test('of the user', () => {
    const ops = withRows(standardOps);
    const call = (type: string): string =>
      `let %r = ${ROWS}; fn (%f: fn (${type}) -> Tensor[(2), float32], %x: ${type}) { %r(%f, %x) }`;
    expect(outcome(entryOf(call('Tensor[(2, 3), float32]'), ops))).toMatch(
      /Tensor\[\(2\), float32\]$/,
    );
    expect(outcome(entryOf(call('Tensor[(4, 3), float32]'), ops))).toBe('TYPE_MISMATCH 1:171');
    expect(outcome(entryOf(call('float32'), ops))).toBe('ROWS 1:139');
    expect(() => withRows(ops)).toThrow('relation Rows is already defined');
  });
});

describe('D8 and D17: dimensions', () => {
  test('? never wins over a known size, in any order', () => {
    const m = moduleOf(
      'def @f(%x: Tensor[(n), float32], %y: Tensor[(n), float32]) -> Tensor[(n), float32] { %x } ' +
        'def @main(%a: Tensor[(?), float32], %b: Tensor[(3), float32]) ' +
        '{ (@f(%a, %b), @f(%b, %a), @f(%a, %a)) }',
    );
    expect(outcome(m)).toBe(
      'fn (Tensor[(?), float32], Tensor[(3), float32]) -> ' +
        '(Tensor[(3), float32], Tensor[(3), float32], Tensor[(?), float32])',
    );
  });

  table([
    [
      'a result of ? does not become a parameter',
      'let %g = fn (%y: Tensor[(?), float32]) ' +
        '{ let %f = fn (%x: Tensor[(n), float32]) { %x }; %f(%y) }; %g',
      'fn () -> fn (Tensor[(?), float32]) -> Tensor[(?), float32]',
    ],
    [
      'an argument keeps what is known of it',
      'let %f = fn (%x: Tensor[(?), float32]) { %x }; fn (%y: Tensor[(10), float32]) { (%f(%y), %y) }',
      'fn () -> fn (Tensor[(10), float32]) -> (Tensor[(?), float32], Tensor[(10), float32])',
    ],
    [
      'a static parameter takes ?',
      'let %f = fn (%x: Tensor[(10), float32]) { %x }; fn (%y: Tensor[(?), float32]) { %f(%y) }',
      'fn () -> fn (Tensor[(?), float32]) -> Tensor[(10), float32]',
    ],
    [
      'a function that is an argument takes its types from context',
      '(fn (%f: fn (float32) -> float32) { %f(1) })(fn (%x) { %x + 1 })',
      'fn () -> float32',
    ],
    [
      'so do the literals in it',
      'fn (%c: bool) -> fn (int64) -> int64 { if (%c) { fn (%x) { %x + 1 } } else { fn (%x) { 2 } } }',
      'fn (bool) -> fn (int64) -> int64',
    ],
  ]);

  it('writes constants of a dtype where numbers without suffix were', () => {
    const printed = printModule(typed(entryOf('fn (%x: float16) { %x + 1 }')), {
      showTypes: false,
    });
    expect(printed).toContain('add(%x, 1f16)');
  });
});
