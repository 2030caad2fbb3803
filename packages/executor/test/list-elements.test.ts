import { orThrow } from '@baton/base';
import { adtValue, listElements, tupleValue, type Value } from '@baton/executor';
import { standardOps as ops } from '@baton/ops';
import { scalar } from '@baton/tensor';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

const { constructors } = orThrow(
  parseModule(
    '#[version = "0.0.5"]\ntype T[A] { N, One(A), Cons(A, T[A]), Three(A, A, A) }\ndef @main() { () }',
    {
      ops,
    },
  ),
);

const made = (name: string, ...fields: ReadonlyArray<Value>): Value => {
  const ctor = constructors.get(name);
  if (ctor === undefined) throw new Error(`no constructor ${name}`);
  return adtValue(ctor, fields);
};

const one = scalar(1, 'float32');
const two = scalar(2, 'float32');

describe('the elements of a list', () => {
  it.each<[string, Value, ReadonlyArray<Value>]>([
    ['none', made('N'), []],
    ['one', made('Cons', one, made('N')), [one]],
    ['two', made('Cons', two, made('Cons', one, made('N'))), [two, one]],
  ])('are %s', (_, list, elements) => {
    expect(listElements(list)).toEqual(elements);
  });

  it.each<[string, Value]>([
    ['a tensor', one],
    ['a tuple without fields', tupleValue([])],
    ['a tuple of an element and a rest', tupleValue([one, made('N')])],
    ['a constructor of one field', made('One', one)],
    ['a constructor of three fields', made('Three', one, one, one)],
    ['a list that ends in a tensor', made('Cons', one, two)],
    ['a list that ends in one field', made('Cons', one, made('One', two))],
  ])('of %s are not known', (_, value) => {
    expect(listElements(value)).toBeUndefined();
  });
});
