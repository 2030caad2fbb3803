import { orThrow } from '@baton/base';
import type { HostValue, Value } from '@baton/executor';
import {
  call,
  constant,
  func,
  globalVar,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  scalarType,
  tensorType,
  tuple,
  variable,
} from '@baton/ir';
import { callOp, type Kernel, kernelColumn, standardOps } from '@baton/ops';
import { scalar, tensor, toNested } from '@baton/tensor';
import { describe, expect, it } from 'vitest';
import { codes, EXECUTORS, evaluate, parse } from './support.ts';

const ops = standardOps;

const plain = (value: Value): unknown => {
  if (value._tag === 'Tensor') return toNested(value);
  return value._tag === 'Tuple' ? value.fields.map(plain) : 'a function';
};

const run = (
  m: IRModule,
  args: ReadonlyArray<HostValue> | Readonly<Record<string, HostValue>>,
  entry?: string,
): unknown => plain(orThrow(evaluate(m, args, entry === undefined ? {} : { entry })));

const int = (value: number) => constant(scalar(value, 'int32'));

const orThrowKernel = (name: string): Kernel => {
  const kernel = ops.read(kernelColumn, name);
  if (kernel === undefined) throw new Error(`no kernel for ${name}`);
  return kernel;
};

const subtract = parse(`def @main(%x: Tensor[(3), float32], %y: Tensor[(3), float32]) { %x - %y }`);

describe('the host', () => {
  it('passes arguments by position or by name (C151)', () => {
    expect(
      run(subtract, [
        [5, 6, 7],
        [1, 2, 3],
      ]),
    ).toEqual([4, 4, 4]);
    expect(run(subtract, { y: [1, 2, 3], x: [5, 6, 7] })).toEqual([4, 4, 4]);
  });

  it.each([
    ['too few', [[1, 2, 3]], ['EXEC_ARGUMENT_COUNT']],
    ['missing', { x: [1, 2, 3] }, ['EXEC_MISSING_ARGUMENT']],
    ['unknown', { x: [1, 2, 3], y: [1, 2, 3], z: 1 }, ['EXEC_UNKNOWN_ARGUMENT']],
    [
      'of another shape',
      [
        [1, 2],
        [1, 2, 3],
      ],
      ['EXEC_DIMENSION'],
    ],
    [
      'ragged',
      [
        [[1], [1, 2]],
        [1, 2, 3],
      ],
      ['EXEC_ARGUMENT_TYPE'],
    ],
    ['of another dtype', [tensor([1, 2, 3], [3], 'int32'), [1, 2, 3]], ['EXEC_ARGUMENT_TYPE']],
  ])('is told of arguments that are %s', (_, args, expected) => {
    expect(codes(evaluate(subtract, args as ReadonlyArray<HostValue>))).toEqual(expected);
  });

  it.each([
    ['null', [null, [1, 2, 3]]],
    ['undefined', [undefined, [1, 2, 3]]],
    ['a text', ['5', [1, 2, 3]]],
    [
      'a list of texts',
      [
        ['1', '2', '3'],
        [1, 2, 3],
      ],
    ],
    ['an object', [{}, [1, 2, 3]]],
  ])('is told of %s, which only a program without types can pass', (_, args) => {
    const untyped = args as unknown as ReadonlyArray<HostValue>;
    expect(codes(evaluate(subtract, untyped))).toEqual(['EXEC_ARGUMENT_TYPE']);
  });

  it('may leave out the arguments of an entry without parameters, and only there', () => {
    expect(orThrow(evaluate(parse('def @main() { 7 }')))).toMatchObject({ dtype: 'int32' });
    expect(codes(evaluate(subtract))).toEqual(['EXEC_ARGUMENT_COUNT']);
  });

  it('hears of an entry that does not exist', () => {
    expect(codes(evaluate(subtract, [], { entry: 'nope' }))).toEqual(['EXEC_UNKNOWN_ENTRY']);
  });

  it('passes nested arrays for tuples and gets dense tensors back', () => {
    const t = tensorType([2, 2], 'float32');
    const x = variable('x', t);
    const m = irModule({
      ops,
      functions: new Map([['main', func([x], callOp(ops, 'transpose', [x]))]]),
    });
    const value = orThrow(
      evaluate(m, [
        [
          [1, 2],
          [3, 4],
        ],
      ]),
    );
    expect(value._tag === 'Tensor' && Array.from(value.data as Float32Array)).toEqual([1, 3, 2, 4]);
    const pair = parse('def @main(%t: (float32, (float32, float32))) { %t.1.0 - %t.0 }');
    expect(run(pair, [[1, [5, 7]]])).toBe(4);
    expect(codes(evaluate(pair, [[1, [5]]]))).toEqual(['EXEC_ARGUMENT_TYPE']);
  });

  it('may pass any size for a dimension that is not known (C152)', () => {
    const m = parse(`def @main(%x: Tensor[(?, 2), float32], %y: Tensor[(?, 2), float32]) {
      concatenate((subtract(%x, 3f), multiply(%y, 5f)), axis=0) }`);
    expect(
      run(m, [
        [[4, 5]],
        [
          [1, 2],
          [3, 4],
        ],
      ]),
    ).toEqual([
      [1, 2],
      [5, 10],
      [15, 20],
    ]);
    expect(codes(evaluate(m, [[[1, 2, 3]], [[1, 2]]]))).toEqual(['EXEC_DIMENSION']);
  });
});

describe('evaluation', () => {
  it.each([
    ['let %a = 1; let %b = 2 * %a; let %a = %a + %a; %a + %b', 4],
    ['if (2 < 3) { 10 } else { 20 }', 10],
    ['let %f = fn (%y: int32) -> int32 { %y * 2 }; %f(%f(5))', 20],
    ['let %x = 3; let %f = fn (%y: int32) -> int32 { %y * %x }; let %x = 100; %f(2)', 6],
    ['%0 = 1 + 2; %1 = %0 * %0; (%1, %0)', [9, 3]],
    ['(1, 2.5, True).1', 2.5],
  ])('of %s', (body, expected) => {
    expect(run(parse(`def @main() { ${body} }`), [])).toEqual(expected);
  });

  it('calls global functions, also ones that are defined later (C046)', () => {
    const m = parse(`def @main(%x: int32) -> int32 { @later(%x) }
      def @later(%y: int32) -> int32 { %y + 1 }`);
    expect(run(m, [1])).toBe(2);
    expect(run(m, [41], 'later')).toBe(42);
  });

  it('runs only the branch that is chosen, so that recursion ends', () => {
    const n = variable('n', scalarType('int32'));
    const one = callOp(ops, 'subtract', [n, int(1)]);
    const body = ifElse(
      callOp(ops, 'equal', [n, int(0)]),
      int(0),
      callOp(ops, 'add', [n, call(globalVar('sum'), [one])]),
    );
    const sum = func([n], body, { retType: scalarType('int32') });
    const m = irModule({ ops, functions: new Map([['sum', sum]]) });
    expect(run(m, [10], 'sum')).toBe(55);
    expect(run(m, [20_000], 'sum')).toBe(200_010_000);
  });

  it.each(EXECUTORS)(
    'computes a shared node once, also where a closure shares it: $name',
    (executor) => {
      let runs = 0;
      const kernel = orThrowKernel('exp');
      const counting = ops.withColumn(
        kernelColumn,
        new Map([
          [
            'exp',
            (...args: Parameters<typeof kernel>) => {
              runs += 1;
              return kernel(...args);
            },
          ],
        ]),
      );
      const x = variable('x', scalarType('float32'));
      const shared = callOp(ops, 'exp', [x]);
      const closure = func([], callOp(ops, 'add', [shared, shared]));
      const m = irModule({
        ops: counting,
        functions: new Map([['main', func([x], tuple([call(closure, []), shared]))]]),
      });
      const result = evaluate(orThrow(inferTypes(m)), [0], { executor });
      expect(plain(orThrow(result))).toEqual([2, 1]);
      expect(runs).toBe(1);
    },
  );
});
