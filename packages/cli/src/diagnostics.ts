/** The diagnostics of the command, and the exit code of each diagnostic. */
import { type Diagnostic, type Diagnostics, diagnostic, fail, type Result } from '@baton/base';
import { EXIT, type ExitCode } from './exit-codes.ts';

const USAGE = 'CLI_USAGE';

export const misuse = (message: string, hint?: string): Result<never> =>
  fail(diagnostic(USAGE, message, { hint }));

export const unreadable = (path: string, reason: string, hint?: string): Diagnostic =>
  diagnostic('CLI_READ', `${path} cannot be read: ${reason}`, { hint });

export const unwritable = (path: string, reason: string): Diagnostic =>
  diagnostic('CLI_WRITE', `${path} cannot be written: ${reason}`);

export const unfit = (path: string, message: string, hint?: string): Diagnostic =>
  diagnostic('CLI_FILE', `${path}: ${message}`, { hint });

export const archiveTooLarge = (path: string, bytes: number, limit: number): Diagnostic =>
  diagnostic(
    'CLI_ARCHIVE_TOO_LARGE',
    `${path} unpacks to ${bytes} bytes, and its input may have ${limit}`,
    { hint: '--limit-input raises the limit for inputs of open sizes; a .npy file is not packed' },
  );

/** Codes of limits contain one of these words. */
const LIMITS =
  /(^|_)(LIMIT|LIMIT_TIME|MEMORY|TOO_LARGE|TOO_DEEP|TOO_MANY|TOO_LONG|OUT_OF_FUEL|STOPPED)$/;

/** The command's options for the library's that messages mention; `undefined` if it has none. */
const OPTIONS: ReadonlyMap<string, string | undefined> = new Map([
  ['dims', '--dim'],
  ['maxConstantBytes', '--max-constant-bytes'],
  ['limits.bytes', '--limit-memory'],
  ['limits.nodes', undefined],
  ['constants', undefined],
  ['weights', undefined],
  ['externalData', undefined],
  ['fuel', undefined],
]);

const NAMES = [...OPTIONS.keys()].map((name) => name.replace('.', '\\.')).join('|');

const MENTION = new RegExp(
  `(?:\\b(in|with|through|by) )?(?:the option \`?(${NAMES})\`?|\`(${NAMES})\`|\\b(maxConstantBytes)\\b)`,
  'g',
);

/** Replaces mentions of the library's options by those of the command. */
function withOptions(text: string): string {
  return text.replace(MENTION, (whole, place: string | undefined, ...names: unknown[]) => {
    const name = names.slice(0, 3).find((one) => typeof one === 'string') as string;
    const option = OPTIONS.get(name);
    if (option === undefined) return whole;
    return place === undefined ? option : `by ${option}`;
  });
}

/** A hint without the advice that applies only to the library; `undefined` if nothing remains. */
function adviceInOptions(hint: string): string | undefined {
  const ways = hint.split(/, or |; /);
  const isOpen = (way: string): boolean =>
    [...way.matchAll(MENTION)].every(([, , ...names]) => {
      const name = names.find((one) => one !== undefined);
      return name === undefined || OPTIONS.get(name) !== undefined;
    });
  if (ways.every(isOpen)) return withOptions(hint);
  const open = ways.filter(isOpen);
  return open.length === 0 ? undefined : withOptions(open.join(', or '));
}

export function inOptions(problem: Diagnostic): Diagnostic {
  const { hint, ...rest } = problem;
  const advice =
    problem.code === 'LIMIT_TIME'
      ? 'give it more time by --limit-time'
      : hint === undefined
        ? undefined
        : adviceInOptions(hint);
  const message = withOptions(problem.message);
  return { ...rest, message, ...(advice === undefined ? {} : { hint: advice }) };
}

export function exitCodeOf(problems: Diagnostics): ExitCode {
  if (problems.some(({ severity }) => severity === 'bug')) return EXIT.internal;
  if (problems.some(({ code }) => code === USAGE)) return EXIT.usage;
  return problems.some(({ code }) => LIMITS.test(code)) ? EXIT.limit : EXIT.input;
}
