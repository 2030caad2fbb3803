import { isRight, mulberry32, type Random } from '@baton/base';
import {
  type Attrs,
  type Dim,
  incompleteType,
  isAnyDim,
  noAttrs,
  type RelationContext,
  type TensorType,
  type Type,
  tensorType,
  tupleType,
} from '@baton/ir';
import {
  costColumn,
  type ExampleArg,
  evaluateOp,
  examplesColumn,
  fusionColumn,
  kernelColumn,
  type OpValue,
  prepareCall,
  runCall,
  standardOps,
  typeOfValue,
} from '@baton/ops';
import {
  fromNumbers,
  heap,
  isFloat,
  isTensor,
  type Memory,
  shapeSize,
  type Tensor,
  toNested,
} from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { right } from './support.ts';

/** Seeded values of a type: small, of both signs, never equal to the one before. */
function randomTensor(type: TensorType, random: Random): Tensor {
  const shape = type.shape as ReadonlyArray<number>;
  const dtype = type.dtype as Tensor['dtype'];
  const values = Array.from({ length: shapeSize(shape) }, () => {
    const value = random() * 8 - 4;
    if (isFloat(dtype)) return value;
    return dtype === 'bool' ? Number(value > 0) : Math.round(value);
  });
  return fromNumbers(values, shape, dtype);
}

function makeValue(arg: ExampleArg, random: Random): OpValue {
  if (Array.isArray(arg)) return arg.map((field) => makeValue(field as ExampleArg, random));
  const single = arg as Tensor | TensorType;
  return isTensor(single) ? single : randomTensor(single, random);
}

const tensorsOf = (value: OpValue): ReadonlyArray<Tensor> =>
  isTensor(value) ? [value] : value.flatMap(tensorsOf);

const typeOf = (result: TensorType | ReadonlyArray<TensorType>): Type =>
  '_tag' in result ? result : tupleType(result);

/** The type of a value as the example states it: `?` for sizes known only at run time. */
function stated(found: Type, result: TensorType | ReadonlyArray<TensorType>): Type {
  if (found._tag === 'TupleType' && !('_tag' in result)) {
    return tupleType(found.fields.map((field, i) => statedField(field, result[i])));
  }
  return '_tag' in result ? statedField(found, result) : found;
}

function statedField(found: Type, result: TensorType | undefined): Type {
  if (found._tag !== 'TensorType' || result === undefined) return found;
  const wanted = result.shape as ReadonlyArray<Dim>;
  const dims = (found.shape as ReadonlyArray<Dim>).map((dim, i) => {
    const other = wanted[i];
    return other !== undefined && isAnyDim(other) ? other : dim;
  });
  return tensorType(dims, found.dtype);
}

const text = (type: Type): string =>
  type._tag === 'TupleType'
    ? `(${type.fields.map(text).join(', ')})`
    : type._tag === 'TensorType'
      ? `${String(type.dtype)}[${JSON.stringify(type.shape)}]`
      : type._tag;

/** An operator without a kernel is a mark, and has no examples. */
const ops = standardOps.names
  .filter((name) => standardOps.read(kernelColumn, name) !== undefined)
  .map((name) => ({ name }));

describe.each(ops)('$name', ({ name }) => {
  const op = standardOps.get(name);
  const examples = standardOps.read(examplesColumn, name) ?? [];
  if (op === undefined) throw new Error(name);

  test('has a description and a source', () => {
    expect(op.doc).toMatch(/^[A-Z`0-9].*\.$/s);
    expect(op.source.length).toBeGreaterThan(5);
    expect(standardOps.read(fusionColumn, name)).toBeDefined();
    expect(standardOps.read(kernelColumn, name)).toBeDefined();
    expect(examples.length).toBeGreaterThan(0);
  });

  test('accepts complete attributes as they are, and refuses one that it does not have', () => {
    for (const example of examples) {
      const complete = right(op.attrs.decode((example.attrs ?? noAttrs) as Attrs));
      expect(Object.keys(complete)).toEqual(op.attrs.fields.map((field) => field.name));
      expect(right(op.attrs.decode(complete))).toEqual(complete);
      const wrong = op.attrs.decode({ ...complete, no_such_attribute: 1 });
      expect(isRight(wrong)).toBe(false);
    }
  });

  test.each(examples.map((example, i) => ({ i, example })))(
    'example $i: the kernel takes the storage of its result from its memory, and fills it',
    ({ example }) => {
      const random = mulberry32(7);
      const attrs = right(op.attrs.decode((example.attrs ?? noAttrs) as Attrs));
      const values = example.args.map((arg) => makeValue(arg, random));
      const call = right(prepareCall(standardOps, name, attrs, values, undefined));
      const given = new Set(values.flatMap(tensorsOf).map((t) => t.data.buffer));
      const memory: Memory = {
        take: (dtype, count) => {
          const data = heap.take(dtype, count);
          new Uint8Array(data.buffer).fill(0xa5);
          given.add(data.buffer);
          return data;
        },
      };
      const found = tensorsOf(right(runCall(call, values, Number.POSITIVE_INFINITY, memory)));
      const wanted = tensorsOf(right(runCall(call, values, Number.POSITIVE_INFINITY)));
      expect(found.map(toNested)).toEqual(wanted.map(toNested));
      expect(found.filter((t) => !given.has(t.data.buffer))).toEqual([]);
    },
  );

  test.each(examples.map((example, i) => ({ i, example })))(
    'example $i: the relation, the kernel and the stated result agree',
    ({ example }) => {
      const random = mulberry32(7);
      const attrs = right(op.attrs.decode((example.attrs ?? noAttrs) as Attrs));
      const values = example.args.map((arg) => makeValue(arg, random));
      const computed = right(evaluateOp(standardOps, name, attrs, values));
      expect(text(stated(typeOfValue(computed), example.result))).toBe(
        text(typeOf(example.result)),
      );

      const types = values.map((value) => typeOfValue(value));
      const related = op.relation(types, attrs, plainContext(values));
      expect(text(related as Type)).toBe(text(typeOf(example.result)));

      const cost = standardOps.read(costColumn, name)?.(types, related as Type, attrs);
      expect(cost?.flops).toBeGreaterThanOrEqual(0);
      expect(cost?.bytesRead).toBeGreaterThanOrEqual(0);
      expect(cost?.bytesWritten).toBeGreaterThanOrEqual(0);
    },
  );

  test('waits on arguments that nothing is known about', () => {
    const attrs = right(op.attrs.decode((examples[0]?.attrs ?? noAttrs) as Attrs));
    const values = (examples[0]?.args ?? []).map((arg) => makeValue(arg, mulberry32(1)));
    const holes = values.map(() => incompleteType());
    const failed: string[] = [];
    op.relation(holes, attrs, {
      ...plainContext([]),
      unify: () => true,
      undecided: () => undefined,
      fail: (code) => void failed.push(code),
    });
    expect(failed).toEqual([]);
  });
});

const plainContext = (values: ReadonlyArray<OpValue>): RelationContext => ({
  constant: (index) => {
    const value = values[index];
    return value !== undefined && isTensor(value) ? value : undefined;
  },
  unify: () => {
    throw new Error('nothing is left to unify');
  },
  unifyDTypes: (a, b) => (a === b || typeof b !== 'string' ? a : undefined),
  resolve: (type) => type,
  undecided: () => {
    throw new Error('every type is known');
  },
  fail: (code, message) => {
    throw new Error(`${code}: ${message}`);
  },
});

test('the helper types of this test are tensors', () => {
  expect(text(tensorType([2], 'int8'))).toBe('int8[[2]]');
});
