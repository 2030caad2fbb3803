/**
 * A process that measures one variant of models: `worker.js VARIANT ARGUMENTS...`, where the
 * arguments of the bench name the models.
 */
import { serveTimes, type Timed } from '@baton/cli';
import { orThrow } from 'batonjs';
import { readArguments } from '../arguments.ts';
import { chosenSubjects } from '../subjects/chosen.ts';

const [, , variant = '', ...argv] = process.argv;

async function load(position: number): Promise<Timed> {
  const args = readArguments(argv);
  if (typeof args === 'string') throw new Error(args);
  const subjects = await chosenSubjects(args);
  if (typeof subjects === 'string') throw new Error(subjects);
  const subject = subjects[position];
  if (subject === undefined) throw new Error('no such model');
  const { module, inputs } = orThrow(await subject.load());
  return { executor: args.executor, module, inputs };
}

serveTimes(variant, load);
