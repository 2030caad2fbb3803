/** U10: mistakes in calls from JavaScript are told at the call, in words. */
import { fromJson, func, irModule, isLeft, tensor, tuple } from 'batonjs';
import { describe, expect, it } from 'vitest';

/** A value that the types refuse: JavaScript has no types. */
const untyped = (value: unknown) => value as never;

describe('tensor', () => {
  it.each([
    ['float', 'expected a dtype, found float', 'did you mean `float32`?'],
    ['int', 'expected a dtype, found int', 'did you mean `int32`?'],
    ['flaot32', 'expected a dtype, found flaot32', 'did you mean `float32`?'],
    [undefined, 'expected a dtype, found undefined', 'they are bool'],
  ])('of dtype %s', (dtype, message, hint) => {
    const make = () => tensor([1, 2, 3], [3], untyped(dtype));
    expect(make).toThrow(`error[TENSOR_DTYPE]: ${message}`);
    expect(make).toThrow(hint);
    expect(make).toThrow('messages.test.ts');
  });

  it.each([
    [[2, 2], 'expected 4 elements for shape (2, 2), found 3'],
    [[], 'expected 1 elements for shape (), found 3'],
    [3, 'expected a shape, found 3'],
  ])('of three elements and shape %j', (shape, message) => {
    expect(() => tensor([1, 2, 3], untyped(shape), 'float32')).toThrow(message);
  });
});

it('irModule with a record of functions wants a Map', () => {
  const main = func([], tuple([]));
  expect(() => irModule({ functions: untyped({ main }) })).toThrow('new Map(Object.entries(..))');
  expect(() => irModule(untyped({ function: new Map() }))).toThrow('did you mean `functions`?');
  const m = irModule({ functions: new Map() });
  expect(irModule({ ...m }).functions).toBe(m.functions);
});

it.each([['{"name": "a package"}'], ['{}']])('JSON %s is told once to be no module', (text) => {
  const made = fromJson(text);
  expect(isLeft(made) && made.left.map(({ message }) => message)).toEqual([
    'the data is no module: it has no `baton`, the version of its form',
  ]);
});
