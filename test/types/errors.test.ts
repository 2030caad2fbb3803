/**
 * The error classes of [types §11](https://batonjs.github.io/baton/spec/types#11) that inference
 * reports: code, place and message.
 */
import {
  call,
  constant,
  type Expr,
  func,
  globalTypeVar,
  irModule,
  letIn,
  scalarType,
  type Type,
  type TypeArg,
  type TypeRelation,
  tensorType,
  tuple,
  typeCall,
  typeRelation,
  typeVar,
  variable,
} from '@baton/ir';
import { standardOps } from '@baton/ops';
import { scalar } from '@baton/tensor';
import { describe, expect, it, test } from 'vitest';
import { entryOf, messages, moduleOf, preludeModule, problems } from './support.ts';

describe('expressions', () => {
  test.each<[string, string, ReadonlyArray<string>, RegExp]>([
    [
      'E3: a literal whose dtype cannot hold it',
      '300 + 1u8',
      ['TYPE_LITERAL_RANGE 1:1'],
      /300 does not fit uint8/,
    ],
    [
      'E8: every dimension that conflicts, at once',
      'fn (%c: bool, %x: Tensor[(2, 3, 4), float32], %y: Tensor[(2, 5, 6), float32]) { if (%c) { %x } else { %y } }',
      ['TYPE_MISMATCH 1:103'],
      /expected the other branch of type Tensor\[\(2, 3, 4\), float32\], found Tensor\[\(2, 5, 6\), float32\]/,
    ],
    [
      'E8: ranks that differ',
      'fn (%x: Tensor[(2), float32]) -> Tensor[(2, 1), float32] { %x }',
      ['TYPE_MISMATCH 1:60'],
      /expected a result of type Tensor\[\(2, 1\), float32\]/,
    ],
    [
      'E9: dtypes that differ',
      'fn (%x: float32) { %x + 1i32 }',
      ['OP_DTYPE_MISMATCH 1:20'],
      /float32.*int32/,
    ],
    [
      'E9: a constraint of the callee',
      'let %f = fn (%x) { %x + 1i32 }; %f(1f)',
      ['OP_DTYPE_MISMATCH 1:33'],
      /Broadcast/,
    ],
    [
      'E11: too few arguments',
      'let %f = fn (%x) { %x }; %f()',
      ['TYPE_ARITY 1:26'],
      /too few arguments: expected 1, found 0/,
    ],
    [
      'E11: too many arguments',
      'let %f = fn (%x) { %x }; %f(1, 2)',
      ['TYPE_ARITY 1:26'],
      /too many arguments/,
    ],
    ['E11: no function', '(1, 2)(3)', ['TYPE_NOT_A_FUNCTION 1:1'], /found \(.*\)/],
    [
      'E12: a condition that is no bool',
      'if (1i32) { 1 } else { 2 }',
      ['TYPE_CONDITION 1:5'],
      /bool/,
    ],
    [
      'E12: a condition that is no scalar',
      'fn (%c: Tensor[(1), bool]) { if (%c) { 1 } else { 2 } }',
      ['TYPE_CONDITION 1:34'],
      /Tensor\[\(1,?\), bool\]/,
    ],
    [
      'E13: beyond the fields',
      '(1, 2).2',
      ['TYPE_TUPLE_INDEX 1:1'],
      /field 2 is out of range for a tuple of 2/,
    ],
    ['E13: no tuple', '(fn () { 1 }).0', ['TYPE_NOT_A_TUPLE 1:1'], /only tuples/],
    [
      'E17: a type that contains itself',
      'fn (%x) { %x(%x) }',
      ['TYPE_INFINITE 1:11'],
      /contain itself/,
    ],
    [
      'E9: an annotation that promises more than its value keeps',
      'let %f: fn [A](A) -> A = fn (%x) { %x + 1 }; %f(2)',
      ['TYPE_UNPROVED 1:1'],
      /nothing states that Broadcast holds for the type parameter A/,
    ],
    [
      'E8: a function of one type where every type is demanded',
      '(fn (%f: fn [a](a) -> a) { (%f(1), %f(())) })(fn (%x) { 1 })',
      ['TYPE_MISMATCH 1:47'],
      /expected argument 0/,
    ],
    [
      'several errors in one run',
      '(1 + (), if (()) { 1 } else { 2 }, (1,).1)',
      ['OP_NOT_TENSOR 1:2', 'TYPE_CONDITION 1:14', 'TYPE_TUPLE_INDEX 1:36'],
      /./,
    ],
    [
      'E22: a type parameter that escapes',
      'fn (%y) { let %f = fn [a](%x: a) -> a { if (True) { %x } else { %y } }; %f }',
      ['TYPE_FREE_VARIABLE 1:5'],
      /%y would mention the type variable a/,
    ],
  ])('%s', (_title, text, expected, message) => {
    const m = entryOf(text);
    expect(problems(m)).toStrictEqual(expected);
    expect(messages(m)[0]).toMatch(message);
  });
});

describe('definitions and matches', () => {
  test.each<[string, string, ReadonlyArray<string>]>([
    [
      'E14: another type than the pattern',
      'def @f(%x: Option[int32]) -> int32 { match (%x) { Cons(_, _) => 1, Nil => 2 } }',
      ['TYPE_PATTERN 2:51', 'TYPE_PATTERN 2:68'],
    ],
    [
      'E14: a tuple pattern of another size',
      'def @f(%x: (int32, int32)) -> int32 { match (%x) { (%a, _, _) => %a } }',
      ['TYPE_PATTERN 2:52'],
    ],
    [
      'E14: a value of no algebraic type',
      'def @f(%x: int32) -> int32 { match? (%x) { Nil => 1 } }',
      ['TYPE_PATTERN 2:44'],
    ],
    [
      'E14: a pattern that does not fit is all that is said of its match',
      'def @f(%x: int32) -> int32 { match (%x) { Nil => 1 } }',
      ['TYPE_PATTERN 2:43'],
    ],
    [
      'E14: also one of another size',
      'def @f(%x: List[int32]) -> int32 { match (%x) { Cons(%h, _, _) => %h } }',
      ['TYPE_PATTERN_ARITY 2:49'],
    ],
    [
      'E14: arity',
      'def @f(%x: List[int32]) -> int32 { match? (%x) { Cons(%h, _, _) => %h } }',
      ['TYPE_PATTERN_ARITY 2:50'],
    ],
    [
      'E14: not covered',
      'def @f(%x: Option[int32]) -> int32 { match (%x) { Some(%a) => %a } }',
      ['TYPE_MATCH_INCOMPLETE 2:38'],
    ],
    [
      '`match?` need not cover',
      'def @f(%x: Option[int32]) -> int32 { match? (%x) { Some(%a) => %a } }',
      [],
    ],
    [
      'a match without clauses covers nothing',
      'type Void { } def @f(%x: Void) -> int32 { match (%x) { } }',
      ['TYPE_MATCH_INCOMPLETE 2:43'],
    ],
    [
      'E8: clauses that differ',
      'def @f(%x: Option[int32]) { match (%x) { Some(_) => 1i32, None => 2f } }',
      ['TYPE_MISMATCH 2:67'],
    ],
    [
      'an annotation of a pattern variable',
      'def @f(%x: Option[int32]) { match (%x) { Some(%a: float32) => %a, None => 2f } }',
      ['TYPE_MISMATCH 2:47'],
    ],
    ['E21: an undefined global', 'def @f() { @g() }', ['TYPE_UNDEFINED_GLOBAL 2:12']],
    [
      'a function whose callee failed is not blamed',
      'def @f() { 1 + () } def @g() { @f() }',
      ['OP_NOT_TENSOR 2:12'],
    ],
  ])('%s', (_title, text, expected) => {
    expect(problems(preludeModule(text))).toStrictEqual(expected);
  });
});

describe('programs made by hand', () => {
  const i32 = scalarType('int32');
  const one = constant(scalar(1, 'int32'));
  const entry = (type: Type) => {
    const x = variable('x', type);
    const main = func([x], one, { retType: i32 });
    return irModule({ ops: standardOps, functions: new Map([['main', main]]) });
  };
  const [t, s, d, n] = [
    typeVar('t'),
    typeVar('s', 'Shape'),
    typeVar('d', 'BaseType'),
    typeVar('n', 'ShapeVar'),
  ];
  const list = (arg: TypeArg): Type => typeCall(globalTypeVar('List'), [arg]);

  test.each<[string, Type, string]>([
    ['E16: a shape where a type has to be', s, 'TYPE_KIND'],
    ['E16: a dimension where a dtype has to be', tensorType([], n), 'TYPE_KIND'],
    ['E16: a dtype where a shape has to be', tensorType(d, 'int8'), 'TYPE_KIND'],
    [
      'E16: a type that nothing defines',
      list({ _tag: 'TypeArg', kind: 'Type', value: i32 }),
      'TYPE_UNDEFINED_ADT',
    ],
    ['E22: a variable that nothing declares', t, 'TYPE_FREE_VARIABLE'],
    ['E22: a shape that nothing declares', tensorType(s, 'int8'), 'TYPE_FREE_VARIABLE'],
  ])('%s', (_title, type, code) => {
    expect(problems(entry(type))).toStrictEqual([code]);
  });

  it('E18: a variable that is bound twice, and one outside its scope', () => {
    const x = variable('x');
    const m = (body: Expr) =>
      irModule({ ops: standardOps, functions: new Map([['main', func([], body)]]) });
    const twice = tuple([letIn(x, one, one), letIn(x, one, one)]);
    expect(problems(m(twice))).toStrictEqual(['IR_BOUND_TWICE']);
    expect(problems(m(tuple([letIn(x, one, one), x])))).toStrictEqual(['IR_ESCAPES']);
    expect(problems(m(tuple([letIn(x, one, x), one])))).toStrictEqual([]);
  });

  it('E16: checks the arguments of constructors', () => {
    const text = 'type E[n: ShapeVar] { Mk(Tensor[(n), int8]) } def @f() { 1 }';
    const m = moduleOf(text);
    const data = m.typeDefinitions.get('E');
    if (data === undefined) throw new Error('no E');
    const broken = { ...data, constructors: [{ name: 'Mk', inputs: [tensorType([], n)] }] };
    const bad = irModule({ ...m, typeDefinitions: new Map([['E', broken]]) });
    expect(problems(bad)).toStrictEqual(['TYPE_KIND']);
  });

  it('E16: another number of arguments than a type has', () => {
    const { typeDefinitions, constructors } = preludeModule('');
    const header = typeDefinitions.get('List')?.header ?? globalTypeVar('List');
    const int: TypeArg = { _tag: 'TypeArg', kind: 'Type', value: i32 };
    for (const args of [[], [int, int]]) {
      const m = { ...entry(typeCall(header, args)), typeDefinitions, constructors };
      expect(problems(m)).toStrictEqual(['TYPE_ARGUMENT_COUNT']);
    }
  });

  it.each<[string, TypeRelation, string]>([
    ['fewer arguments', typeRelation('Broadcast', [i32, i32], 1), 'between 3 types, found 2'],
    [
      'more arguments',
      typeRelation('Broadcast', [i32, i32, i32, i32], 3),
      'between 3 types, found 4',
    ],
    ['no output', typeRelation('Broadcast', [i32, i32], 2), 'between 3 types, found 2'],
    ['fewer arguments of an operator', typeRelation('exp', [i32], 0), 'between 2 types, found 1'],
    ['an unknown name', typeRelation('Nothing', [i32, i32], 1), 'Nothing'],
  ])('a relation with %s', (_title, constraint, said) => {
    const main = func([], one, { retType: i32, constraints: [constraint] });
    const m = irModule({ ops: standardOps, functions: new Map([['main', main]]) });
    expect(messages(m).join()).toContain(said);
  });

  it('E11: too many type arguments, and one of another kind', () => {
    const [f, x, a] = [variable('f'), variable('x', t), typeVar('a')];
    const arg: TypeArg = { _tag: 'TypeArg', kind: 'ShapeVar', value: 3 };
    const id = func([x], x, { typeParams: [t], retType: t });
    const called = (args: ReadonlyArray<TypeArg>) =>
      letIn(f, id, call(f, [one], { typeArgs: args }));
    const m = (args: ReadonlyArray<TypeArg>) =>
      irModule({ ops: standardOps, functions: new Map([['main', func([], called(args))]]) });
    expect(problems(m([arg]))).toStrictEqual(['TYPE_KIND']);
    const free: TypeArg = { _tag: 'TypeArg', kind: 'Type', value: a };
    expect(problems(m([free]))).toContain('TYPE_FREE_VARIABLE');
  });
});

it('an error is found again when inference is run again', () => {
  const m = entryOf('fn (%x: Tensor[(2), float32]) -> Tensor[(2, 1), float32] { log(%x) }');
  expect(problems(m)).toStrictEqual(problems(m));
  expect(problems(m)).toHaveLength(1);
});
