import { isRight } from '@baton/base';
import {
  anyDim,
  call,
  dimOf,
  type Expr,
  func,
  funcType,
  globalVar,
  ifElse,
  incompleteType,
  inferTypes,
  irModule,
  letIn,
  opRef,
  refCreate,
  refRead,
  refType,
  refWrite,
  scalarType,
  type Type,
  tempExpr,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  typeOf,
  variable,
} from '@baton/ir';
import { describe, expect, it, test } from 'vitest';
import {
  add,
  app,
  at,
  bool,
  entry,
  f32,
  i32,
  inferred,
  lit,
  log,
  mainOf,
  moduleOf,
  num,
  ops,
  problems,
  t,
  userOp,
  yes,
} from './infer-support.ts';

/** The result type of a program without parameters. */
const resultOf = (body: Expr): Type | undefined => mainOf(inferred(entry(body))).retType;

const i64 = scalarType('int64');

describe('programs that have types', () => {
  test.each<[string, Expr, Type]>([
    ['C077: a literal beside a float is a float', add(num(1, 'float32'), lit(1)), f32],
    ['a literal alone is int32', lit(1), i32],
    ['a large literal is int64', lit(2147483648), i64],
    ['a decimal literal is float32', lit(1.5), f32],
    ['two literals share one dtype, the narrower class', add(lit(1), lit(2.5)), f32],
    ['the largest literal decides', add(lit(1), lit(2147483648)), i64],
    ['a literal beside int16', add(lit(1), num(2, 'int16')), scalarType('int16')],
    [
      'C094: a literal takes the dtype of the other branch',
      ifElse(yes, lit(1), num(2, 'float32')),
      f32,
    ],
    ['a tuple of literals defaults each', tuple([lit(1), lit(1.5)]), tupleType([i32, f32])],
    ['a projection', tupleGetItem(tuple([lit(1), yes]), 1), bool],
    [
      'a relation that reads a constant',
      app('arange', [num(5, 'int32')]),
      tensorType([5], 'int32'),
    ],
  ])('%s', (_title, body, type) => {
    expect(resultOf(body)).toStrictEqual(type);
  });

  it('C077: writes the dtype of a literal into the program', () => {
    const main = mainOf(inferred(entry(add(num(1, 'float32'), lit(1)))));
    const { body } = main;
    const literal = body._tag === 'Call' ? body.args[1] : undefined;
    expect(literal).toMatchObject({ literal: undefined, data: { dtype: 'float32' } });
  });

  it('C079: annotates let variables', () => {
    const x = variable('x', t(10, 10));
    const [a, b] = [variable('a'), variable('b')];
    const body = letIn(a, log(x), letIn(b, add(a, x), b));
    const m = inferred(moduleOf({ main: func([x], body) }));
    const outer = mainOf(m).body;
    expect(outer).toMatchObject({ _tag: 'Let', variable: { typeAnnotation: t(10, 10) } });
    expect(outer._tag === 'Let' && outer.body).toMatchObject({
      variable: { typeAnnotation: t(10, 10) },
    });
    expect(typeOf(m, mainOf(m))).toStrictEqual(funcType([t(10, 10)], t(10, 10)));
    // The parameter was annotated: it is the same object.
    expect(mainOf(m).params[0]).toBe(x);
  });

  it('C080, C082: types functions that call themselves and each other', () => {
    const n = variable('n', i32);
    const isZero = app('equal', [n, lit(0)]);
    const down = app('subtract', [n, lit(1)]);
    const even = func([n], ifElse(isZero, yes, call(globalVar('odd'), [down])), { retType: bool });
    const k = variable('k', i32);
    const less = app('subtract', [k, lit(1)]);
    const odd = func([k], ifElse(app('equal', [k, lit(0)]), yes, call(globalVar('even'), [less])), {
      retType: bool,
    });
    const m = inferred(moduleOf({ even, odd }));
    for (const f of m.functions.values()) {
      expect(typeOf(m, f)).toStrictEqual(funcType([i32], bool));
    }
  });

  it('finds the result of a recursive function without annotation from its base case', () => {
    const n = variable('n', i32);
    const again = call(globalVar('main'), [app('subtract', [n, lit(1)])]);
    const main = func([n], ifElse(app('equal', [n, lit(0)]), num(2, 'float32'), again));
    expect(mainOf(inferred(moduleOf({ main }))).retType).toStrictEqual(f32);
  });

  it('C083: finds the type of a parameter that is called', () => {
    const x = variable('x', i32);
    const f = variable('f');
    const m = inferred(moduleOf({ main: func([x, f], call(f, [x]), { retType: i32 }) }));
    expect(mainOf(m).params[1]?.typeAnnotation).toStrictEqual(funcType([i32], i32));
  });

  it('C091, C092: types references', () => {
    const x = variable('x', f32);
    const [r, u] = [variable('r'), variable('u')];
    const body = letIn(r, refCreate(x), letIn(u, refWrite(r, lit(1)), tuple([refRead(r), u])));
    const m = inferred(moduleOf({ main: func([x], body) }));
    expect(mainOf(m).retType).toStrictEqual(tupleType([f32, tupleType([])]));
    expect(mainOf(m).body).toMatchObject({ variable: { typeAnnotation: refType(f32) } });
  });

  it('C103, C104, C110: `?` meets known sizes', () => {
    const x = variable('x', t(anyDim));
    const y = variable('y', t(1));
    const z = variable('z', t(2));
    const rows = variable('rows', t(anyDim, 2));
    const more = variable('more', t(3, 2));
    const c = variable('c', bool);
    const result = (body: Expr): Type | undefined =>
      mainOf(inferred(moduleOf({ main: func([c, x, y, z, rows, more], body) }))).retType;
    expect(result(add(x, y))).toStrictEqual(t(anyDim));
    expect(result(add(x, x))).toStrictEqual(t(anyDim));
    expect(result(app('concatenate', [tuple([rows, more])]))).toStrictEqual(t(anyDim, 2));
    expect(result(ifElse(c, z, x))).toStrictEqual(t(anyDim));
  });

  it('C109: finds the type of a weight', () => {
    const x = variable('x', t(2, 5));
    const w = variable('w');
    const body = app('nn.dense', [x, w], undefined, { units: 7 });
    const m = inferred(moduleOf({ main: func([x, w], body) }));
    expect(mainOf(m).params[1]?.typeAnnotation).toStrictEqual(t(7, 5));
    expect(mainOf(m).retType).toStrictEqual(t(2, 7));
  });

  it('C116: takes operators of the user', () => {
    const x = variable('x', t(10, 10));
    const v = variable('t');
    const body = letIn(v, app('my_log', [x]), add(v, x));
    const main = func([x], body);
    const m = irModule({ functions: new Map([['main', main]]), ops: ops.with(userOp) });
    expect(mainOf(inferred(m)).retType).toStrictEqual(t(10, 10));
  });

  it('wakes relations when a hole is filled later', () => {
    // The type of %w is known only from its second use.
    const x = variable('x', t(2, 5));
    const w = variable('w');
    const early = log(log(w));
    const body = tuple([early, app('nn.dense', [x, w], undefined, { units: 7 })]);
    const m = inferred(moduleOf({ main: func([x, w], body) }));
    expect(mainOf(m).retType).toStrictEqual(tupleType([t(7, 5), t(2, 7)]));
  });

  it('fills holes inside annotations', () => {
    const x = variable('x', t(2, 5));
    const w = variable('w', tensorType(incompleteType('Shape'), 'float32'));
    const body = app('nn.dense', [x, w], undefined, { units: 7 });
    const m = inferred(moduleOf({ main: func([x, w], body) }));
    expect(mainOf(m).params[1]?.typeAnnotation).toStrictEqual(t(7, 5));
  });

  it.each<[string, Type, Type, Type]>([
    ['shape', tensorType(incompleteType('Shape'), 'float32'), t(2), t(3)],
    ['dimension', t(dimOf(incompleteType('ShapeVar'))), t(2), t(3)],
    ['dtype', tensorType([], incompleteType('BaseType')), f32, i32],
    ['type', incompleteType(), f32, t(3)],
  ])('fills the hole of a %s that two functions share in each by itself', (_, hole, one, other) => {
    const known = (type: Type) => {
      const x = variable('x', hole);
      return func([x], letIn(variable('y', type), x, x));
    };
    const m = inferred(moduleOf({ one: known(one), other: known(other), again: known(one) }));
    const found = ['one', 'other', 'again'].map((name) => m.functions.get(name)?.retType);
    expect(found).toStrictEqual([one, other, one]);
  });

  it('makes ? of a dimension that has met it only in that function', () => {
    const hole = t(dimOf(incompleteType('ShapeVar')));
    const [x, y] = [variable('x', hole), variable('y', hole)];
    const m = inferred(
      moduleOf({ met: func([x], letIn(variable('z', t(anyDim)), x, x)), open: func([y], y) }),
    );
    expect(m.functions.get('met')?.retType).toStrictEqual(t(anyDim));
    expect(m.functions.get('open')?.typeParams.map((v) => v.kind)).toEqual(['ShapeVar']);
  });

  it('lets the callers of a function see its result', () => {
    const x = variable('x', t(3));
    const y = variable('y', t(3));
    const m = inferred(
      moduleOf({ main: func([x], call(globalVar('f'), [x])), f: func([y], tuple([y, lit(1)])) }),
    );
    expect(mainOf(m).retType).toStrictEqual(tupleType([t(3), i32]));
  });

  it('keeps shared nodes shared, also when it rebuilds them', () => {
    const shared = add(lit(1), num(1, 'float32'));
    const main = mainOf(inferred(entry(tuple([shared, shared]))));
    const fields = main.body._tag === 'Tuple' ? main.body.fields : [];
    expect(fields[0]).not.toBe(shared);
    expect(fields[0]).toBe(fields[1]);
  });

  it('returns the module itself when there is nothing to write', () => {
    const x = variable('x', t(3));
    const m = moduleOf({ main: func([x], log(x), { retType: t(3) }) });
    expect(inferred(m)).toBe(m);
    expect(inferred(inferred(m))).toBe(m);
  });
});

describe('programs that have no types', () => {
  const x3 = variable('x', t(3));
  const x4 = variable('y', t(4));
  const loop = variable('f');
  const self = variable('x', undefined, at('self'));
  test.each<[string, Expr, ReadonlyArray<string>]>([
    ['C076: incompatible broadcast', add(x3, x4, 'sum'), ['OP_BROADCAST@sum']],
    ['C077: dtypes that differ', add(num(1, 'float32'), num(1, 'int32'), 'sum'), ['OP_DTYPE@sum']],
    [
      'C092: a write of another type',
      refWrite(refCreate(num(1, 'float32')), num(1, 'int32'), at('write')),
      ['TYPE_MISMATCH@write'],
    ],
    [
      'C094: branches that differ',
      ifElse(yes, num(1, 'int32'), num(2, 'float32'), at('if')),
      ['TYPE_MISMATCH@if'],
    ],
    ['C094: a literal and a tuple', ifElse(yes, lit(1), tuple([]), at('if')), ['TYPE_MISMATCH@if']],
    [
      'C097: a call of a number',
      call(lit(1), [lit(2)], { span: at('call') }),
      ['TYPE_NOT_A_FUNCTION@call'],
    ],
    [
      'C098: a let annotation that differs',
      letIn(variable('x', f32), num(1, 'int32'), lit(1), at('let')),
      ['TYPE_MISMATCH@let'],
    ],
    [
      'C098: a number is no bool',
      letIn(variable('x', bool), lit(1), lit(1), at('let')),
      ['TYPE_MISMATCH@let'],
    ],
    [
      'C100: a type that contains itself',
      letIn(loop, func([self], call(self, [self], { span: at('apply') })), tuple([])),
      ['TYPE_INFINITE@apply'],
    ],
    [
      'C101: a global that is not there',
      call(globalVar('nope', at('nope')), [lit(1)]),
      ['TYPE_UNDEFINED_GLOBAL@nope'],
    ],
    [
      'a condition that is no bool',
      ifElse(num(1, 'int32', 'cond'), lit(1), lit(2)),
      ['TYPE_CONDITION@cond'],
    ],
    ['a field out of range', tupleGetItem(tuple([lit(1)]), 1, at('get')), ['TYPE_TUPLE_INDEX@get']],
    ['a field of no tuple', tupleGetItem(num(1, 'int32'), 0, at('get')), ['TYPE_NOT_A_TUPLE@get']],
    [
      'a literal that does not fit',
      add(lit(300, 'lit'), num(1, 'uint8')),
      ['TYPE_LITERAL_RANGE@lit'],
    ],
    ['a float literal beside an int', add(lit(1.5), num(1, 'int32'), 'sum'), ['OP_DTYPE@sum']],
    ['an unbound variable', log(variable('z', undefined, at('z'))), ['TYPE_UNBOUND@z']],
    ['too few arguments of an operator', app('add', [lit(1)], 'sum'), ['TYPE_ARITY@sum']],
    [
      'too many arguments of a function',
      call(func([], lit(1)), [lit(1)], { span: at('call') }),
      ['TYPE_ARITY@call'],
    ],
    ['an unknown operator', app('nope', [], 'call'), ['TYPE_UNKNOWN_OPERATOR@call']],
    ['an unknown attribute', app('log', [lit(1)], 'call', { base: 2 }), ['ATTR_UNKNOWN@call']],
    ['a missing attribute', app('nn.dense', [x3, x3], 'call'), ['ATTR_MISSING@call']],
    ['a relation that throws', app('broken', [lit(1)], 'call'), ['TYPE_RELATION_THREW@call']],
    ['an unknown operator as a value', opRef('nope', at('op')), ['TYPE_UNKNOWN_OPERATOR@op']],
    ["a pass's private node", tempExpr(1, () => yes, at('temp')), ['TYPE_TEMP_EXPR@temp']],
    [
      'several mistakes',
      tuple([add(x3, x4, 'one'), tupleGetItem(lit(1), 0, at('two'))]),
      ['OP_BROADCAST@one', 'TYPE_NOT_A_TUPLE@two'],
    ],
  ])('%s', (_title, body, expected) => {
    expect(problems(entry(body))).toStrictEqual(expected);
  });

  it('reports nothing about types that an unbound variable leaves open', () => {
    const result = inferTypes(entry(log(variable('z', undefined, at('z')))), { generalize: false });
    expect(result._tag === 'Left' && result.left.map((d) => d.code)).toEqual(['TYPE_UNBOUND']);
  });

  it('reports each function, and says nothing of the callers of one that failed', () => {
    const bad = func([], add(x3, x4, 'bad'));
    const caller = func([], log(call(globalVar('bad'), [])));
    const worse = func([], tupleGetItem(yes, 0, at('worse')));
    expect(problems(moduleOf({ caller, bad, worse }))).toStrictEqual([
      'OP_BROADCAST@bad',
      'TYPE_NOT_A_TUPLE@worse',
    ]);
  });
});

describe('large programs', () => {
  const DEPTH = 8_000;

  test('C115: a chain of 50,000 calls', () => {
    const x = variable('x', t(2));
    let body: Expr = x;
    for (let i = 0; i < DEPTH; i++) body = add(x, body);
    expect(mainOf(inferred(moduleOf({ main: func([x], body) }))).retType).toStrictEqual(t(2));
  });

  test('50,000 nested lets without annotations', () => {
    const vars = Array.from({ length: DEPTH }, (_, i) => variable(`v${i}`));
    let body: Expr = vars.at(-1) ?? yes;
    for (let i = DEPTH - 1; i >= 0; i--) {
      const previous = vars[i - 1];
      const binder = vars[i];
      if (binder === undefined) continue;
      body = letIn(
        binder,
        previous === undefined ? num(1, 'float32') : add(previous, lit(1)),
        body,
      );
    }
    expect(resultOf(body)).toStrictEqual(f32);
  });

  test('a chain of 50,000 calls that waits for its first argument', () => {
    const x = variable('x', t(2, 5));
    const w = variable('w');
    let chain: Expr = w;
    for (let i = 0; i < DEPTH; i++) chain = log(chain);
    const body = tuple([chain, app('nn.dense', [x, w], undefined, { units: 7 })]);
    const m = inferred(moduleOf({ main: func([x, w], body) }));
    expect(mainOf(m).retType).toStrictEqual(tupleType([t(7, 5), t(2, 7)]));
  });

  test('a chain of 50,000 additions of literals', () => {
    let body: Expr = lit(1);
    for (let i = 0; i < DEPTH; i++) body = add(body, lit(i));
    expect(resultOf(add(body, num(1, 'float64')))).toStrictEqual(scalarType('float64'));
  });

  test('a ladder of 1,000 diamonds', () => {
    let body: Expr = variable('x', t(2));
    const x = body;
    for (let i = 0; i < 1000; i++) body = add(log(body), log(body));
    const m = moduleOf({ main: func(x._tag === 'Var' ? [x] : [], body) });
    expect(mainOf(inferred(m)).retType).toStrictEqual(t(2));
  });

  test.each([
    ['closed', num(1, 'float32')],
    ['of literals', lit(1)],
  ])('a ladder of 1,000 lets of pairs, %s', (_title, first) => {
    const vars = Array.from({ length: 1000 }, (_, i) => variable(`x${i}`));
    let body: Expr = ifElse(yes, vars.at(-1) ?? yes, vars.at(-1) ?? yes);
    for (let i = vars.length - 1; i >= 0; i--) {
      const previous = vars[i - 1];
      const binder = vars[i];
      if (binder === undefined) continue;
      body = letIn(binder, previous === undefined ? first : tuple([previous, previous]), body);
    }
    expect(isRight(inferTypes(entry(body)))).toBe(true);
  });

  test('two ladders of pairs in two branches are compared once a level', () => {
    const ladder = (): Expr => {
      let e: Expr = num(1, 'float32');
      for (let i = 0; i < 1000; i++) e = tuple([e, e]);
      return e;
    };
    expect(isRight(inferTypes(entry(ifElse(yes, ladder(), ladder()))))).toBe(true);
  });
});
