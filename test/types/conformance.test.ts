/** The numbered cases of the conformance list that concern types. */
import {
  call,
  callGraph,
  type Expr,
  func,
  funcType,
  globalTypeVar,
  incompleteType,
  irModule,
  letIn,
  opRef,
  postOrderExprs,
  scalarType,
  type Type,
  tensorType,
  tupleType,
  typeArgsOf,
  typeEqual,
  typeVar,
  unifyTypes,
  variable,
} from '@baton/ir';
import { callOp, defineOp, noAttributes, standardOps } from '@baton/ops';
import { printType } from '@baton/text';
import { describe, expect, it, test } from 'vitest';
import {
  entryOf,
  messages,
  moduleOf,
  outcome,
  preludeModule,
  problems,
  typed,
  typeText,
} from './support.ts';

describe('expression programs', () => {
  test.each<[string, string, string]>([
    [
      'C076: incompatible broadcast',
      'fn (%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { %x + %y }',
      'OP_BROADCAST 1:59',
    ],
    ['C077: a dtype that differs', 'fn (%x: float32) { %x + 1i32 }', 'OP_DTYPE_MISMATCH 1:20'],
    [
      'C077: a literal takes the dtype of its neighbour',
      'fn (%x: float32) { %x + 1 }',
      'fn (float32) -> float32',
    ],
    [
      'C079: let chain',
      'fn (%x: Tensor[(10, 10), float32]) { let %a = log(%x); let %b = add(%a, %x); %b }',
      'fn (Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32]',
    ],
    [
      'C083: function-typed parameter inferred from use',
      'fn (%x: int32, %f) -> int32 { %f(%x) }',
      'fn (int32, fn (int32) -> int32) -> int32',
    ],
    [
      'C085: polymorphic return',
      'fn [B]() -> fn (B) -> B { fn [A](%x: A) -> A { %x } }',
      'fn [B]() -> fn (B) -> B',
    ],
    [
      'C086: branch of polymorphic and plain lambda',
      'fn [B](%c: fn () -> bool) -> fn (B) -> B { if (%c()) { fn [A](%x: A) -> A { %x } } else { fn (%z) { %z } } }',
      'fn [B](fn () -> bool) -> fn (B) -> B',
    ],
    [
      'C091: refs',
      'fn (%x: float32) { let %r = ref(%x); let %u = ref_write(%r, 1f); (ref_read(%r), %u) }',
      'fn (float32) -> (float32, ())',
    ],
    [
      'C092: ref write mismatch',
      'fn (%x: float32) { ref_write(ref(%x), 1i32) }',
      'TYPE_MISMATCH 1:39',
    ],
    [
      'C092: ref write of a literal',
      'fn (%x: float32) { ref_write(ref(%x), 1) }',
      'fn (float32) -> ()',
    ],
    ['C094: branch mismatch', 'if (True) { 1i32 } else { 2f }', 'TYPE_MISMATCH 1:27'],
    ['C094: literal branch', 'if (True) { 1 } else { 2f }', 'fn () -> float32'],
    ['C094: number and tuple', 'if (True) { 1 } else { () }', 'TYPE_MISMATCH 1:24'],
    ['C097: calling a value', '1(2)', 'TYPE_NOT_A_FUNCTION 1:1'],
    ['C098: let annotation mismatch', 'let %x: float32 = 1i32; %x', 'TYPE_MISMATCH 1:19'],
    ['C098: let annotation for a literal', 'let %x: float32 = 1; %x', 'fn () -> float32'],
    ['C098: a number is no bool', 'let %x: bool = 1; %x', 'TYPE_MISMATCH 1:16'],
    ['C100: occurs check', 'let %f = fn (%x) { %x(%x) }; ()', 'TYPE_INFINITE 1:20'],
    [
      'C103: any with one',
      'fn (%x: Tensor[(?), float32], %y: Tensor[(1), float32]) { %x + %y }',
      'fn (Tensor[(?), float32], Tensor[(1), float32]) -> Tensor[(?), float32]',
    ],
    [
      'C103: any with any',
      'fn (%x: Tensor[(?), float32], %y: Tensor[(?), float32]) { %x + %y }',
      'fn (Tensor[(?), float32], Tensor[(?), float32]) -> Tensor[(?), float32]',
    ],
    [
      'C104: any through concatenate',
      'fn (%x: Tensor[(?, 2), float32], %y: Tensor[(3, 2), float32]) { concatenate((%x, %y), axis=0) }',
      'fn (Tensor[(?, 2), float32], Tensor[(3, 2), float32]) -> Tensor[(?, 2), float32]',
    ],
    [
      'C106: data-dependent shape',
      'fn (%c: Tensor[(3, 4), bool]) { argwhere(%c) }',
      'fn (Tensor[(3, 4), bool]) -> Tensor[(?, 2), int32]',
    ],
    [
      'C107: conv with any batch',
      'fn (%d: Tensor[(?, 16, 8, 8), float32], %w: Tensor[(16, 16, 3, 3), float32]) { nn.conv2d(%d, %w, channels=16, kernel_size=[3, 3]) }',
      'fn (Tensor[(?, 16, 8, 8), float32], Tensor[(16, 16, 3, 3), float32]) -> Tensor[(?, 16, 6, 6), float32]',
    ],
    [
      'C109: dense infers weight',
      'fn (%x: Tensor[(2, 5), float32], %w) { nn.dense(%x, %w, units=7) }',
      'fn (Tensor[(2, 5), float32], Tensor[(7, 5), float32]) -> Tensor[(2, 7), float32]',
    ],
    [
      'C110: branches refine any',
      'fn (%c: bool, %x: Tensor[(2), float32], %y: Tensor[(?), float32]) { if (%c) { %x } else { %y } }',
      'fn (bool, Tensor[(2), float32], Tensor[(?), float32]) -> Tensor[(?), float32]',
    ],
  ])('%s', (_title, text, expected) => {
    expect(outcome(entryOf(text))).toBe(expected);
  });
});

describe('module programs', () => {
  test.each<[string, string, string, string]>([
    [
      'C080: annotated recursion',
      'f',
      'def @f(%n: int32, %d: float32) -> float32 { if (%n == 0) { %d } else { @f(%n - 1, log(%d)) } }',
      'fn (int32, float32) -> float32',
    ],
    [
      'C082: mutual recursion annotated',
      'even',
      'def @even(%n: int32) -> bool { if (%n == 0) { True } else { @odd(%n - 1) } } def @odd(%n: int32) -> bool { if (%n == 0) { False } else { @even(%n - 1) } }',
      'fn (int32) -> bool',
    ],
    [
      'C095: unconstrained parameter generalizes',
      'main',
      'def @main(%x) { %x }',
      'fn [t0](t0) -> t0',
    ],
    [
      'C101: undefined global',
      'main',
      'def @main() -> int32 { @nope(1) }',
      'TYPE_UNDEFINED_GLOBAL 2:24',
    ],
    [
      'C118: constructor call types',
      'main',
      'type box[A] { mk(A) } def @main() { (mk(()), mk(0f)) }',
      'fn () -> (box[()], box[float32])',
    ],
    [
      'C119: polymorphic wrapper',
      'w',
      'type box[A] { mk(A) } def @w[A](%x: A) -> box[A] { mk(%x) }',
      'fn [A](A) -> box[A]',
    ],
    [
      'C131: nominal types',
      'main',
      'type A1 { K1 } type A2 { K2 } def @f(%x: A1) -> A1 { %x } def @main() { @f(K2) }',
      'TYPE_MISMATCH 2:76',
    ],
  ])('%s', (_title, name, text, expected) => {
    expect(outcome(moduleOf(text), name)).toBe(expected);
  });

  it('C095: is an error without generalization', () => {
    const m = moduleOf('def @main(%x) { %x }');
    expect(problems(m, { generalize: false })).toStrictEqual(['TYPE_UNDERCONSTRAINED 2:11']);
  });
});

describe('programs over the prelude', () => {
  test.each<[string, string, string, string]>([
    [
      'C095: a hole that nothing is connected to',
      'main',
      'def @main() { let %u = Nil; 1 }',
      'TYPE_UNDERCONSTRAINED 2:24',
    ],
    [
      'C121: heterogeneous list',
      'main',
      'def @main() { Cons(1, Cons((1, 1), Nil)) }',
      'TYPE_MISMATCH 2:23',
    ],
    [
      'C122: nested list type',
      'main',
      'def @main() { Cons((1, 1), Cons((2, 2), Nil)) }',
      'fn () -> List[(int32, int32)]',
    ],
    [
      'C124: nested exhaustiveness',
      'f',
      'def @f(%x: List[int32]) -> int32 { match (%x) { Cons(_, Cons(_, _)) => 2 } }',
      'TYPE_MATCH_INCOMPLETE 2:36',
    ],
    [
      'C125: tuple exhaustiveness',
      'f',
      'def @f(%x: Option[int32], %y: Option[int32]) -> int32 { match ((%x, %y)) { (Some(_), None) => 1, (None, Some(_)) => 2, (None, None) => 3 } }',
      'TYPE_MATCH_INCOMPLETE 2:57',
    ],
    [
      'C127: clause order',
      'f',
      'def @f(%x: List[int32]) -> int32 { match (%x) { _ => 0, Nil => 1 } }',
      'fn (List[int32]) -> int32',
    ],
    [
      'C128: wrong arity in pattern',
      'f',
      'def @f(%x: List[int32]) -> int32 { match (%x) { Cons(%h) => %h, Nil => 0 } }',
      'TYPE_PATTERN_ARITY 2:49',
    ],
    ['C130: @length', 'length', '', 'fn [A](List[A]) -> int32'],
    ['C130: @foldl', 'foldl', '', 'fn [A, B](fn (A, B) -> A, A, List[B]) -> A'],
    ['C130: @zip', 'zip', '', 'fn [A, B](List[A], List[B]) -> List[(A, B)]'],
  ])('%s', (_title, name, text, expected) => {
    expect(outcome(preludeModule(text), name)).toBe(expected);
  });

  test.each<[string, string, string]>([
    [
      'C124: names the cases that are left',
      'def @f(%x: List[int32]) -> int32 { match (%x) { Cons(_, Cons(_, _)) => 2 } }',
      'not covered: `Cons(_, Nil)`, `Nil`',
    ],
    [
      'C125: names the tuple that is left',
      'def @f(%x: Option[int32], %y: Option[int32]) -> int32 { match ((%x, %y)) { (Some(_), None) => 1, (None, Some(_)) => 2, (None, None) => 3 } }',
      'not covered: `(Some(_), Some(_))`',
    ],
    [
      'C128: says how many inputs there are',
      'def @f(%x: List[int32]) -> int32 { match (%x) { Cons(%h) => %h, Nil => 0 } }',
      'the constructor Cons has 2 inputs, found 1 patterns',
    ],
  ])('%s', (_title, text, expected) => {
    expect(messages(preludeModule(text))).toStrictEqual([expected]);
  });
});

describe('type arguments', () => {
  const calls = (root: Expr): ReadonlyArray<Expr> =>
    postOrderExprs([root]).filter((node) => node._tag === 'Call');

  it('C088: a call knows the type arguments that were inferred', () => {
    const m = typed(
      moduleOf('def @id[A](%x: A) -> A { %x } def @main(%f: float32) -> float32 { @id(%f) }'),
    );
    const [found] = calls(m.functions.get('main') as Expr);
    const args = found === undefined ? [] : typeArgsOf(m, found);
    expect(args?.map((arg) => arg.kind === 'Type' && printType(arg.value))).toStrictEqual([
      'float32',
    ]);
  });

  it("C089: an operator's are the types of its arguments", () => {
    const m = typed(
      entryOf('fn (%x: Tensor[(10, 10), float32], %y: Tensor[(1, 10), float32]) { add(%x, %y) }'),
    );
    const [found] = calls(m.functions.get('main') as Expr);
    const args = found === undefined ? [] : typeArgsOf(m, found);
    expect(args?.map((arg) => arg.kind === 'Type' && printType(arg.value))).toStrictEqual([
      'Tensor[(10, 10), float32]',
      'Tensor[(1, 10), float32]',
    ]);
  });
});

describe('unification', () => {
  const [a, b, c] = [typeVar('a'), typeVar('b'), typeVar('c')];
  const unit = tupleType([]);
  const one = funcType([a, a], a, [a]);
  const two = funcType([b], unit, [b]);

  test.each<[string, Type, Type, Type]>([
    ['C112: a more general function is made to fit', funcType([a, b], c, [a, b, c]), one, one],
    ['C112: a surplus parameter becomes a type', funcType([a], b, [a, b]), two, two],
    ['C112: from the other side', one, funcType([a, b], c, [a, b, c]), one],
  ])('%s', (_title, left, right, expected) => {
    const merged = unifyTypes(left, right);
    expect(merged._tag === 'Right' && typeEqual(merged.right, expected)).toBe(true);
  });

  test.each<[string, () => [Type, Type]]>([
    ['C113: two algebraic data types', () => [globalTypeVar('A'), globalTypeVar('B')]],
    [
      'C113: a hole that would be two types',
      () => {
        const h = incompleteType();
        const [i32, f32] = [scalarType('int32'), scalarType('float32')];
        return [tupleType([tupleType([h, h]), i32]), tupleType([tupleType([i32, f32]), i32])];
      },
    ],
    [
      'C113: a type that would contain itself',
      () => {
        const h = incompleteType();
        return [h, tupleType([h, h])];
      },
    ],
  ])('%s', (_title, types) => {
    const [left, right] = types();
    expect(unifyTypes(left, right)._tag).toBe('Left');
  });
});

describe('large programs and new operators', () => {
  it('C115: 50,000 nested calls', () => {
    const x = variable('x', tensorType([2], 'float32'));
    let body: Expr = x;
    for (let i = 0; i < 50_000; i++) body = callOp(standardOps, 'add', [x, body]);
    const m = irModule({ functions: new Map([['main', func([x], body)]]), ops: standardOps });
    expect(typeText(typed(m))).toBe('fn (Tensor[(2), float32]) -> Tensor[(2), float32]');
  });

  it('C116: an operator of the user, with its relation', () => {
    const myLog = defineOp({
      name: 'my_log',
      doc: 'A logarithm.',
      source: 'C116',
      inputs: ['x'],
      attrs: noAttributes,
      relation: (args) => args[0],
      relationName: 'Identity',
      kernel: 'none',
      cost: () => 0,
      fusion: 'elemwise',
      kind: 'other',
      numerics: 'smooth',
      domain: 'any',
      scaleAxis: 'none',
      examples: [],
    });
    const ops = standardOps.with(myLog);
    const x = variable('x', tensorType([10, 10], 'float32'));
    const t = variable('t');
    const body = letIn(t, call(opRef('my_log'), [x], { attrs: {} }), callOp(ops, 'add', [t, x]));
    const m = irModule({ functions: new Map([['main', func([x], body)]]), ops });
    expect(typeText(typed(m))).toBe('fn (Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32]');
    expect(() => ops.with(myLog)).toThrow('my_log');
    expect(callGraph(m.functions).recursive.size).toBe(0);
  });
});
