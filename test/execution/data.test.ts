import { orThrow } from '@baton/base';
import {
  type Data,
  evaluateExpr,
  fromData,
  type HostValue,
  hasType,
  interpreter,
  listElements,
  oracle,
  printValue,
  refValue,
  toData,
  tupleValue,
  type Value,
  valuesAgree,
} from '@baton/executor';
import { refType, scalarType, type Type, tensorType, tupleType, typeCall } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { scalar, tensor } from '@baton/tensor';
import { parseExpr } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { codes, EXECUTORS, evaluate, list, parse, prelude, run, withPrelude } from './support.ts';

const applied = (name: string, ...args: ReadonlyArray<Type>): Type => {
  const header = prelude.typeDefinitions.get(name)?.header;
  if (header === undefined) throw new Error(`there is no type ${name}`);
  return typeCall(
    header,
    args.map((value) => ({ _tag: 'TypeArg', kind: 'Type', value })),
  );
};

const int = scalarType('int32');
const value = (type: Type, data: HostValue): Value => orThrow(fromData(prelude, type, data));

describe('plain data', () => {
  const cases: ReadonlyArray<readonly [string, Type, HostValue, Data]> = [
    ['numbers', int, 3, 3],
    ['bools', scalarType('bool'), true, true],
    ['64-bit integers', scalarType('int64'), 3, 3n],
    ['tensors', tensorType([2, 1], 'float32'), [[1], [2]], [[1], [2]]],
    ['tuples', tupleType([int, tupleType([])]), [1, []], [1, []]],
    ['lists as arrays', applied('List', int), [1, 2], list([1, 2])],
    ['lists as objects', applied('List', int), list([1]) as HostValue, list([1])],
    [
      'constructors without fields',
      applied('Option', int),
      { constructor: 'None' },
      { constructor: 'None', fields: [] },
    ],
    [
      'lists of tuples of tensors',
      applied('List', tupleType([int, tensorType([2], 'int32')])),
      [[1, [2, 3]]],
      list([[1, [2, 3]]]),
    ],
    [
      'lists of lists',
      applied('List', applied('List', int)),
      [[1], []],
      list([list([1]), list([])]),
    ],
    [
      'trees',
      applied('Tree', int),
      { constructor: 'Rose', fields: [1, [{ constructor: 'Rose', fields: [2, []] }]] },
      {
        constructor: 'Rose',
        fields: [1, list([{ constructor: 'Rose', fields: [2, list([])] }])],
      },
    ],
    [
      'references',
      refType(applied('Option', int)),
      { ref: { constructor: 'None' } },
      { ref: { constructor: 'None', fields: [] } },
    ],
  ];

  it.each(cases)('stand for %s, there and back', (_, type, data, back) => {
    const made = value(type, data);
    expect(toData(made)).toEqual(back);
    expect(hasType(prelude, made, type)).toBe(true);
    expect(valuesAgree(value(type, toData(made) as HostValue), made)).toBe(true);
  });

  it.each<[string, Type, HostValue]>([
    ['an unknown constructor', applied('List', int), { constructor: 'Konz', fields: [] }],
    ['a constructor of another type', applied('List', int), { constructor: 'None' }],
    ['too few fields', applied('List', int), { constructor: 'Cons', fields: [1] }],
    ['an element of another type', applied('List', int), [1, [2]]],
    ['an array for what is no list', applied('Tree', int), [1]],
    ['a number for a tuple', tupleType([int]), 3],
    ['a number for a reference', refType(int), 3],
    ['a tensor of another dtype', int, tensor([1], [], 'int64')],
    ['a tensor of another rank', int, [1]],
  ])('may not be %s', (_, type, data) => {
    expect(codes(fromData(prelude, type, data))).toEqual(['EXEC_ARGUMENT_TYPE']);
  });

  it('keep their sharing', () => {
    const pair = tupleType([int, int]);
    let data: HostValue = [1, 2];
    let type: Type = pair;
    // In full, the value has 2 to the 200th numbers.
    for (let i = 0; i < 200; i++) {
      data = [data, data];
      type = tupleType([type, type]);
    }
    const made = value(type, data);
    expect(hasType(prelude, made, type)).toBe(true);
    const back = toData(made) as ReadonlyArray<Data>;
    expect(back[0]).toBe(back[1]);
    expect(valuesAgree(made, value(type, data))).toBe(true);
  });

  it('that contain themselves are refused, but for references', () => {
    const loop: { constructor: string; fields: HostValue[] } = { constructor: 'Cons', fields: [1] };
    loop.fields.push(loop);
    expect(codes(fromData(prelude, applied('List', int), loop))).toEqual(['EXEC_ARGUMENT_TYPE']);
    const m = parse('type Knot { Tie(ref(Knot)), Free }');
    const knot = m.typeDefinitions.get('Knot');
    if (knot === undefined) throw new Error('the type is there');
    const tie: { constructor: string; fields: HostValue[] } = { constructor: 'Tie', fields: [] };
    tie.fields.push({ ref: tie });
    const type = typeCall(knot.header, []);
    const knotted = toData(orThrow(fromData(m, type, tie as HostValue)));
    expect(knotted).toMatchObject({
      constructor: 'Tie',
      fields: [{ ref: { constructor: 'Tie' } }],
    });
    const cell = refValue(tupleValue([]));
    cell.value = tupleValue([cell, scalar(1, 'int32')]);
    const back = toData(cell) as { ref: ReadonlyArray<Data> };
    expect(back.ref[0]).toBe(back);
    expect(printValue(cell)).toBe('ref((ref(..), 1))');
    expect(valuesAgree(cell, cell)).toBe(true);
  });
});

describe('the host', () => {
  it.each(EXECUTORS)(
    'passes references both ways on the $name: it writes where the host reads',
    (executor) => {
      const m = parse('def @main(%r: ref(int32)) { ref_write(%r, ref_read(%r) + 1); %r }');
      const cell = refValue(scalar(1, 'int32'));
      const result = orThrow(evaluate(m, [cell], { executor }));
      expect(result).toBe(cell);
      expect(toData(cell)).toEqual({ ref: 2 });
    },
  );

  it.each(EXECUTORS)('passes functions of $name both ways', (executor) => {
    const m = parse(`def @make(%n: int32) { fn (%x: int32) { %x * %n } }
      def @main(%f: fn (int32) -> int32) { %f(10) }`);
    const closure = orThrow(evaluate(m, [4], { entry: 'make', executor }));
    expect(run(m, [closure], { executor })).toBe(40);
  });

  it.each(EXECUTORS)(
    'is told by the $name of values that are not of the type, however deep',
    (executor) => {
      const m = withPrelude(`
      def @ints(%xs: List[int32]) { @length(%xs) }
      def @cell(%r: ref(int32)) { ref_read(%r) }
      def @apply(%f: fn (int32) -> int32) { %f(10) }
      def @floats() { Cons(1f, Nil) }
      def @half() { fn (%x: float32) { %x / 2f } }
      def @any[A](%x: A) -> A { %x }`);
      const call = (entry: string, ...args: ReadonlyArray<HostValue>) =>
        evaluate(m, args, { entry, executor });
      const [floats, half] = [orThrow(call('floats')), orThrow(call('half'))];
      expect(codes(call('ints', floats))).toEqual(['EXEC_ARGUMENT_TYPE']);
      expect(codes(call('cell', refValue(floats)))).toEqual(['EXEC_ARGUMENT_TYPE']);
      expect(codes(call('apply', half))).toEqual(['EXEC_ARGUMENT_TYPE']);
      expect(codes(call('any', 3))).toEqual(['EXEC_ARGUMENT_TYPE']);
      expect(orThrow(call('any', floats))).toBe(floats);
    },
  );

  it('binds free variables of expressions by name (C151)', () => {
    const expr = orThrow(
      parseExpr('free_var %x: int32; free_var %y: List[int32]; (%x, @length(%y))', {
        ops,
        context: prelude,
      }),
    );
    const result = evaluateExpr(prelude, expr, { x: 3, y: [1, 2] });
    expect(toData(orThrow(result))).toEqual([3, 2]);
    expect(codes(evaluateExpr(prelude, expr, { x: 3 }))).toEqual(['EXEC_MISSING_ARGUMENT']);
  });

  it.each(EXECUTORS)('runs a module that was prepared once many times: $name', (executor) => {
    const program = orThrow(executor.prepare(parse('def @main(%x: int32) { %x + 1 }')));
    expect([1, 2, 3].map((x) => toData(orThrow(program.run([x]))))).toEqual([2, 3, 4]);
  });
});

describe('text of values', () => {
  it.each<[Type, HostValue, string]>([
    [int, -3, '-3'],
    [scalarType('bool'), true, 'True'],
    [
      tensorType([2, 2], 'int32'),
      [
        [1, 2],
        [3, 4],
      ],
      '[[1, 2], [3, 4]]',
    ],
    [tensorType([0], 'int32'), [], 'a tensor of shape (0)'],
    [tupleType([]), [], '()'],
    [tupleType([int]), [1], '(1,)'],
    [tupleType([int, int]), [1, 2], '(1, 2)'],
    [applied('List', int), [1, 2], 'Cons(1, Cons(2, Nil))'],
    [refType(int), { ref: 5 }, 'ref(5)'],
  ])('%#: %j is %s', (type, data, text) => {
    expect(printValue(value(type, data))).toBe(text);
  });

  it('is cut where it is too long', () => {
    expect(printValue(value(applied('List', int), [1, 2, 3]), 10)).toBe('Cons(1, Co..');
  });
});

describe.each([
  { executor: interpreter, cells: 50_000 },
  { executor: oracle, cells: 10_000 },
])('a list of $cells cells on the $executor.name', ({ executor, cells }) => {
  const m = withPrelude(`
    def @upto(%n: int32, %acc: List[int32]) -> List[int32] {
      if (%n == 0) { %acc } else { @upto(%n - 1, Cons(%n, %acc)) } }
    def @main(%n: int32) -> List[int32] { @map(fn (%x: int32) { %x + 1 }, @upto(%n, Nil)) }
    def @total(%xs: List[int32]) -> int32 { @length(%xs) + @foldl(add, 0, %xs) }`);
  const program = orThrow(executor.prepare(m));
  const long = orThrow(program.run([cells]));

  it('is built and mapped by a program, and taken apart by the host', () => {
    const elements = listElements(long);
    expect(elements?.length).toBe(cells);
    expect(toData(elements?.[cells - 1] as Value)).toBe(cells + 1);
    expect(hasType(m, long, applied('List', int))).toBe(true);
    expect(hasType(m, long, applied('List', scalarType('int64')))).toBe(false);
  });

  it('is matched from end to end', () => {
    const items = Array.from({ length: cells }, (_, i) => i % 7);
    const total = items.reduce((a, b) => a + b, cells);
    expect(toData(orThrow(program.run([items], { entry: 'total' })))).toBe(total);
  });

  it('is converted, compared and printed', () => {
    const data = toData(long) as HostValue;
    const copy = value(applied('List', int), data);
    expect(valuesAgree(copy, long)).toBe(true);
    const shorter = Array.from({ length: cells - 1 }, (_, i) => i + 2);
    const other = value(applied('List', int), shorter);
    expect(valuesAgree(other, long)).toBe(false);
    const text = printValue(long);
    expect(text.startsWith('Cons(2, Cons(3, ')).toBe(true);
    expect(text.endsWith(')'.repeat(cells))).toBe(true);
  });
});
