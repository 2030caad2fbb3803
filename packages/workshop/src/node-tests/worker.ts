/** Runs the tests that are sent, one after another. */
import { type Outcome, outcomeOf, type Task } from './outcome.ts';

process.on('message', (task: Task) => process.send?.(settled(task)));

function settled(task: Task): Outcome {
  try {
    return outcomeOf(task);
  } catch (error) {
    return { _tag: 'Thrown', reason: String(error) };
  }
}
