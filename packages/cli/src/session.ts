/** The session of a command: its command line and the file of settings, read. */
import { isLeft, type Result, right } from '@baton/base';
import { type Command, type OptionValue, type Session, sessionOf } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { readConfig } from './config.ts';
import { misuse } from './diagnostics.ts';
import type { Host } from './host.ts';

/** A session, or the settings to print in its place. */
export interface Opened {
  readonly session: Session;
  /** The values of the options, if `--print-config` asks for them. */
  readonly shown: Readonly<Record<string, OptionValue | undefined>> | undefined;
}

/** The session that the arguments of a command ask for. */
export async function openSession(
  command: Command,
  argv: ReadonlyArray<string>,
  host: Host,
): Promise<Result<Opened>> {
  const hint = `baton ${command.name} --help`;
  const options = parsable({ ...command.options, ...PRINT_CONFIG });
  const line = readCommandLine(argv, options, { takesOperands: true });
  if (typeof line === 'string') return misuse(line, hint);
  const config = await host.config();
  if (isLeft(config)) return config;
  const settings = readConfig(config.right, command.options);
  if (isLeft(settings)) return settings;
  const { 'print-config': isShown, ...given } = line.values;
  const values = { ...settings.right.values, ...given };
  const operands = line.positionals;
  if (isShown !== true && operands.length !== command.operands.length) {
    const found = operands.join(' ') || 'nothing';
    return misuse(`${command.name} expects ${command.operands.join(' ')}, found ${found}`, hint);
  }
  const session = sessionOf({ host, argv, operands, settings: settings.right }, values);
  return right({ session, shown: isShown === true ? values : undefined });
}

/** An option of every command. */
export const PRINT_CONFIG = {
  'print-config': { type: 'boolean', doc: 'print the options with those of the settings' },
} as const;

/** The options in the form of Node's parser. */
const parsable = (options: Command['options']) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  );
