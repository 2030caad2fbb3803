/** The entry point of the command in Node. */
import process from 'node:process';
import { EXIT } from './exit-codes.ts';
import { main } from './main.ts';
import type { ImportModule } from './node-files.ts';
import { nodeHost } from './node-host.ts';
import type { Ahead } from './node-reading.ts';

export async function start(ahead: Ahead | undefined, imports: ImportModule): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may stop reading.
    if (error.code === 'EPIPE') process.exit(EXIT.ok);
    process.stderr.write(`the result cannot be written: ${error.message}\n`);
    process.exit(EXIT.input);
  });
  process.exitCode = await main(process.argv.slice(2), nodeHost(ahead, imports));
}
