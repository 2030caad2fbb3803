/** The help of the command. */
import type { Command } from './command.ts';

export const help = (commands: ReadonlyArray<Command>): string =>
  [
    'baton COMMAND [OPTIONS] MODEL',
    '',
    ...commands.map(({ name, doc }) => `  ${name.padEnd(12)}${doc}`),
    '',
    'A model is an ONNX file, Relay text or JSON; - is standard input.',
    'baton COMMAND --help lists the options of a command, baton --version prints the version.',
    'Exit codes: 0 done, 1 a difference or a failed check, 2 a wrong command line,',
    '3 an unusable file, 4 a limit, 70 a bug in Baton, 130 interrupted.',
  ].join('\n');

export const helpOf = ({ name, doc, operands, options }: Command): string =>
  [
    `baton ${name} [OPTIONS] ${operands.join(' ')}`,
    '',
    doc,
    '',
    ...Object.entries(options).map(([option, { short, value = '', doc: what }]) => {
      const letter = short === undefined ? '    ' : `-${short}, `;
      return `  ${`${letter}--${option} ${value}`.padEnd(30)}${what}`;
    }),
  ].join('\n');
