/**
 * The fields that structural equality compares: for each kind of node and each of its parts, two
 * nodes that differ only in that part.
 */
import {
  adtConstructor,
  call,
  clause,
  constant,
  type Expr,
  func,
  globalTypeVar,
  globalVar,
  type IRModule,
  ifElse,
  irModule,
  letIn,
  match,
  opRef,
  type Pattern,
  refCreate,
  refRead,
  refWrite,
  scalarType,
  structuralEqual,
  structuralHash,
  type TypeArg,
  tempExpr,
  tensorType,
  tuple,
  tupleGetItem,
  tupleType,
  typeVar,
  variable,
} from '@baton/ir';
import { scalar, tensor } from '@baton/tensor';
import { describe, expect, it, test } from 'vitest';
import { ops } from './text-ops.ts';
import { expr, mod } from './text-support.ts';

const f32 = scalarType('float32');
const i32 = scalarType('int32');
const typeArg = (value: typeof f32): TypeArg => ({ _tag: 'TypeArg', kind: 'Type', value });

// Free variables with one hash, but two identities.
const [x, y] = [variable('x'), variable('y')];
const wild: Pattern = { _tag: 'PatternWildcard', span: undefined };
const bind = (type = f32): Pattern => ({
  _tag: 'PatternVar',
  variable: variable('v', type),
  span: undefined,
});
const box = globalTypeVar('Box');
const ctor = (name: string) => adtConstructor(name, [f32, f32], box, 0);
const cell = (name: string, patterns: ReadonlyArray<Pattern>): Pattern => ({
  _tag: 'PatternConstructor',
  ctor: ctor(name),
  patterns,
  span: undefined,
});
const row = (...patterns: Pattern[]): Pattern => ({
  _tag: 'PatternTuple',
  patterns,
  span: undefined,
});
const matched = (pattern: Pattern): Expr => match(x, [clause(pattern, x)], true);
const add = (a: Expr, b: Expr): Expr => call(opRef('add'), [a, b]);

/** One calls `nn.softmax` without its attribute, the other with the default: hashes do not help. */
const bare = call(opRef('nn.softmax'), [x]);
const full = call(opRef('nn.softmax'), [x], { attrs: { axis: -1 } });
const areEqualWithoutHashes = (a: Expr, b: Expr, options = {}): boolean =>
  structuralEqual(tuple([bare, a]), tuple([full, b]), { ...options, ops });

const areEqual = (a: Expr, b: Expr): ReadonlyArray<boolean> => [
  structuralEqual(a, b),
  structuralEqual(b, a),
  structuralEqual(a, b, { compareSharing: false }),
  areEqualWithoutHashes(a, b),
  areEqualWithoutHashes(b, a),
  areEqualWithoutHashes(a, b, { compareSharing: false }),
];
const NEVER = areEqual(x, y).map(() => false);
const ALWAYS = NEVER.map(() => true);

/** A node of each kind, made of two parts. */
const kinds: Readonly<Record<string, (a: Expr, b: Expr) => Expr>> = {
  Var: (a) => a,
  GlobalVar: () => globalVar('f'),
  Constant: () => constant(scalar(1, 'int32')),
  Op: () => opRef('add'),
  Constructor: () => ctor('Full'),
  Tuple: (a, b) => tuple([a, b]),
  TupleGetItem: (a) => tupleGetItem(a, 0),
  Function: (a) => func([], a),
  Call: (a, b) => call(a, [b]),
  Let: (a, b) => letIn(variable('v'), a, b),
  If: (a, b) => ifElse(a, b, b),
  Match: (a, b) => match(a, [clause(wild, b)], true),
  RefCreate: (a) => refCreate(a),
  RefRead: (a) => refRead(a),
  RefWrite: (a, b) => refWrite(a, b),
};

describe('nodes of each kind', () => {
  const samples = Object.entries(kinds);
  test.each(samples)('%s: are equal to their like', (_, make) => {
    expect(areEqual(make(x, y), make(x, y))).toEqual(ALWAYS);
  });

  test.each(samples)('%s: differ from those of every other kind', (name, make) => {
    const others = samples.filter(([other]) => other !== name);
    for (const [, other] of others) expect(areEqual(make(x, y), other(x, y))).toEqual(NEVER);
  });
});

describe('two nodes that differ in one part', () => {
  const fn = (parts: Parameters<typeof func>[2]): Expr => func([], x, parts);
  const a = typeVar('a');
  const relation = expr('fn [A](%x: A) where Identity(A, A) { %x }');
  const stated = relation._tag === 'Function' ? relation.constraints : [];
  const called = (typeArgs: ReadonlyArray<TypeArg>): Expr => call(x, [], { typeArgs });
  test.each<[string, Expr, Expr]>([
    ['GlobalVar: name', globalVar('f'), globalVar('g')],
    ['Constructor: name', ctor('Full'), ctor('Half')],
    ['Op: name', opRef('add'), opRef('subtract')],
    ['Constant: value', constant(scalar(1, 'int32')), constant(scalar(2, 'int32'))],
    ['Constant: dtype', constant(scalar(1, 'int32')), constant(scalar(1, 'int16'))],
    [
      'Constant: value of a wide dtype',
      constant(scalar(1n, 'int64')),
      constant(scalar(2n, 'int64')),
    ],
    ['Constant: shape', constant(scalar(1, 'int32')), constant(tensor([1], [1], 'int32'))],
    [
      'Constant: one of many',
      constant(tensor([1, 2], [2], 'int32')),
      constant(tensor([1, 3], [2], 'int32')),
    ],
    ['Tuple: first field', tuple([x, x]), tuple([y, x])],
    ['Tuple: last field', tuple([x, x]), tuple([x, y])],
    ['Tuple: number of fields', tuple([x, x]), tuple([x])],
    ['TupleGetItem: tuple', tupleGetItem(x, 0), tupleGetItem(y, 0)],
    ['TupleGetItem: index', tupleGetItem(x, 0), tupleGetItem(x, 1)],
    ['Function: body', func([], x), func([], y)],
    ['Function: number of parameters', func([variable('p')], x), func([], x)],
    [
      'Function: annotation of a parameter',
      func([variable('p', f32)], x),
      func([variable('p', i32)], x),
    ],
    ['Function: missing annotation', func([variable('p', f32)], x), func([variable('p')], x)],
    ['Function: result', fn({ retType: f32 }), fn({ retType: i32 })],
    ['Function: missing result', fn({ retType: f32 }), fn({})],
    ['Function: number of type parameters', fn({ typeParams: [a] }), fn({})],
    [
      'Function: kind of a type parameter',
      fn({ typeParams: [a] }),
      fn({ typeParams: [typeVar('a', 'Shape')] }),
    ],
    ['Function: attribute', fn({ attrs: { Primitive: 1 } }), fn({ attrs: { Primitive: 0 } })],
    ['Function: attributes', fn({ attrs: { Primitive: 1 } }), fn({})],
    ['Function: relations', fn({ constraints: stated }), fn({})],
    ['Call: operator', call(x, [x]), call(y, [x])],
    ['Call: first argument', call(x, [x, x]), call(x, [y, x])],
    ['Call: last argument', call(x, [x, x]), call(x, [x, y])],
    ['Call: number of arguments', call(x, [x]), call(x, [])],
    ['Call: attribute', call(x, [], { attrs: { axis: 1 } }), call(x, [], { attrs: { axis: 2 } })],
    ['Call: attributes', call(x, [], { attrs: { axis: 1 } }), call(x, [])],
    [
      'Call: type of the attributes',
      call(x, [], { attrsTypeKey: 'a' }),
      call(x, [], { attrsTypeKey: 'b' }),
    ],
    ['Call: type argument', called([typeArg(f32)]), called([typeArg(i32)])],
    [
      'Call: last type argument',
      called([typeArg(f32), typeArg(f32)]),
      called([typeArg(f32), typeArg(i32)]),
    ],
    ['Call: number of type arguments', called([typeArg(f32)]), called([])],
    ['Let: value', letIn(variable('v'), x, x), letIn(variable('v'), y, x)],
    ['Let: body', letIn(variable('v'), x, x), letIn(variable('v'), x, y)],
    ['Let: annotation', letIn(variable('v', f32), x, x), letIn(variable('v', i32), x, x)],
    ['If: condition', ifElse(x, x, x), ifElse(y, x, x)],
    ['If: true branch', ifElse(x, x, x), ifElse(x, y, x)],
    ['If: false branch', ifElse(x, x, x), ifElse(x, x, y)],
    ['Match: data', match(x, [clause(wild, x)], true), match(y, [clause(wild, x)], true)],
    ['Match: completeness', match(x, [clause(wild, x)], true), match(x, [clause(wild, x)], false)],
    [
      'Match: body of a clause',
      match(x, [clause(wild, x), clause(wild, x)], true),
      match(x, [clause(wild, x), clause(wild, y)], true),
    ],
    [
      'Match: number of clauses',
      match(x, [clause(wild, x)], true),
      match(x, [clause(wild, x), clause(wild, x)], true),
    ],
    ['PatternVar: annotation', matched(bind(f32)), matched(bind(i32))],
    ['PatternVar: no name', matched(bind()), matched(wild)],
    [
      'PatternConstructor: name',
      matched(cell('Full', [wild, wild])),
      matched(cell('Half', [wild, wild])),
    ],
    [
      'PatternConstructor: number of parts',
      matched(cell('Full', [wild, wild])),
      matched(cell('Full', [wild])),
    ],
    ['PatternConstructor: a tuple', matched(cell('Full', [wild, wild])), matched(row(wild, wild))],
    [
      'PatternConstructor: first part',
      matched(cell('Full', [bind(), wild])),
      matched(cell('Full', [wild, wild])),
    ],
    [
      'PatternConstructor: last part',
      matched(cell('Full', [wild, bind()])),
      matched(cell('Full', [wild, wild])),
    ],
    ['PatternTuple: number of parts', matched(row(wild, wild)), matched(row(wild))],
    ['PatternTuple: part', matched(row(wild, bind())), matched(row(wild, wild))],
    ['PatternTuple: wildcard', matched(row(wild)), matched(wild)],
    [
      'PatternWildcard: another clause',
      match(x, [clause(bind(), x), clause(wild, x)], true),
      match(x, [clause(wild, x), clause(bind(), x)], true),
    ],
    ['RefCreate: value', refCreate(x), refCreate(y)],
    ['RefRead: reference', refRead(x), refRead(y)],
    ['RefWrite: reference', refWrite(x, x), refWrite(y, x)],
    ['RefWrite: value', refWrite(x, x), refWrite(x, y)],
  ])('%s', (_, left, right) => {
    expect(areEqual(left, right)).toEqual(NEVER);
  });

  it('TempExpr: is equal to itself alone', () => {
    const temporary = () => tempExpr('a', () => x);
    const one = temporary();
    expect(areEqual(one, one)).toEqual(ALWAYS);
    expect(areEqual(one, temporary())).toEqual(NEVER);
  });
});

describe('variables that a node binds', () => {
  const [p, q] = [variable('p'), variable('q')];
  test.each<[string, (use: typeof p) => Expr]>([
    ['by a function', (use) => func([p, q], use)],
    ['by a let', (use) => letIn(p, x, letIn(q, x, use))],
    [
      'by a pattern',
      (use) => {
        const bound = (v: typeof p): Pattern => ({
          _tag: 'PatternVar',
          variable: v,
          span: undefined,
        });
        return match(x, [clause(row(bound(p), bound(q)), use)], true);
      },
    ],
  ])('%s: each stands for one of the other side', (_, make) => {
    expect(areEqual(make(p), make(q))).toEqual(NEVER);
    expect(areEqual(make(p), make(p))).toEqual(ALWAYS);
  });

  it('may have types that a function binds', () => {
    const general = (name: string): Expr => {
      const [a, b] = [typeVar(name), typeVar(`${name}1`)];
      const v = variable('v', tupleType([a, b]));
      return func([v], v, { typeParams: [a, b], retType: tupleType([a, b]) });
    };
    const crossed = (): Expr => {
      const [a, b] = [typeVar('a'), typeVar('b')];
      const v = variable('v', tupleType([a, b]));
      return func([v], v, { typeParams: [a, b], retType: tupleType([b, a]) });
    };
    expect(areEqual(general('a'), general('c'))).toEqual(ALWAYS);
    expect(areEqual(general('a'), crossed())).toEqual(NEVER);
  });
});

describe('sharing', () => {
  it.each<[string, () => Expr]>([
    ['a constant', () => constant(scalar(1, 'int32'))],
    ['a constant of many elements', () => constant(tensor([1, 2], [2], 'int32'))],
    ['an operator', () => opRef('add')],
    ['the name of a global function', () => globalVar('f')],
    ['a constructor', () => ctor('Full')],
  ])('of %s does not count', (_, make) => {
    const shared = make();
    const apart = tuple([make(), make()]);
    expect(areEqual(tuple([shared, shared]), apart)).toEqual(ALWAYS);
  });

  it.each<[string, () => Expr]>([
    ['a call', () => add(x, y)],
    ['a tuple', () => tuple([])],
    ['a function', () => func([], x)],
  ])('of %s counts, unless told not to', (_, make) => {
    const shared = make();
    const [one, two] = [tuple([shared, shared]), tuple([make(), make()])];
    for (const [a, b] of [
      [one, two],
      [two, one],
    ] as const) {
      expect(structuralEqual(a, b)).toBe(false);
      expect(areEqualWithoutHashes(a, b)).toBe(false);
      expect(structuralEqual(a, b, { compareSharing: false })).toBe(true);
      expect(areEqualWithoutHashes(a, b, { compareSharing: false })).toBe(true);
    }
  });
});

describe('attributes that a call leaves out', () => {
  const softmax = (axis?: number): Expr =>
    call(opRef('nn.softmax'), [x], axis === undefined ? {} : { attrs: { axis } });
  it('are those of its operator alone', () => {
    const other = (e: Expr): Expr => call(e, [x]);
    const given = (e: Expr): Expr => call(e, [x], { attrs: { axis: -1 } });
    for (const e of [x, globalVar('nn.softmax'), opRef('exp'), opRef('nothing')]) {
      expect(structuralEqual(other(e), given(e), { ops })).toBe(false);
    }
    expect(structuralEqual(other(opRef('nn.softmax')), given(opRef('nn.softmax')), { ops })).toBe(
      true,
    );
  });

  it('are found on either side, and do not hide other differences', () => {
    expect(structuralEqual(tuple([softmax(), x]), tuple([softmax(-1), x]), { ops })).toBe(true);
    expect(structuralEqual(tuple([softmax(-1), x]), tuple([softmax(), x]), { ops })).toBe(true);
    expect(structuralEqual(tuple([softmax(), x]), tuple([softmax(-1), y]), { ops })).toBe(false);
    expect(structuralEqual(tuple([softmax(0), x]), tuple([softmax(), x]), { ops })).toBe(false);
  });

  it('that have no default stay away', () => {
    const dims = (attrs?: { axis: number; num_newaxis: number }): Expr =>
      call(opRef('expand_dims'), [x], { attrs });
    expect(structuralEqual(dims(), dims({ axis: 0, num_newaxis: 1 }), { ops })).toBe(false);
    expect(structuralEqual(tuple([softmax(), dims()]), tuple([softmax(-1), dims()]), { ops })).toBe(
      true,
    );
  });
});

describe('constants', () => {
  const zero = (value: number): Expr => constant(scalar(value, 'float32'));
  const vector = (value: number): Expr => constant(tensor([value], [1], 'float32'));
  it('of no dimension are told apart by the sign of zero, as others are', () => {
    expect(areEqual(zero(0), zero(-0))).toEqual(NEVER);
    expect(areEqual(vector(0), vector(-0))).toEqual(NEVER);
    expect(areEqual(zero(Number.NaN), zero(Number.NaN))).toEqual(ALWAYS);
  });

  it('of wide dtypes are told apart where numbers would not', () => {
    const wide = (value: bigint): Expr => constant(scalar(value, 'int64'));
    expect(areEqual(wide(2n ** 53n), wide(2n ** 53n + 1n))).toEqual(NEVER);
    expect(areEqual(wide(2n ** 53n), wide(2n ** 53n))).toEqual(ALWAYS);
  });
});

describe('free variables that are mapped', () => {
  const mapped = { mapFreeVars: true };
  it('are mapped one to one, and keep their annotations', () => {
    expect(structuralEqual(tuple([x, y]), tuple([y, x]), mapped)).toBe(true);
    expect(structuralEqual(tuple([x, y]), tuple([x, x]), mapped)).toBe(false);
    expect(structuralEqual(tuple([x, x]), tuple([x, y]), mapped)).toBe(false);
    const typed = (type?: typeof f32): Expr => refRead(variable('x', type));
    expect(structuralEqual(typed(f32), typed(f32), mapped)).toBe(true);
    expect(structuralEqual(typed(f32), typed(i32), mapped)).toBe(false);
    expect(structuralEqual(typed(f32), typed(), mapped)).toBe(false);
    expect(structuralEqual(typed(), typed(f32), mapped)).toBe(false);
    expect(structuralEqual(typed(), typed(), mapped)).toBe(true);
  });

  it('are not mapped to a variable that is bound', () => {
    const p = variable('p');
    expect(structuralEqual(func([p], x), func([p], p), mapped)).toBe(false);
    expect(structuralEqual(func([p], p), func([p], x), mapped)).toBe(false);
  });
});

describe('modules', () => {
  const one = 'def @f() { 1 }';
  test.each<[string, string, string]>([
    ['the number of functions', one, `${one} def @g() { 1 }`],
    ['the number of functions, the other way', `${one} def @g() { 1 }`, one],
    ['the name of a function', one, 'def @g() { 1 }'],
    ['the body of a function', one, 'def @f() { 2 }'],
    ['the number of types', one, `type A { X } ${one}`],
    ['the name of a type', 'type A { X }', 'type B { X }'],
    ['whether a type is extern', 'type A { }', 'extern type A'],
    ['the number of its constructors', 'type A { X }', 'type A { X, Y }'],
    ['the name of a constructor', 'type A { X }', 'type A { Y }'],
    ['the order of constructors', 'type A { X, Y }', 'type A { Y, X }'],
    ['the number of inputs', 'type A { X(int8) }', 'type A { X(int8, int8) }'],
    ['an input', 'type A { X(int8, int8) }', 'type A { X(int8, int16) }'],
    ['the number of type parameters', 'type A[B] { X }', 'type A { X }'],
    ['the kind of a type parameter', 'type A[B] { X }', 'type A[B: Shape] { X }'],
    ['which type parameter an input is', 'type A[B, C] { X(B) }', 'type A[B, C] { X(C) }'],
  ])('differ in %s', (_, left, right) => {
    const [a, b]: ReadonlyArray<IRModule> = [mod(left), mod(right)];
    expect(a && b && [structuralEqual(a, b), structuralEqual(b, a)]).toEqual([false, false]);
    expect(a && structuralEqual(a, mod(left))).toBe(true);
  });

  it('are no expressions', () => {
    const m = mod(one);
    const f = m.functions.get('f') ?? x;
    expect([structuralEqual(m, f), structuralEqual(f, m)]).toEqual([false, false]);
  });

  it('have a hash of the names and bodies of their functions, in any order', () => {
    const [f, g] = [func([], x), func([], tuple([x]))];
    const hashOf = (entries: ReadonlyArray<[string, typeof f]>): number =>
      structuralHash(irModule({ ops, functions: new Map(entries) }));
    const hash = hashOf([
      ['f', f],
      ['g', g],
    ]);
    expect(
      hashOf([
        ['g', g],
        ['f', f],
      ]),
    ).toBe(hash);
    const others = [
      hashOf([
        ['f', g],
        ['g', f],
      ]),
      hashOf([
        ['f', f],
        ['h', g],
      ]),
      hashOf([['f', f]]),
      hashOf([]),
    ];
    expect(new Set([hash, ...others]).size).toBe(5);
  });
});

test('annotations of tensors may have type parameters of each kind', () => {
  const made = (swap: boolean): Expr => {
    const [s, t] = [typeVar('s', 'Shape'), typeVar('t', 'Shape')];
    const v = variable('v', tensorType(swap ? t : s, 'int8'));
    return func([v], v, { typeParams: [s, t] });
  };
  expect(areEqual(made(false), made(false))).toEqual(ALWAYS);
  expect(areEqual(made(false), made(true))).toEqual(NEVER);
});
