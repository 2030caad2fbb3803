/** Generated programs on every executor: the same values, and the same diagnostics. */
import { isLeft, type Result } from '@baton/base';
import {
  type Executor,
  evaluate,
  interpreter,
  oracle,
  printValue,
  type Value,
} from '@baton/executor';
import type { Func, IRModule } from '@baton/ir';
import { printModule } from '@baton/text';
import { withLateTypes } from '../late-types/with-late-types.ts';
import { programOf } from '../program.ts';
import { GROUPS } from './enrolment.ts';
import { inputsFor } from './inputs.ts';
import { subjectOf } from './programs.ts';

/** The number of programs, and of runs that gave a value. */
export interface ExecutorCount {
  programs: number;
  values: number;
}

/** A generator of programs. Late types go with a program that states the types of its inputs. */
export interface Generator {
  readonly name: string;
  readonly program: (seed: number) => { readonly module: IRModule; readonly stated: IRModule };
}

const generator = (name: string, program: (seed: number) => IRModule): Generator => ({
  name,
  program: (seed) => {
    const module = program(seed);
    return { module, stated: module };
  },
});

/** Every generator of programs, by topic. */
export const GENERATORS: ReadonlyArray<Generator> = [
  generator('dataflow', (seed) => programOf(seed).module),
  generator('whole', (seed) => programOf(seed, { language: 'whole' }).module),
  {
    name: 'late types',
    program: (seed) => {
      const language = seed % 3 === 0 ? 'whole' : 'dataflow';
      const { module } = programOf(seed, { language, maxCalls: 8 });
      return { module: withLateTypes(module, seed), stated: module };
    },
  },
  ...GROUPS.filter((group) => !group.isFullLanguage).map((group) =>
    generator(group.name, (seed) => subjectOf(group, 0, seed).module),
  ),
];

const LIMITS = { fuel: 100_000, maxDepth: 10_000 };

/** Functions of different executors look alike as text. */
const SHOWN_CHARACTERS = 100_000;

/** The outcome of a run: a value as text, or diagnostics with their spans. */
export const outcome = (result: Result<Value>): string =>
  isLeft(result) ? JSON.stringify(result.left) : printValue(result.right, SHOWN_CHARACTERS);

/** The difference between the executors on a generator's program of this seed, if any; counted. */
export function checkExecutors(
  { name, program }: Generator,
  seed: number,
  count: ExecutorCount,
  subject: Executor = interpreter,
): string | undefined {
  const { module, stated } = program(seed);
  const inputs = inputsFor(stated.functions.get('main') as Func, seed);
  const [first, second] = [subject, oracle].map((executor) =>
    evaluate(module, inputs, { ...LIMITS, executor }),
  ) as [Result<Value>, Result<Value>];
  count.programs++;
  if (!isLeft(first)) count.values++;
  const [one, other] = [outcome(first), outcome(second)];
  if (one === other) return undefined;
  return `${name}: the interpreter finds ${one}, the oracle ${other}\n${printModule(module)}`;
}
