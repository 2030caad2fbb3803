/** One side of a comparison: a program that runs benchmarks by name in processes of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Answer } from './answer.ts';

/** The command that starts a side. */
export interface Side {
  readonly name: string;
  readonly command: string;
  readonly args: ReadonlyArray<string>;
}

/** A running process of a side. */
export interface SideProcess {
  /** Runs a benchmark once. */
  readonly ask: (benchmark: string) => Promise<Answer>;
  readonly close: () => void;
}

/** Starts a process. */
export function start(side: Side): SideProcess {
  const child: ChildProcess = spawn(side.command, side.args, {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error('the pipes of a child are open');
  const lines: Interface = createInterface({ input: stdout });
  return {
    ask: (benchmark) =>
      new Promise((resolve, reject) => {
        const ended = (): void => reject(new Error(`${side.name} ended during ${benchmark}`));
        child.once('exit', ended);
        child.once('error', reject);
        lines.once('line', (line) => {
          child.off('exit', ended);
          child.off('error', reject);
          const answer = JSON.parse(line) as Answer;
          if (answer.error === undefined) resolve(answer);
          else reject(new Error(`${side.name}, ${benchmark}: ${answer.error}`));
        });
        stdin.write(`${benchmark}\n`);
      }),
    close: () => {
      lines.close();
      stdin.end();
    },
  };
}

/** The answer of a fresh process. */
export async function askFresh(side: Side, benchmark: string): Promise<Answer> {
  const process = start(side);
  try {
    return await process.ask(benchmark);
  } finally {
    process.close();
  }
}
