/** The command `baton`: selects a command, reads its options, and reports how it ended. */
import {
  columnText,
  diagnostic,
  didYouMean,
  fail,
  isLeft,
  type Result,
  renderDiagnostics,
  right,
  terminalText,
  VERSION,
} from '@baton/base';
import type { Command } from './command.ts';
import { COMMANDS } from './commands/every.ts';
import { exitCodeOf, inOptions, misuse } from './diagnostics.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { help, helpOf } from './help.ts';
import type { Host } from './host.ts';
import { openSession } from './session.ts';

export async function main(argv: ReadonlyArray<string>, world: Host): Promise<ExitCode> {
  const host = onTerminal(world);
  const ended = await caught(argv, host);
  host.progress.done();
  if (!isLeft(ended)) return ended.right;
  const [first, ...more] = ended.left;
  host.tell(renderDiagnostics([inOptions(first), ...more.map(inOptions)]));
  return exitCodeOf(ended.left);
}

/** Escapes control sequences in the lines that a host prints. */
const onTerminal = (host: Host): Host => ({
  ...host,
  print: (line) => host.print(terminalText(line)),
  tell: (line) => host.tell(terminalText(line)),
  progress: { ...host.progress, step: (text) => host.progress.step(columnText(text)) },
});

/** A command that throws has a bug, which is reported with the command line that shows it. */
async function caught(argv: ReadonlyArray<string>, host: Host): Promise<Result<ExitCode>> {
  try {
    return await dispatched(argv, host);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = `please report it with the model and the command: baton ${argv.join(' ')}`;
    return fail(diagnostic('CLI_BUG', `a bug in Baton: ${message}`, { severity: 'bug', hint }));
  }
}

async function dispatched(argv: ReadonlyArray<string>, host: Host): Promise<Result<ExitCode>> {
  const [name, ...rest] = argv;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    host.print(help(COMMANDS));
    return right(name === undefined ? EXIT.usage : EXIT.ok);
  }
  if (name === '--version') {
    host.print(VERSION);
    return right(EXIT.ok);
  }
  const command = COMMANDS.find((one) => one.name === name);
  if (command === undefined) {
    const names = COMMANDS.map((one) => one.name);
    return misuse(`there is no command ${name}`, didYouMean(name, names) ?? names.join(', '));
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    host.print(helpOf(command));
    return right(EXIT.ok);
  }
  return await ran(command, rest, host);
}

async function ran(
  command: Command,
  argv: ReadonlyArray<string>,
  host: Host,
): Promise<Result<ExitCode>> {
  const opened = await openSession(command, argv, host);
  if (isLeft(opened)) return opened;
  const { session, shown } = opened.right;
  if (shown === undefined) return await command.run(session);
  host.print(JSON.stringify(shown, null, 2));
  return right(EXIT.ok);
}
