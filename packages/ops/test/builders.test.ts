import { builderSpan, DiagnosticsError } from '@baton/base';
import { type Call, constant, type Expr, type TensorType, tensorType, variable } from '@baton/ir';
import { callOp, examplesColumn, ops, standardOps } from '@baton/ops';
import { tensor } from '@baton/tensor';
import { describe, expect, it, test } from 'vitest';

const x = variable('x', tensorType([1, 3, 8, 8], 'float32'));
const w = variable('w', tensorType([4, 3, 3, 3], 'float32'));

function refusal(build: () => unknown): DiagnosticsError {
  try {
    build();
  } catch (error) {
    if (error instanceof DiagnosticsError) return error;
    throw error;
  }
  throw new Error('the call was accepted');
}

function builderOf(name: string): (...args: ReadonlyArray<unknown>) => Call {
  let found: unknown = ops;
  for (const part of name.split('.')) found = (found as Record<string, unknown>)[part];
  if (typeof found !== 'function') throw new Error(`no builder of ${name}`);
  return found as (...args: ReadonlyArray<unknown>) => Call;
}

const argument = (of: unknown): Expr | ReadonlyArray<Expr> =>
  Array.isArray(of) ? of.map((field) => argument(field) as Expr) : variable('a', of as TensorType);

describe('typed builders', () => {
  it('make the call that the text would, with the attributes that are left out', () => {
    const made = ops.nn.conv2d(x, w, { padding: [1, 1] });
    expect(made).toMatchObject({ op: { name: 'nn.conv2d' }, args: [x, w] });
    expect(made.attrs).toEqual(callOp(standardOps, 'nn.conv2d', [x, w], { padding: [1, 1] }).attrs);
  });

  it('take the fields of a tuple as a list', () => {
    expect(ops.concatenate([x, x], { axis: 1 }).args[0]).toMatchObject({
      _tag: 'Tuple',
      fields: [x, x],
    });
  });

  it('say in which line of the user they were called', () => {
    const here = ops.add(x, x).span;
    expect(here).toEqual(
      builderSpan(expect.stringMatching(/^add at .*builders\.test\.ts:\d+:\d+$/)),
    );
    expect(ops.add(x, x, builderSpan('skip')).span).toEqual(builderSpan('skip'));
  });

  const names = standardOps.names.filter((name) => !name.startsWith('test.'));
  test.each(names)('%s has one, which makes each of its examples', (name) => {
    for (const { args, attrs } of standardOps.read(examplesColumn, name) ?? []) {
      const given = args.map(argument);
      const build = builderOf(name);
      const made = attrs === undefined ? build(...given) : build(...given, attrs);
      expect(made.op).toMatchObject({ name });
      expect(made.args.length).toBe(args.length);
      expect(made.attrs).toMatchObject(attrs ?? {});
    }
  });
});

/** Type errors that TypeScript reports and JavaScript does not. */
describe('U.11 a wrong built call throws its mistake at the line of the user', () => {
  const mistakes: ReadonlyArray<[string, () => unknown, string, string?]> = [
    [
      'an attribute that the operator does not have',
      // @ts-expect-error no attribute of this name
      () => ops.nn.conv2d(x, w, { paddings: [1, 1] }),
      'unknown attribute `paddings`',
      'did you mean `padding`?',
    ],
    [
      'a value of another type',
      // @ts-expect-error an attribute of numbers
      () => ops.nn.conv2d(x, w, { strides: 'two' }),
      'expected a list of 2 ints above 0 for attribute `strides`, found "two"',
      'its default is [1, 1]',
    ],
    [
      'a list of another length',
      () => ops.nn.conv2d(x, w, { strides: [2] }),
      'expected a list of 2 ints above 0 for attribute `strides`, found a list of 1',
      'its default is [1, 1]',
    ],
    [
      'a required attribute that is missing',
      // @ts-expect-error the attributes are required
      () => ops.cast(x, {}),
      'missing required attribute `dtype` (a dtype)',
    ],
    [
      'an argument too few',
      // @ts-expect-error a second argument is required
      () => ops.nn.conv2d(x),
      '`nn.conv2d` expects 2 arguments, found 1',
      'it takes (data, weight)',
    ],
    [
      'an argument too many',
      // @ts-expect-error one argument
      () => ops.nn.relu(x, w),
      '`nn.relu` expects 1 argument, found 2',
      'it takes (x)',
    ],
    [
      'a tensor for an expression',
      // @ts-expect-error a tensor is a value
      () => ops.nn.relu(tensor([1], [1], 'float32')),
      'expected an expression as `x` of `nn.relu`, found a Tensor',
      'write constant(t) for a tensor t',
    ],
    [
      'a number for an expression',
      // @ts-expect-error a number has no dtype
      () => ops.add(x, 1),
      'expected an expression as `rhs` of `add`, found 1',
      "write constant(tensor([1], [], 'float32'))",
    ],
    [
      'an operator that the table does not have',
      () => callOp(standardOps, 'nn.conv', [x, w]),
      'operator `nn.conv` not found',
      'did you mean `nn.conv1d`?',
    ],
  ];

  test.each<[string, () => unknown, string, string?]>(mistakes)(
    '%s',
    (_title, build, message, hint) => {
      const error = refusal(build);
      expect(error.diagnostics[0].message).toBe(message);
      expect(error.diagnostics[0].hint).toBe(hint);
      expect(error.stack?.split('\n').find((line) => line.includes(' at '))).toContain(
        'builders.test.ts',
      );
    },
  );

  it('all mistakes of a call are reported at once, with their place', () => {
    // @ts-expect-error two attributes of other names
    const { message } = refusal(() => ops.nn.conv2d(x, w, { stride: [2, 2], kernel: [3, 3] }));
    expect(message).toMatch(/unknown attribute `stride`.*unknown attribute `kernel`/s);
    expect(message).toMatch(/--> builder nn\.conv2d at .*builders\.test\.ts:\d+:\d+/);
    expect(message).toContain('help: did you mean `strides`?');
  });
});

it('the type of an attribute is the type of its codec', () => {
  const zero = constant(tensor([0], [], 'float32'));
  // @ts-expect-error no such dtype
  expect(() => ops.cast(zero, { dtype: 'flaot32' })).toThrow(/expected a dtype/);
  // @ts-expect-error one of a few texts
  expect(() => ops.take(zero, zero, { mode: 'clap' })).toThrow(/"clip" or "wrap" or "fast"/);
  expect(ops.cast(zero, { dtype: 'int8' }).attrs).toEqual({ dtype: 'int8' });
});
