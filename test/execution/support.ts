/** What the tests of execution share. */
import {
  type Diagnostics,
  isLeft,
  mulberry32,
  orThrow,
  type Random,
  type Result,
} from '@baton/base';
import {
  type Arguments,
  type Data,
  type EvaluateOptions,
  evaluate as evaluateOn,
  type HostValue,
  interpreter,
  oracle,
  printValue,
  toData,
  tupleValue,
  type Value,
} from '@baton/executor';
import { type Func, type IRModule, irModule, type Type } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { type DType, shapeSize, tensor } from '@baton/tensor';
import { importStd, parseModule, printModule } from '@baton/text';
import { expect } from 'vitest';

const HEADER = '#[version = "0.0.5"]\n';

/** A module of definitions. */
export const parse = (text: string): IRModule => orThrow(parseModule(HEADER + text, { ops }));

/** A module of definitions that may use the prelude. */
export const withPrelude = (text: string): IRModule =>
  orThrow(parseModule(HEADER + text, { ops, context: prelude }));

/** The prelude, and the natural numbers. */
export const prelude: IRModule = orThrow(importStd(irModule({ ops }), 'nat.rly'));

/** What came of a run, as text and diagnostics: functions of different executors look alike. */
const SHOWN_CHARACTERS = 100_000;
export const outcome = (result: Result<Value>): Diagnostics | string =>
  isLeft(result) ? result.left : printValue(result.right, SHOWN_CHARACTERS);

/**
 * Runs a program on every executor, which must all come to the same: the result is that of the
 * interpreter. An executor that is named runs alone.
 */
export function evaluate(
  m: IRModule,
  args: Arguments = [],
  options: EvaluateOptions = {},
): Result<Value> {
  const executors = options.executor === undefined ? [interpreter, oracle] : [options.executor];
  const results = executors.map((executor) => evaluateOn(m, args, { ...options, executor }));
  const [first, second] = results;
  if (first !== undefined && second !== undefined) {
    expect(outcome(second), printModule(m)).toEqual(outcome(first));
  }
  return first as Result<Value>;
}

/** The value of `@main`, as plain data. */
export const run = (
  m: IRModule,
  args: ReadonlyArray<HostValue> = [],
  options: EvaluateOptions = {},
): Data => toData(orThrow(evaluate(m, args, options)));

/** The value of an expression, as plain data. */
export const valueFor = (expr: string): Data => run(withPrelude(`def @main() { ${expr} }`));

/** The codes of what went wrong. */
export const codes = (result: Result<Value>): ReadonlyArray<string> =>
  isLeft(result) ? (result.left as Diagnostics).map((d) => d.code) : [];

/** What went wrong, in words. */
export const messages = (result: Result<Value>): ReadonlyArray<string> =>
  isLeft(result) ? (result.left as Diagnostics).map((d) => d.message) : [];

/** A list as plain data. */
export const list = (items: ReadonlyArray<Data>): Data =>
  items.reduceRight<Data>((rest, item) => ({ constructor: 'Cons', fields: [item, rest] }), {
    constructor: 'Nil',
    fields: [],
  });

/** Small numbers of the types of parameters; dimensions that are no numbers are 3. */
function inputOf(type: Type, random: Random): Value {
  if (type._tag === 'TupleType') return tupleValue(type.fields.map((f) => inputOf(f, random)));
  if (type._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a tensor is expected');
  const shape = type.shape.map((dim) => (typeof dim === 'number' ? dim : 3));
  const numbers = Array.from({ length: shapeSize(shape) }, () => random() * 8 - 4);
  return tensor(numbers, shape, type.dtype as DType);
}

/** Arguments for a function of tensors. */
export const inputsOf = (main: Func, seed: number): ReadonlyArray<Value> => {
  const random = mulberry32(seed);
  return main.params.map((p) => inputOf(p.typeAnnotation as Type, random));
};
