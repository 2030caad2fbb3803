/**
 * Files of messages: a user's input, and the text of the answer.
 */
import { DiagnosticsError } from '@baton/base';
import { expect } from 'vitest';
import { testCases } from '../../blessed.ts';

/** One test per case of the file: `run` takes the input, and throws through `orThrow`. */
export function testMessages(file: URL, run: (written: string) => unknown): void {
  testCases(file, (written) => {
    const found = messageOf(() => run(written));
    expect(found).toMatch(/^error\[/);
    return found;
  });
}

/** The message of the exception. */
function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof DiagnosticsError) return error.message;
    throw error;
  }
  return 'nothing is wrong with it';
}
