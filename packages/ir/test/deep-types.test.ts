/** Types as deep or as shared as programs can make them: nothing recurses, nothing blows up. */
import {
  type Case,
  call,
  checkKind,
  clause,
  describeType,
  type Expr,
  freeTypeVars,
  func,
  globalVar,
  ifElse,
  incompleteType,
  inferTypes,
  irModule,
  letIn,
  match,
  matchCoverage,
  type Pattern,
  refCreate,
  refRead,
  refType,
  type Type,
  tuple,
  tupleGetItem,
  tupleType,
  typeOf,
  typeVar,
  unifyTypes,
  variable,
} from '@baton/ir';
import { describe, expect, it, test } from 'vitest';
import { list } from './adt-support.ts';
import {
  add,
  app,
  entry,
  f32,
  inferred,
  lit,
  log,
  mainOf,
  moduleOf,
  num,
  yes,
} from './infer-support.ts';

const DEPTH = 8_000;
const LEVELS = 1000;

const deepType = (leaf: Type, depth = DEPTH): Type => {
  let type = leaf;
  for (let i = 0; i < depth; i++) type = i % 2 === 0 ? tupleType([type]) : refType(type);
  return type;
};

const ladderType = (leaf: Type, levels = LEVELS): Type => {
  let type = leaf;
  for (let i = 0; i < levels; i++) type = tupleType([type, type]);
  return type;
};

describe('types 50,000 deep', () => {
  test('unify, with a hole at the bottom', () => {
    const merged = unifyTypes(deepType(incompleteType()), deepType(f32));
    expect(merged._tag).toBe('Right');
    expect(
      unifyTypes(deepType(f32), deepType(yes.data === undefined ? f32 : tupleType([])))._tag,
    ).toBe('Left');
  });

  test('do not contain themselves', () => {
    const hole = incompleteType();
    expect(unifyTypes(hole, deepType(hole))._tag).toBe('Left');
  });

  test('have kinds and type variables', () => {
    const a = typeVar('a');
    expect(checkKind(deepType(a), { typeDefinitions: new Map() })._tag).toBe('Right');
    expect(freeTypeVars(deepType(a))).toStrictEqual([a]);
  });

  test('are inferred from nested tuples', () => {
    let body: Expr = lit(1);
    for (let i = 0; i < DEPTH; i++) body = tuple([body]);
    const m = inferred(entry(body));
    let type = mainOf(m).retType;
    for (let i = 0; i < DEPTH; i++) type = type?._tag === 'TupleType' ? type.fields[0] : undefined;
    expect(type).toMatchObject({ dtype: 'int32' });
  });

  test('are inferred from projections and references', () => {
    let body: Expr = lit(1);
    for (let i = 0; i < DEPTH; i++) body = refCreate(tuple([body]));
    for (let i = 0; i < DEPTH; i++) body = tupleGetItem(refRead(body), 0);
    expect(mainOf(inferred(entry(body))).retType).toMatchObject({ dtype: 'int32' });
  });

  test('are generalized', () => {
    const x = variable('x');
    let body: Expr = x;
    for (let i = 0; i < DEPTH; i++) body = tuple([body]);
    const main = mainOf(inferred(moduleOf({ main: func([x], body) })));
    expect(main.typeParams).toHaveLength(1);
  });
});

describe('ladders of 1,000 pairs', () => {
  test('unify level by level', () => {
    expect(unifyTypes(ladderType(incompleteType()), ladderType(f32))._tag).toBe('Right');
    expect(unifyTypes(ladderType(f32), ladderType(tupleType([])))._tag).toBe('Left');
  });

  test('contain a hole at the bottom, which is no such ladder', () => {
    const hole = incompleteType();
    expect(unifyTypes(hole, ladderType(hole))._tag).toBe('Left');
  });

  test('are parameters of a polymorphic function', () => {
    const a = typeVar('A');
    const p = variable('p', ladderType(a));
    const f = func([p], p, { retType: ladderType(a), typeParams: [a] });
    const x = variable('x', ladderType(f32));
    const body = call(globalVar('f'), [x]);
    const main = mainOf(inferred(moduleOf({ f, main: func([x], body) })));
    expect(main.retType?.hash).toBe(ladderType(f32).hash);
  });

  test('of variables that are not known', () => {
    const x = variable('x');
    let body: Expr = x;
    for (let i = 0; i < LEVELS; i++) body = tuple([body, body]);
    const main = mainOf(inferred(moduleOf({ main: func([x], body) })));
    expect(main.typeParams).toHaveLength(1);
  });

  test('of lets, through a function that is generalized', () => {
    // let f = fn (x) { (x, x) }; let x1 = f(x0); let x2 = f(x1); ..
    const [f, p] = [variable('f'), variable('p')];
    const vars = Array.from({ length: LEVELS }, (_, i) => variable(`x${i}`));
    let body: Expr = ifElse(yes, vars.at(-1) ?? p, vars.at(-1) ?? p);
    for (let i = LEVELS - 1; i >= 0; i--) {
      const arg: Expr = i === 0 ? num(1, 'float32') : (vars[i - 1] ?? p);
      body = letIn(vars[i] ?? p, call(f, [arg]), body);
    }
    const m = inferred(entry(letIn(f, func([p], tuple([p, p])), body)));
    expect(mainOf(m).retType?._tag).toBe('TupleType');
  });
});

describe('programs of many functions', () => {
  test('10,000 local functions, each general', () => {
    let body: Expr = tuple([]);
    for (let i = 0; i < 10_000; i++) {
      const [f, p] = [variable('f'), variable('p')];
      body = letIn(f, func([p], p), body);
    }
    expect(inferTypes(entry(body))._tag).toBe('Right');
  });

  test('2,000 local functions inside each other', () => {
    let body: Expr = lit(1);
    for (let i = 0; i < 2000; i++) {
      const [f, p] = [variable('f'), variable('p')];
      body = letIn(f, func([p], tuple([p, body])), tuple([]));
    }
    expect(inferTypes(entry(body))._tag).toBe('Right');
  });

  test('50,000 calls of a parameter whose type is not known', () => {
    const f = variable('f');
    let body: Expr = lit(1);
    for (let i = 0; i < DEPTH; i++) body = call(f, [body]);
    const main = mainOf(inferred(moduleOf({ main: func([f], body) })));
    expect(main.retType).toMatchObject({ dtype: 'int32' });
  });

  test('8,000 relations that become constraints, and are found again', () => {
    const x = variable('x');
    let body: Expr = x;
    for (let i = 0; i < DEPTH; i++) body = add(body, num(1, 'float32'));
    const m = inferred(moduleOf({ main: func([x], body) }));
    const main = mainOf(m);
    expect(main.constraints).toHaveLength(DEPTH);
    const scratch = irModule({ functions: m.functions, ops: m.ops });
    expect(mainOf(inferred(scratch)).constraints).toHaveLength(DEPTH);
    expect(typeOf(m, main)?._tag).toBe('FuncType');
  });
});

describe('algebraic data', () => {
  it('a list of 8,000 cells has a type', () => {
    let body: Expr = call(list.nil, []);
    for (let i = 0; i < DEPTH; i++) body = call(list.cons, [lit(i), body]);
    const m = irModule({ ...list.parts, functions: new Map([['main', func([], body)]]) });
    expect(mainOf(inferred(m)).retType?._tag).toBe('TypeCall');
  });

  it('a list of 40,000 cells of one type has a type', () => {
    const cells = Array.from({ length: 10 }, (_, i) => num(i, 'int64'));
    let body: Expr = call(list.nil, []);
    for (let i = 0; i < 40_000; i++) body = call(list.cons, [cells[i % 10] ?? body, body]);
    const m = irModule({ ...list.parts, functions: new Map([['main', func([], body)]]) });
    const found = mainOf(inferred(m)).retType;
    expect(found === undefined ? '' : describeType(found)).toContain('[int64]');
  });

  it('a pattern of 500 cells is covered by the rest of its clauses', () => {
    const x = variable('x', list.of(f32));
    let pattern: Pattern = { _tag: 'PatternWildcard', span: undefined };
    for (let i = 0; i < 500; i++) pattern = list.consPattern(pattern);
    const m = match(x, [clause(pattern, log(num(1, 'float32')))], true);
    const coverage = matchCoverage(m, list.parts.typeDefinitions);
    const left: ReadonlyArray<Case> = coverage._tag === 'Coverage' ? coverage.uncovered : [];
    expect(left).toHaveLength(500);
  });

  it('a match that is too large to decide says so', () => {
    const wild: Pattern = { _tag: 'PatternWildcard', span: undefined };
    const size = 24;
    const at = (i: number, inner: Pattern): Pattern => ({
      _tag: 'PatternTuple',
      patterns: Array.from({ length: size }, (_, k) => (k === i ? inner : wild)),
      span: undefined,
    });
    const clauses = Array.from({ length: size }, (_, i) => [
      clause(at(i, list.consPattern(list.nilPattern)), lit(1)),
      clause(at(i, list.consPattern(list.consPattern(list.nilPattern))), lit(2)),
    ]).flat();
    const m = match(tuple([]), clauses, true);
    expect(matchCoverage(m, list.parts.typeDefinitions)._tag).toBe('TooLarge');
  });
});

test('an operator on a type 50,000 deep', () => {
  let body: Expr = lit(1);
  for (let i = 0; i < DEPTH; i++) body = tuple([body]);
  expect(mainOf(inferred(entry(app('log', [body])))).retType?._tag).toBe('TupleType');
});
