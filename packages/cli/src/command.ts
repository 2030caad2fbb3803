/** A command of `baton`: what it takes, and what it does. */
import type { Limits, Result } from '@baton/base';
import type { ExitCode } from './exit-codes.ts';
import type { Host } from './host.ts';

/** An option of a command. */
export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Whether it may be given more than once. */
  readonly multiple?: boolean;
  /** The form of its value in the help. */
  readonly value?: string;
  /** The values that it knows, for the shell's completion. */
  readonly words?: ReadonlyArray<string>;
  readonly doc: string;
}

/** The options of a command by name. */
export type CommandOptions = Readonly<Record<string, CommandOption>>;

/** The value of an option, as given. */
export type OptionValue = string | boolean | ReadonlyArray<string | boolean>;

/** What a command is given. */
export interface Session {
  readonly host: Host;
  /** The arguments of the command, as they came. */
  readonly argv: ReadonlyArray<string>;
  readonly operands: ReadonlyArray<string>;
  /** What reading, optimizing, running and writing may take. */
  readonly limits: Limits;
  /** What the file of settings says beside options. */
  readonly settings: Settings;
  /** The value of an option that takes one. */
  readonly text: (option: string) => string | undefined;
  /** The values of an option that may be given more than once. */
  readonly texts: (option: string) => ReadonlyArray<string>;
  /** Whether an option without a value is given. */
  readonly has: (option: string) => boolean;
}

/** What a file of settings may say beside options. */
export interface Settings {
  /** Passes that run after the level's. */
  readonly passes: ReadonlyArray<unknown>;
}

export interface Command {
  readonly name: string;
  /** One line, in the help. */
  readonly doc: string;
  /** The operands by name. The last may stand for several, as `FILE...`; `[FILE]` may be left out. */
  readonly operands: ReadonlyArray<string>;
  readonly options: CommandOptions;
  /** Whether a file of settings in the working folder is read, which may be a program. */
  readonly isConfigured: boolean;
  readonly run: (session: Session) => Promise<Result<ExitCode>>;
}

/** Prints the result as JSON. */
export const JSON_OPTION: CommandOptions = {
  json: { type: 'boolean', doc: 'print the result as JSON' },
};

/** Options of every command that reads a model. */
export const MODEL_OPTIONS: CommandOptions = {
  dim: {
    type: 'string',
    multiple: true,
    value: 'NAME=SIZE',
    doc: 'the size of a dimension, by its name or as INPUT:AXIS',
  },
  'max-constant-bytes': {
    type: 'string',
    value: 'SIZE',
    doc: 'the most bytes that one node of an ONNX file may fill, such as 512MB; 64MiB by default',
  },
  'limit-memory': {
    type: 'string',
    value: 'SIZE',
    doc: 'the most memory of what a stage computes, such as 512MB: no model may take more',
  },
  'limit-time': {
    type: 'string',
    value: 'SECONDS',
    doc: 'the time after which the command gives up, between two steps of its work',
  },
};

/** The option of the file that a command writes. */
export const outputOption = (doc: string): CommandOptions => ({
  output: { type: 'string', short: 'o', value: 'FILE', doc },
});

/** A session in which the options have these values. */
export const sessionOf = (
  parts: Pick<Session, 'host' | 'argv' | 'operands' | 'settings' | 'limits'>,
  values: Readonly<Record<string, OptionValue | undefined>>,
): Session => ({
  ...parts,
  text: (option) => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  },
  texts: (option) => {
    const value = values[option];
    return Array.isArray(value) ? value.map(String) : [];
  },
  has: (option) => values[option] === true,
});
