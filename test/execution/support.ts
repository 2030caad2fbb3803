/** What the tests of execution share. */
import { type Diagnostics, isLeft, orThrow, type Result } from '@baton/base';
import {
  type Arguments,
  type Data,
  type EvaluateOptions,
  type Executor,
  evaluate as evaluateOn,
  type HostValue,
  interpreter,
  oracle,
  printValue,
  toData,
  type Value,
} from '@baton/executor';
import { type IRModule, irModule } from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { importStd, parseModule } from '@baton/text';
import { expect } from 'vitest';

/** Every executor. */
export const EXECUTORS: ReadonlyArray<Executor> = [interpreter, oracle];

const HEADER = '#[version = "0.0.5"]\n';

/** A module of definitions. */
export const parse = (text: string): IRModule => orThrow(parseModule(HEADER + text, { ops }));

/** A module of definitions that may use the prelude. */
export const withPrelude = (text: string): IRModule =>
  orThrow(parseModule(HEADER + text, { ops, context: prelude }));

/** The prelude, and the natural numbers. */
export const prelude: IRModule = orThrow(importStd(irModule({ ops }), 'nat.rly'));

/** Results are compared as text, since functions of different executors are different objects. */
const SHOWN_CHARACTERS = 100_000;
export const outcome = (result: Result<Value>): Diagnostics | string =>
  isLeft(result) ? result.left : printValue(result.right, SHOWN_CHARACTERS);

/**
 * Runs a program on every executor, which must agree, and returns the result of the interpreter. A
 * named executor runs alone.
 */
export function evaluate(
  m: IRModule,
  args: Arguments = [],
  options: EvaluateOptions = {},
): Result<Value> {
  const executors = options.executor === undefined ? EXECUTORS : [options.executor];
  const results = executors.map((executor) => evaluateOn(m, args, { ...options, executor }));
  const [first, second] = results;
  if (second !== undefined) expect(outcome(second)).toEqual(first && outcome(first));
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

/** The codes of the diagnostics. */
export const codes = (result: Result<Value>): ReadonlyArray<string> =>
  isLeft(result) ? (result.left as Diagnostics).map((d) => d.code) : [];

/** The messages of the diagnostics. */
export const messages = (result: Result<Value>): ReadonlyArray<string> =>
  isLeft(result) ? (result.left as Diagnostics).map((d) => d.message) : [];

/** A list as plain data. */
export const list = (items: ReadonlyArray<Data>): Data =>
  items.reduceRight<Data>((rest, item) => ({ constructor: 'Cons', fields: [item, rest] }), {
    constructor: 'Nil',
    fields: [],
  });
