import { isLeft } from '@baton/base';
import { type Attrs, noAttrs } from '@baton/ir';
import {
  attr,
  attrs,
  boundsColumn,
  defineOp,
  evaluateOp,
  fusionColumn,
  kindColumn,
  noAttributes,
  numericsColumn,
  type OpDefinition,
  type OpValue,
  standardOps,
  withDefault,
} from '@baton/ops';
import { attributeDoc } from '@baton/ops/attribute-docs';
import { fromNumbers, isTensor, toNested } from '@baton/tensor';
import * as codecs from 'io-ts';
import { describe, expect, test } from 'vitest';
import { mapForm } from '../src/form/form.ts';
import { math, x } from '../src/scalar/expr.ts';
import { right, t, tryRun } from './support.ts';

const decode = (op: string, given: Attrs) => {
  const result = standardOps.get(op)?.attrs.decode(given);
  if (result === undefined) throw new Error(op);
  return result;
};
const errors = (op: string, given: Attrs) => {
  const result = decode(op, given);
  return isLeft(result) ? result.left : [];
};

describe('attributes', () => {
  test('defaults are filled in declared order', () => {
    const complete = right(decode('nn.conv2d', { groups: 2, strides: [2, 2] }));
    expect(Object.keys(complete)).toEqual([
      'strides',
      'padding',
      'dilation',
      'groups',
      'channels',
      'kernel_size',
      'data_layout',
      'kernel_layout',
      'out_layout',
      'out_dtype',
      'algorithm',
    ]);
    expect(complete).toMatchObject({ groups: 2, strides: [2, 2], padding: [0, 0], channels: null });
  });

  test.each<[string, Attrs, string, RegExp, RegExp | undefined]>([
    ['sum', { axes: [1] }, 'ATTR_UNKNOWN', /`axes`/, /did you mean `axis`/],
    ['nn.relu', { axis: 1 }, 'ATTR_UNKNOWN', /`axis`/, /has no attributes/],
    ['cast', {}, 'ATTR_MISSING', /`dtype` \(a dtype\)/, undefined],
    ['sum', { axis: [0, 1.5] }, 'ATTR_TYPE', /`axis`.*a list of/, undefined],
    ['nn.conv2d', { strides: [1, 1.5] }, 'ATTR_TYPE', /`strides\[1\]`, found 1.5/, undefined],
    [
      'nn.conv2d',
      { strides: [1] },
      'ATTR_TYPE',
      /a list of 2 ints above 0 for.*a list of 1/,
      undefined,
    ],
    ['nn.conv2d', { padding: [1, 1, 1] }, 'ATTR_TYPE', /a list of 1 or 2 or 4/, undefined],
    ['nn.conv2d', { groups: 0 }, 'ATTR_TYPE', /an int above 0/, undefined],
    [
      'cast',
      { dtype: 'float31' },
      'ATTR_TYPE',
      /a dtype for attribute `dtype`, found "float31"/,
      undefined,
    ],
    ['take', { mode: 'clop' }, 'ATTR_TYPE', /"clip" or "wrap" or "fast"/, undefined],
    ['nn.pad', { pad_width: [[0, 1], [0]] }, 'ATTR_TYPE', /`pad_width\[1\]`/, undefined],
    ['nn.softmax', { axis: null }, 'ATTR_TYPE', /found None/, undefined],
    ['sum', { keepdims: 1 }, 'ATTR_TYPE', /a bool for attribute `keepdims`, found 1/, undefined],
  ])('%s %j is %s', (op, given, code, message, hint) => {
    const [first] = errors(op, given);
    expect(first?.code).toBe(code);
    expect(first?.message).toMatch(message);
    if (hint !== undefined) expect(first?.hint).toMatch(hint);
  });

  test('every mistake is reported', () => {
    expect(errors('clip', { a_mim: 0, a_max: 'x' }).map((d) => d.code)).toEqual([
      'ATTR_UNKNOWN',
      'ATTR_MISSING',
      'ATTR_TYPE',
    ]);
  });

  test('names of Object.prototype are no attributes', () => {
    expect(errors('sum', JSON.parse('{"__proto__": 1, "toString": 2}')).map((d) => d.code)).toEqual(
      ['ATTR_UNKNOWN', 'ATTR_UNKNOWN'],
    );
  });

  test('a float attribute takes any number, and prints as a float', () => {
    expect(right(decode('nn.dropout', { rate: 1 }))).toEqual({ rate: 1 });
    const field = standardOps.get('nn.dropout')?.attrs.fields[0];
    expect(field).toMatchObject({ name: 'rate', defaultValue: 0.5, isFloat: true });
    expect(standardOps.get('cast')?.attrs.fields[0]?.isFloat).toBe(false);
    expect(standardOps.get('sum')?.attrs.fields[0]?.isFloat).toBe(false);
  });

  test('a misspelt attribute does not compile', () => {
    defineOp({
      name: 'test.typed',
      doc: 'Nothing.',
      source: 'this test',
      inputs: ['x'],
      attrs: attrs({ times: withDefault(codecs.number, 1) }),
      // @ts-expect-error the attribute is called `times`
      relation: (args, given) => (given.tims > 0 ? args[0] : undefined),
      kernel: 'none',
      cost: (_args, _result, given) => given.times,
      fusion: 'opaque',
      kind: 'other',
      numerics: 'smooth',
      examples: [],
    });
  });
});

describe('a definition', () => {
  const complete = {
    name: 'test.complete',
    doc: 'Its argument.',
    source: 'this test',
    inputs: ['x'],
    attrs: noAttributes,
    relation: ([x]) => x,
    kernel: (args) => args.tensor(0),
    cost: () => 0,
    fusion: 'elemwise',
    kind: 'elementwise',
    numerics: 'exact',
    domain: [[-2, 2]],
    examples: [],
  } satisfies OpDefinition<unknown, 'x'>;

  test('fills the columns of its operator', () => {
    const ops = standardOps.with(defineOp(complete));
    expect(ops.read(kindColumn, 'test.complete')).toBe('elementwise');
    expect(ops.read(numericsColumn, 'test.complete')).toBe('exact');
    expect(ops.read(boundsColumn, 'test.complete')).toEqual({ domain: [[-2, 2]] });
  });

  test('that lacks a fact without a default does not compile', () => {
    const { kind, numerics, kernel, relation, ...rest } = complete;
    // @ts-expect-error the kind of work, without a form
    defineOp({ ...rest, relation, kernel, numerics });
    // @ts-expect-error its exactness, which this kind does not decide
    defineOp({ ...rest, relation, kernel, kind: 'other' });
    // @ts-expect-error its kernel, without a form
    const withoutKernel = () => defineOp({ ...rest, relation, kind, numerics });
    expect(withoutKernel).toThrow('the operator or its form has a kernel');
    // @ts-expect-error its type
    defineOp({ ...rest, kernel, kind, numerics });
    expect(defineOp({ ...rest, relation, kernel, kind: 'movement' }).name).toBe('test.complete');
  });

  test('with a form states only what the form does not decide', () => {
    const { name, doc, source, relation, examples } = complete;
    const form = mapForm(math.mul(math.floor(x), 2));
    const ops = standardOps.with(defineOp({ name, doc, source, relation, examples, form }));
    expect(ops.read(kindColumn, name)).toBe('elementwise');
    expect(ops.read(fusionColumn, name)).toBe('elemwise');
    expect(ops.read(numericsColumn, name)).toBe('discontinuous');
    expect(ops.get(name)?.inputs).toEqual([{ name: 'x' }]);
    const value = right(evaluateOp(ops, name, noAttrs, [t([1.5, -1.5])]));
    expect(isTensor(value) && toNested(value)).toEqual([2, -4]);
  });
});

describe('calls that cannot be computed', () => {
  test.each<[string, Parameters<typeof tryRun>, string]>([
    ['dtypes differ', ['add', [t(1), t(1, 'int32')]], 'OP_DTYPE_MISMATCH'],
    ['shapes do not broadcast', ['add', [t([1, 2]), t([1, 2, 3])]], 'OP_BROADCAST'],
    ['an axis is out of range', ['sum', [t([1])], { axis: 1 }], 'OP_AXIS'],
    ['an axis is listed twice', ['sum', [t([[1]])], { axis: [0, -2] }], 'OP_AXIS'],
    ['a tuple stands for a tensor', ['negative', [[t(1)]]], 'OP_NOT_TENSOR'],
    ['a tensor stands for a tuple', ['concatenate', [t(1)]], 'OP_NOT_TUPLE'],
    ['an integer stands for a float', ['exp', [t(1, 'int32')]], 'OP_DTYPE_DOMAIN'],
    ['arguments are missing', ['add', [t(1)]], 'OP_ARITY'],
    ['a dimension does not fit', ['nn.dense', [t([[1, 2]]), t([[1, 2, 3]])]], 'OP_DIM_MISMATCH'],
    ['the elements do not fit', ['reshape', [t([1, 2])], { newshape: [3] }], 'OP_SHAPE_MISMATCH'],
    ['a window is too large', ['nn.max_pool1d', [t([[[1]]])], { pool_size: [2] }], 'OP_EXTENT'],
    [
      'a layout is none',
      ['layout_transform', [t([1])], { src_layout: 'N', dst_layout: 'c' }],
      'OP_ATTR',
    ],
    [
      'a result is too large',
      ['zeros', [], { shape: [65536, 65536], dtype: 'int8' }],
      'TENSOR_TOO_LARGE',
    ],
    ['a range has no end', ['arange', [t(0), t(1), t(0)]], 'OP_EXTENT'],
    ['a rank is wrong', ['nn.conv2d', [t([1]), t([[[[1]]]])]], 'OP_RANK'],
  ])('%s', (_title, args, code) => {
    const result = tryRun(...args);
    expect(isLeft(result) && result.left.map((d) => d.code)).toEqual([code]);
  });

  test('all conflicting dimensions are listed', () => {
    const result = tryRun('add', [
      t([
        [1, 2],
        [3, 4],
      ]),
      t([
        [1, 2, 3],
        [1, 2, 3],
        [1, 2, 3],
      ]),
    ]);
    expect(isLeft(result) && result.left[0].message).toBe(
      'add: incompatible broadcast type: (2, 2) and (3, 3); ' +
        'dimension 0 conflicts: 2 does not match 3; dimension 1 conflicts: 2 does not match 3',
    );
  });
});

describe('operators of users', () => {
  const twice = (given: number) =>
    standardOps.with(
      defineOp({
        name: 'my.op',
        doc: 'As its relation says, or not.',
        source: 'this test',
        inputs: ['x'],
        attrs: attrs({}),
        relation: (args) => args[0],
        kernel: () => fromNumbers(new Float64Array(given), [given], 'float32'),
        cost: () => 0,
        fusion: 'opaque',
        kind: 'other',
        numerics: 'smooth',
        domain: 'any',
        scaleAxis: 'none',
        examples: [],
      }),
    );

  test('a kernel whose result differs from its relation is found out', () => {
    const x = t([1, 2]);
    expect(evaluateOp(twice(2), 'my.op', {}, [x])._tag).toBe('Right');
    const wrong = evaluateOp(twice(3), 'my.op', {}, [x]);
    expect(isLeft(wrong) && wrong.left[0]).toMatchObject({
      code: 'OP_VALUE',
      message: '`my.op` must return Tensor[(2), float32], returned Tensor[(3), float32]',
    });
  });

  test('an operator without a kernel, and one that is not there', () => {
    const table = standardOps.with(
      defineOp({
        name: 'my.type',
        doc: 'Has a type alone.',
        source: 'this test',
        inputs: ['x'],
        attrs: attrs({}),
        relation: (args) => args[0],
        kernel: 'none',
        cost: () => 0,
        fusion: 'opaque',
        kind: 'other',
        numerics: 'smooth',
        domain: 'any',
        scaleAxis: 'none',
        examples: [],
      }),
    );
    const none = evaluateOp(table, 'my.type', {}, [t(1)]);
    expect(isLeft(none) && none.left[0].code).toBe('OP_NO_KERNEL');
    const unknown = evaluateOp(table, 'nn.rely', {}, [t(1)]);
    expect(isLeft(unknown) && unknown.left[0]).toMatchObject({
      code: 'OP_UNKNOWN',
      hint: 'did you mean `nn.relu`?',
    });
  });

  test('tuples 50,000 deep have a type', () => {
    let value: OpValue = t(1);
    for (let i = 0; i < 50_000; i++) value = [value];
    const table = standardOps.with(
      defineOp({
        name: 'my.same',
        doc: 'What it is given.',
        source: 'this test',
        inputs: ['x'],
        attrs: attrs({}),
        relation: (args) => args[0],
        kernel: (args) => args.value(0),
        cost: () => 0,
        fusion: 'opaque',
        kind: 'other',
        numerics: 'smooth',
        domain: 'any',
        scaleAxis: 'none',
        examples: [],
      }),
    );
    expect(evaluateOp(table, 'my.same', {}, [value])._tag).toBe('Right');
  });
});

describe('U.9 a kernel that throws', () => {
  const broken = standardOps.with({
    ...defineOp({
      name: 'my_op',
      doc: 'Throws.',
      source: 'this test',
      inputs: ['x'],
      attrs: attrs({}),
      relation: ([x]) => x,
      kernel: () => {
        throw new RangeError('index 7 of 3');
      },
      cost: () => 0,
      fusion: 'opaque',
      kind: 'other',
      numerics: 'smooth',
      examples: [],
    }),
  });

  test('is reported with the name of its operator and its stack', () => {
    const result = evaluateOp(broken, 'my_op', {}, [fromNumbers([1], [1], 'float32')]);
    const [first] = isLeft(result) ? result.left : [];
    expect(first).toMatchObject({
      code: 'OP_KERNEL_THREW',
      severity: 'bug',
      message: 'the kernel of `my_op` threw: index 7 of 3',
    });
    expect(first?.related[0]?.message).toMatch(/attrs\.test\.ts/);
  });
});

test('U.8 a codec says as data whether its numbers are floats', () => {
  const evenInts = attr.codec(
    'an even int without floats',
    (u): u is number => Number.isSafeInteger(u) && (u as number) % 2 === 0,
    { typeText: 'number' },
  );
  const ratio = attr.codec('a ratio', (u): u is number => typeof u === 'number', {
    typeText: 'number',
    isFloat: true,
  });
  const schema = attrs({ even: evenInts, ratios: withDefault(attr.list(ratio), [0.5]) });
  expect(schema.fields.map((field) => field.isFloat)).toEqual([false, true]);
  const wrong = schema.decode({ even: 3, ratios: [] });
  expect(isLeft(wrong) && wrong.left[0].message).toBe(
    'expected an even int without floats for attribute `even`, found 3',
  );
});

describe('what attributes mean', () => {
  const fields = standardOps.names.flatMap((name) =>
    (standardOps.get(name)?.attrs.fields ?? []).map(
      (field) => [`${name} ${field.name}`, field] as const,
    ),
  );

  test.each(fields)('%s is said', (_, field) => {
    expect(attributeDoc(field)).toMatch(/^[A-Z].*\w.*\.$/);
  });

  test('an operator of a user may say it itself, and an unknown name has none', () => {
    const given = { name: 'constructor', defaultValue: undefined, isFloat: false };
    expect(attributeDoc(given)).toBeUndefined();
    expect(attributeDoc({ ...given, doc: 'Mine.' })).toBe('Mine.');
  });
});
