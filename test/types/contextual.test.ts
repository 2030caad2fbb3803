/** Expressions whose types only their context determines: `isContextual` tells passes. */
import { rebuildDag } from '@baton/base';
import {
  children,
  type Expr,
  type IRModule,
  isContextual,
  postOrderExprs,
  type Type,
  type TypeArg,
  typeArgsOf,
  typeOf,
  withChildren,
} from '@baton/ir';
import { printType } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { preludeModule, typed } from './support.ts';

/** A function with a type parameter that no argument determines. */
const LOOP = 'def @loop[a]() -> a { @loop[a]() }';

/** The module of a let, typed, and the value of the let. */
function letValue(type: string, value: string, params = ''): readonly [IRModule, Expr] {
  const m = typed(preludeModule(`${LOOP} def @main(${params}) { let %v: ${type} = ${value}; %v }`));
  const main = m.functions.get('main');
  if (main?.body._tag !== 'Let') throw new Error('no let');
  return [m, main.body.value];
}

const printed = (type: Type | undefined): string =>
  type === undefined ? 'no type' : printType(type);

describe('the type of', () => {
  const C = '%c: bool';
  const O = '%o: Option[int32]';
  test.each<[title: string, type: string, value: string, params: string, expected: boolean]>([
    ['a constructor without inputs', 'List[int8]', 'Nil', '', true],
    ['a constructor with an input', 'List[int8]', 'Cons(1i8, Nil)', '', false],
    ['a tuple', '(int8, int8)', '(1i8, 2i8)', '', false],
    ['a tuple with an open field', '(int8, List[int8])', '(1i8, Nil)', '', true],
    ['a field of a tuple', 'List[int8]', '(Nil, 1i8).0', '', true],
    ['a field of a closed tuple', 'int8', '(1i8, 2i8).0', '', false],
    ['a new reference', 'ref(List[int8])', 'ref(Nil)', '', true],
    ['what a reference holds', 'List[int8]', 'ref_read(ref(Nil))', '', true],
    ['what a write gives', '()', 'ref_write(ref(1i8), 2i8)', '', false],
    ['a let', 'List[int8]', '(let %u = 1i8; Nil)', '', true],
    ['a let whose value is open', 'int8', '(let %u: List[int8] = Nil; 1i8)', '', false],
    ['two open branches', 'List[int8]', 'if (%c) { Nil } else { Nil }', C, true],
    ['one open branch', 'List[int8]', 'if (%c) { Nil } else { Cons(1i8, Nil) }', C, false],
    ['the other open branch', 'List[int8]', 'if (%c) { Cons(1i8, Nil) } else { Nil }', C, false],
    ['open clauses', 'List[int8]', 'match (%o) { Some(_) => Nil, None => Nil }', O, true],
    [
      'one open clause',
      'List[int8]',
      'match (%o) { Some(_) => Nil, None => Cons(1i8, Nil) }',
      O,
      false,
    ],
    ['a call that an argument determines', 'List[int8]', '@id(Cons(1i8, Nil))', '', false],
    ['a call that an open argument does not determine', 'List[int8]', '@id(Nil)', '', true],
    ['a function that returns it', 'fn () -> List[int8]', 'fn () { Nil }', '', false],
    [
      'a call of one that is written there',
      'List[int8]',
      '(fn () -> List[int8] { Nil })()',
      '',
      false,
    ],
    ['an operator of what is open', 'float32', 'exp(@loop())', '', true],
    ['an operator of what is known', 'float32', 'exp(1f)', '', false],
    ['a call with a type argument', 'List[int8]', 'Nil[int8]()', '', false],
  ])('%s', (_, type, value, params, expected) => {
    const [m, node] = letValue(type, value, params);
    expect(isContextual(m, node)).toBe(expected);
    expect(printed(typeOf(m, node))).toBe(type);
  });
});

/** The expression with every compound node made again. */
const copied = rebuildDag<Expr>(children, (node, get) => {
  const parts = children(node);
  return parts.length === 0 ? node : withChildren(node, parts.map(get));
});

describe('typeOf a node that was just made', () => {
  test.each<[title: string, text: string]>([
    [
      'of tuples and references',
      'def @main(%x: int8) { let %r = ref((%x, 1i8)); (ref_write(%r, (2i8, %x)), ref_read(%r).1) }',
    ],
    ['of branches', 'def @main(%c: bool, %x: int8) { if (%c) { (%x, 1i8) } else { (2i8, %x) } }'],
    [
      'of a match',
      'def @main(%x: (Option[int8], int8)) { match? (%x) { (Some(%a), %b) => (%a, %b), (None, _) => (1i8, 2i8) } }',
    ],
    ['of functions', 'def @main(%x: int8) { (fn (%y: int8) -> int8 { add(%y, %x) })(%x) }'],
    [
      'of a call of a general function',
      'def @main(%x: Tensor[(2), int8]) { @compose(fn (%y: int8) -> int8 { %y }, fn (%y: int8) -> int8 { %y })(1i8) }',
    ],
    [
      'of a call of an operator with attributes',
      'def @main(%x: Tensor[(2, 3), float32]) { nn.softmax(sum(%x, axis=[1]), axis=0) }',
    ],
    ['of a constructor', 'def @main(%x: int8) { Cons(%x, Cons(%x, Nil[int8]())) }'],
    [
      'of a recursive let',
      'def @main(%n: int32) { let %f = fn (%i: int32) -> int32 { if (%i == 0) { 0 } else { %f(%i - 1) } }; %f(%n) }',
    ],
    [
      'of a function with relations',
      'def @main(%x: float32) { let %f = fn [a](%y: a) -> a where exp(a, a) { exp(%y) }; %f(%x) }',
    ],
  ])('%s', (_, text) => {
    const m = typed(preludeModule(text));
    const main = m.functions.get('main') ?? raise();
    for (const node of postOrderExprs([main])) {
      if (node._tag === 'Op' || node._tag === 'Var') continue;
      const fresh = copied(node);
      expect(printed(typeOf(m, fresh))).toBe(printed(typeOf(m, node)));
    }
  });
});

const raise = (): never => {
  throw new Error('no function');
};

/** A type argument as text. */
const argText = (arg: TypeArg): string => {
  if (arg.kind === 'Type') return printType(arg.value);
  return `${arg.kind} ${JSON.stringify(arg.value)}`;
};

describe('the type arguments of', () => {
  test.each<[title: string, text: string, expected: string | undefined]>([
    ['an operator', 'def @main(%x: int8) { add(%x, 1i8) }', 'int8, int8'],
    ['a function of one type', 'def @main(%x: int8) { @f(%x) } def @f(%x: int8) { %x }', ''],
    [
      'a general function',
      'def @main(%x: int8) { @f(%x, (%x,)) } def @f[a, b](%x: a, %y: b) { %x }',
      'int8, (int8,)',
    ],
    [
      'a general function, as they were written',
      'def @main(%x: int8) { @f[int8, int16]() } def @f[a, b]() -> int8 { 1i8 }',
      'int8, int16',
    ],
    [
      'a function whose result says them',
      'def @main(%x: int8) -> List[int8] { @f(%x) } def @f[a](%x: int8) -> List[a] { Nil }',
      'int8',
    ],
    [
      'a function that a relation says',
      'def @main(%x: Tensor[(2), float32]) { @f(%x) } def @f[a, b](%x: a) -> b where exp(a, b) { exp(%x) }',
      'Tensor[(2), float32], Tensor[(2), float32]',
    ],
    [
      'a function of tensors',
      'def @main(%x: Tensor[(2), int8]) { @f(%x) } def @f[s: Shape, d: BaseType](%x: Tensor[s, d]) -> int8 { 1i8 }',
      'Shape [2], BaseType "int8"',
    ],
    [
      'a function of sizes',
      'def @main(%x: Tensor[(2), int8]) { @f(%x) } def @f[n: ShapeVar](%x: Tensor[(n), int8]) -> int8 { 1i8 }',
      'ShapeVar 2',
    ],
    [
      'a function of functions',
      'def @main() { @f(fn (%x: int8) -> int16 { 1i16 }) } def @f[a, b](%x: fn (a) -> b) -> int8 { 1i8 }',
      'int8, int16',
    ],
    [
      'a function of a general function',
      'def @main() { @f(fn [c](%x: c) { %x }, 1i8) } def @f[a, b](%f: fn (a) -> b, %x: a) -> int8 { 1i8 }',
      'int8, int8',
    ],
    ['a constructor', 'def @main(%x: int8) { Cons(%x, Nil[int8]()) }', 'int8'],
    ['what is no call', 'def @main(%x: int8) { (%x, %x) }', undefined],
  ])('%s', (_, text, expected) => {
    const m = typed(preludeModule(text));
    const { body } = m.functions.get('main') ?? raise();
    expect(typeArgsOf(m, body)?.map(argText).join(', ')).toBe(expected);
  });
});
