import { orThrow } from '@baton/base';
import { type Executor, interpreter, oracle, toData } from '@baton/executor';
import {
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  ifElse,
  inferTypes,
  irModule,
  letIn,
  refCreate,
  refRead,
  refWrite,
  scalarType,
  tuple,
  variable,
} from '@baton/ir';
import { callOp, type Kernel, kernelColumn, standardOps } from '@baton/ops';
import { scalar } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';
import { codes, evaluate, parse, run, valueFor } from './support.ts';

/** Runs a program and counts the evaluations of an operator. */
function counting(op: string, build: (ops: typeof standardOps) => IRModule): [unknown, number] {
  const [first, second] = [interpreter, oracle].map((executor) => countingOn(executor, op, build));
  if (first === undefined) throw new Error('an executor is expected');
  expect(second).toEqual(first);
  return first;
}

function countingOn(
  executor: Executor,
  op: string,
  build: (ops: typeof standardOps) => IRModule,
): [unknown, number] {
  let count = 0;
  const kernel = standardOps.read(kernelColumn, op);
  const watched: Kernel = (...args) => {
    count += 1;
    if (kernel === undefined) throw new Error(`no kernel for ${op}`);
    return kernel(...args);
  };
  const ops = standardOps.withColumn(kernelColumn, new Map([[op, watched]]));
  const value = toData(orThrow(evaluate(orThrow(inferTypes(build(ops))), [], { executor })));
  return [value, count];
}

const text = (body: string) => (ops: typeof standardOps) =>
  orThrow(parseModule(`#[version = "0.0.5"]\ndef @main() { ${body} }`, { ops }));

describe('graph bindings (D5)', () => {
  it.each([
    ['used twice', '%0 = exp(0f); (%0, %0)', [1, 1], 1],
    ['used in both branches', '%0 = exp(0f); if (True) { %0 } else { %0 + 1f }', 1, 1],
    ['used before and in a branch', '%0 = exp(0f); (%0, if (True) { %0 } else { 2f })', [1, 1], 1],
    ['used in a branch and after', '%0 = exp(0f); (if (True) { %0 } else { 2f }, %0)', [1, 1], 1],
    ['used in no branch that runs', '%0 = exp(0f); if (False) { %0 + %0 } else { 2f }', 2, 0],
    [
      'used in a closure and outside',
      '%0 = exp(0f); let %f = fn () { %0 }; (%f(), %0, %f())',
      [1, 1, 1],
      1,
    ],
    [
      'used in two closures',
      '%0 = exp(0f); let %f = fn () { %0 }; let %g = fn () { %0 }; (%g(), %f(), %g())',
      [1, 1, 1],
      1,
    ],
    [
      'used twice in one closure, which is called twice',
      'let %f = fn () { %0 = exp(0f); (%0, %0) }; (%f(), %f())',
      [
        [1, 1],
        [1, 1],
      ],
      2,
    ],
    [
      'used in a closure in a closure, and in a branch',
      `%0 = exp(0f); %1 = %0 + 1f;
       let %f = fn () { fn () { %1 + %0 } };
       (if (True) { %f()() } else { %1 }, %f()(), %0)`,
      [3, 3, 1],
      1,
    ],
    [
      'used by others that are used in branches',
      `%0 = exp(0f); %1 = %0 + %0; %2 = %1 * %0;
       (if (True) { %2 } else { %1 }, if (False) { 0f } else { %1 + %0 }, %2)`,
      [2, 3, 2],
      1,
    ],
  ])('that are %s are computed once', (_, body, expected, times) => {
    expect(counting('exp', text(body))).toEqual([expected, times]);
  });

  it('that make a cell make one', () => {
    expect(valueFor('%0 = ref(1); ref_write(%0, 5); ref_read(%0)')).toBe(5);
    expect(
      valueFor(`%0 = ref(0); let %f = fn () { ref_write(%0, ref_read(%0) + 1); ref_read(%0) };
        let %g = fn () { ref_read(%0) }; (%f(), %f(), %g())`),
    ).toEqual([1, 2, 2]);
  });

  it('in a function are computed once a call', () => {
    const m = parse(`def @f(%r: ref(int32)) -> int32 {
        %0 = ref_write(%r, ref_read(%r) + 1); let %a = %0; let %b = %0; ref_read(%r) }
      def @main() { let %r = ref(0); (@f(%r), @f(%r)) }`);
    expect(run(m)).toEqual([1, 2]);
  });
});

describe('references in any place (D6)', () => {
  it('are checked by type and evaluate in functions, data and recursion', () => {
    const m = parse(`
      def @count(%r: ref(int32), %n: int32) -> int32 {
        if (%n == 0) { ref_read(%r) }
        else { ref_write(%r, ref_read(%r) + %n); @count(%r, %n - 1) } }
      def @main() { @count(ref(0), 100) }`);
    expect(run(m)).toBe(5050);
  });
});

describe('the order of evaluation (D13, D17)', () => {
  /** Steps of a program write digits in the order in which they run. */
  const trace = (body: string) =>
    valueFor(`let %log = ref(0);
      let %at = fn (%d: int32) { ref_write(%log, ref_read(%log) * 10 + %d); %d };
      let %all = ${body}; ref_read(%log)`);

  it.each([
    ['arguments, from left to right', '%at(1) + %at(2) * %at(3)', 123],
    ['fields', '(%at(1), (%at(2), %at(3)), %at(4))', 1234],
    ['cell before value', 'ref_write({ %at(1); ref(0) }, %at(2))', 12],
    [
      'a computed callee after its arguments',
      '{ %at(3); fn (%x: int32, %y: int32) { %x } }(%at(1), %at(2))',
      123,
    ],
    ['condition, then one branch', 'if (%at(1) == 1) { %at(2) } else { %at(3) }', 12],
    ['value before body', '{ let %v = %at(1); let %w = %at(2); %at(3) + %w + %v }', 123],
    ['what is matched, then one clause', 'match ((%at(1), %at(2))) { (%a, _) => %at(3) }', 123],
    ['constructor inputs', 'match (Cons(%at(1), Cons(%at(2), Nil))) { _ => %at(3) }', 123],
    ['unused lets, too', '{ %at(1); %at(2); () }', 12],
    ['a shared node at its first demand', '{ %0 = %at(1); (%at(2), %0, %at(3), %0) }', 213],
    [
      'a shared node in its first branch',
      '{ %0 = %at(1); (if (True) { %at(2) + %0 } else { 0 }, %at(3), %0) }',
      213,
    ],
    ['a body once a call', '{ let %f = fn () { %at(4) }; (%f(), %f()) }', 44],
  ])('runs %s', (_, body, expected) => {
    expect(trace(body)).toBe(expected);
  });
});

describe('shared nodes (D15)', () => {
  const cell = scalarType('int32');
  const ops = standardOps;
  const main = (body: Expr): IRModule =>
    irModule({ ops, functions: new Map([['main', func([], body)]]) });

  it('that read a cell keep the first value', () => {
    const expr = `let %r = ref(1); %0 = ref_read(%r); let %a = %0; ref_write(%r, 2); (%a, %0)`;
    expect(valueFor(expr)).toEqual([1, 1]);
  });

  it('that read a cell read it at their first demand, not earlier', () => {
    const expr = `let %r = ref(1); %0 = ref_read(%r);
      let %a = if (False) { %0 } else { 0 }; ref_write(%r, 2);
      let %f = fn () { %0 }; let %b = %f(); ref_write(%r, 3); (%a, %b, %0)`;
    expect(valueFor(expr)).toEqual([0, 2, 2]);
  });

  it('that fail do not, if nothing demands them', () => {
    const expr = `%0 = match? (Nil) { Cons(%x: int32, _) => %x + 1 };
      if (True) { 5 } else { %0 + %0 }`;
    expect(valueFor(expr)).toBe(5);
  });

  it('that diverge do not, if nothing demands them', () => {
    const m = parse(`def @forever(%n: int32) -> int32 { @forever(%n) }
      def @main() { %0 = @forever(1); if (True) { 5 } else { %0 + %0 } }`);
    expect(run(m, [], { fuel: 1000 })).toBe(5);
  });

  it('that end a function from several places still end it', () => {
    const n = variable('n', cell);
    const one = callOp(ops, 'subtract', [n, callOp(ops, 'ndarray_size', [n])]);
    const self = parse('def @f(%n: int32) -> int32 { @f(%n) }').functions.get('f');
    const name = self?.body._tag === 'Call' ? self.body.op : undefined;
    if (name === undefined) throw new Error('a call has a callee');
    const again = call(name, [one]);
    const zero = callOp(ops, 'subtract', [n, n]);
    const isZero = callOp(ops, 'equal', [n, zero]);
    const odd = callOp(ops, 'greater', [callOp(ops, 'multiply', [n, n]), n]);
    // The same node is in tail position of both branches.
    const body = ifElse(isZero, zero, ifElse(odd, again, again));
    const m = irModule({
      ops,
      functions: new Map([['f', func([n], body, { retType: cell })]]),
    });
    const options = { entry: 'f', maxDepth: 10 };
    expect(run(m, [200_000], { ...options, executor: interpreter })).toBe(0);
    expect(run(m, [2_000], { ...options, executor: oracle })).toBe(0);
  });

  it('that write are done once, wherever they stand', () => {
    const r = variable('r');
    const write = refWrite(r, callOp(ops, 'add', [refRead(r), refRead(r)]));
    const body = letIn(
      r,
      refCreate(
        callOp(ops, 'ndarray_size', [callOp(ops, 'ones', [], { shape: [3], dtype: 'float32' })]),
      ),
      tuple([write, write, refRead(r), write, refRead(r)]),
    );
    // Three, doubled by the one write.
    expect(run(main(body))).toEqual([[], [], 6, [], 6]);
  });
});

describe('operators are total on values (D16)', () => {
  it.each([
    ['7 / 0', 0],
    ['mod(7, 0)', 0],
    ['floor_mod(7, 0)', 0],
    ['floor_divide(-7, 0)', 0],
    ['-2147483648 / -1', -2147483648],
    ['2147483647 + 1', -2147483648],
    ['-128i8 - 1i8', 127],
    ['200u8 + 100u8', 44],
    ['left_shift(1, 33)', 2],
    ['right_shift(-8, 33)', -4],
    ['9223372036854775807 + 1i64', -9223372036854775808n],
    ['-9223372036854775808i64 / -1i64', -9223372036854775808n],
    ['cast(nanf, dtype="int32")', 0],
    ['cast(300.7f, dtype="uint8")', 44],
    ['cast(-1.9f, dtype="int8")', -1],
    ['cast(3e9f, dtype="int32")', -1294967296],
    ['cast(0.5f, dtype="bool")', true],
    ['1f / 0f', Number.POSITIVE_INFINITY],
    ['nn.relu(nanf)', Number.NaN],
    ['maximum(nanf, 1f)', Number.NaN],
    ['minimum(1f, nanf)', Number.NaN],
    ['nanf == nanf', false],
    ['nanf != nanf', true],
    ['2048f16 + 1f16', 2048],
    ['65504f16 + 65504f16', Number.POSITIVE_INFINITY],
    ['0.1f16 * 3f16', 0.2998046875],
    ['argmax([1f, nanf, 3f, nanf])', 1],
  ])('%s', (expr, expected) => {
    expect(valueFor(expr)).toEqual(expected);
    // The same in a function that has run before, where scalars take the fast path.
    expect(valueFor(`let %f = fn () { ${expr} }; (%f(), %f(), %f()).2`)).toEqual(expected);
  });
});

describe('programs that are ill-formed', () => {
  it('are refused, and do not run into missing variables', () => {
    const x = variable('x', scalarType('int32'));
    const inside = callOp(standardOps, 'add', [x, x]);
    const body = tuple([letIn(x, constant(scalar(1, 'int32')), inside), inside]);
    const m = irModule({ ops: standardOps, functions: new Map([['main', func([], body)]]) });
    expect(codes(evaluate(m))).toEqual(['IR_ESCAPES']);
  });
});
