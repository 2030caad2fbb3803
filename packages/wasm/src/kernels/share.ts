/** How threads share a loop: each takes a range of it, the same whenever the loop runs. */
import {
  type FunctionBuilder,
  i32,
  type ModuleBuilder,
  type Operand,
  type Value,
} from '../emit/index.ts';
import { each, smaller } from './lanes.ts';

/** A range of counters. */
export interface Share {
  readonly first: Operand<'i32'>;
  readonly end: Operand<'i32'>;
}

/** The range of a thread in a loop of `count` turns, in whole steps. Without threads, all of it. */
export function shareOf(
  f: FunctionBuilder,
  { part }: ModuleBuilder,
  count: number,
  step: number,
): Share {
  if (part === undefined) return { first: 0, end: count };
  const steps = Math.ceil(count / step);
  const from = (index: Value<'i32'>): Value<'i32'> =>
    smaller(f, i32.mul(i32.divU(i32.mul(index, steps), part.count.value), step), count);
  return { first: from(part.index.value), end: from(i32.add(part.index.value, 1)) };
}

/** The whole loop, for a loop that is not the shared one. */
export const wholeOf = (count: number): Share => ({ first: 0, end: count });

/** The number of turns in a range. */
export const sizeOfShare = ({ first, end }: Share): Operand<'i32'> =>
  typeof first === 'number' && typeof end === 'number' ? end - first : i32.sub(end, first);

/** Runs a body with a counter over a range. */
export function eachIn(
  f: FunctionBuilder,
  { first, end }: Share,
  step: number,
  body: (counter: Operand<'i32'>) => void,
): void {
  if (first === 0 && typeof end === 'number') each(f, end, step, body);
  else f.for(first, end, step, body);
}
