/** Parses options and operands of a command line, or describes its first error. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from '@baton/base';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The config from which `parseArgs` derives its types. */
interface Config<O extends Options> {
  readonly args: string[];
  readonly options: O;
  readonly allowPositionals: true;
}

export type CommandLine<O extends Options> = Pick<
  ReturnType<typeof parseArgs<Config<O>>>,
  'values' | 'positionals'
>;

/** The operands of a command: by default none, with a hint for those who try. */
export interface Operands {
  readonly takesOperands?: boolean;
  readonly hint?: (operand: string) => string;
}

/** The parsed `argv`, or its first error. A lone `--`, which pnpm leaves in, is skipped. */
export function readCommandLine<const O extends Options>(
  argv: ReadonlyArray<string>,
  options: O,
  operands: Operands = {},
): CommandLine<O> | string {
  const args = argv.filter((arg) => arg !== '--');
  const mistake = mistakeIn(args, options, operands);
  return mistake ?? parseArgs<Config<O>>({ args, options, allowPositionals: true });
}

/** Whether more short options are combined than exist: Node's parser recurses on each. */
const isLongGroup = (arg: string, options: Options): boolean =>
  /^-[^-]/.test(arg) &&
  arg.length > MAX_GROUP &&
  !Object.values(options).some(({ type, short }) => type === 'string' && short === arg[1]);

const MAX_GROUP = 64;

function mistakeIn(
  args: string[],
  options: Options,
  { takesOperands = false, hint }: Operands,
): string | undefined {
  const long = args.find((arg) => isLongGroup(arg, options));
  if (long !== undefined) return `unknown option ${long.slice(0, 2)}`;
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional' && !takesOperands) {
      const advice = hint === undefined ? '' : `; ${hint(token.value)}`;
      return `expected an option, found ${token.value}${advice}`;
    }
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) {
      const near = didYouMean(token.name, Object.keys(options), '--');
      return `unknown option ${token.rawName}${near === undefined ? '' : `; ${near}`}`;
    }
    if (option.type === 'string') {
      const { value, rawName } = token;
      if (value === undefined || (value.startsWith('--') && !token.inlineValue)) {
        return `${rawName} expects a value`;
      }
      // Node's parser reads it as an option.
      if (value.startsWith('-') && value.length > 1 && !token.inlineValue) {
        return `${rawName} expects a value, found ${value}; write --${token.name}=${value}`;
      }
    }
    if (option.type === 'boolean' && token.value !== undefined) {
      return `${token.rawName} takes no value`;
    }
  }
  return undefined;
}
