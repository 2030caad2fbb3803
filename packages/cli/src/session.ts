/** Opens the session of a command: reads its command line and the file of settings. */
import { isLeft, ok, type Result, right } from '@baton/base';
import { type Command, type OptionValue, type Session, sessionOf } from './command.ts';
import { readCommandLine } from './command-line.ts';
import { readConfig } from './config.ts';
import { misuse } from './diagnostics.ts';
import type { Host } from './host.ts';
import { readLimits } from './limits.ts';

export interface Opened {
  readonly session: Session;
  /** The values of the options, if `--print-config` requests them. */
  readonly shown: Readonly<Record<string, OptionValue | undefined>> | undefined;
}

export async function openSession(
  command: Command,
  argv: ReadonlyArray<string>,
  host: Host,
): Promise<Result<Opened>> {
  const hint = `baton ${command.name} --help`;
  const options = parsable({ ...command.options, ...COMMON_OPTIONS });
  const line = readCommandLine(argv, options, { takesOperands: true });
  if (typeof line === 'string') return misuse(line, hint);
  const { 'print-config': isShown, 'no-config': isPlain, ...given } = line.values;
  const config = command.isConfigured && isPlain !== true ? await host.config() : ok(undefined);
  if (isLeft(config)) return config;
  const settings = readConfig(config.right, command.options);
  if (isLeft(settings)) return settings;
  const values = { ...settings.right.values, ...given };
  const operands = line.positionals;
  if (isShown !== true && !fits(operands, command)) {
    const found = operands.join(' ') || 'nothing';
    return misuse(`${command.name} expects ${command.operands.join(' ')}, found ${found}`, hint);
  }
  const textOf = (value: unknown): string | undefined =>
    typeof value === 'string' ? value : undefined;
  const limits = readLimits(
    { memory: textOf(values['limit-memory']), time: textOf(values['limit-time']) },
    host.now,
  );
  if (isLeft(limits)) return limits;
  const parts = { host, argv, operands, settings: settings.right, limits: limits.right };
  const session = sessionOf(parts, values);
  return right({ session, shown: isShown === true ? values : undefined });
}

function fits({ length }: ReadonlyArray<string>, { operands }: Command): boolean {
  const takesMore = operands.at(-1)?.endsWith('...') === true;
  const least = operands.filter((name) => !name.startsWith('[')).length;
  return length >= least && (length <= operands.length || takesMore);
}

export const COMMON_OPTIONS = {
  'print-config': { type: 'boolean', doc: 'print the options with those of the settings' },
  'no-config': { type: 'boolean', doc: 'ignore the file of settings' },
} as const;

const parsable = (options: Command['options']) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple = false }]) => [
      name,
      short === undefined ? { type, multiple } : { type, multiple, short },
    ]),
  );
