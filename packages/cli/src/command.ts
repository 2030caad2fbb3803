/** The interface of a command of `baton`. */
import type { Limits, Result } from '@baton/base';
import type { ExitCode } from './exit-codes.ts';
import type { Host } from './host.ts';

export interface CommandOption {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** Whether it may be repeated. */
  readonly multiple?: boolean;
  /** The form of its value in the help. */
  readonly value?: string;
  /** Its values, for completion in shells. */
  readonly words?: ReadonlyArray<string>;
  readonly doc: string;
}

export type CommandOptions = Readonly<Record<string, CommandOption>>;

export type OptionValue = string | boolean | ReadonlyArray<string | boolean>;

export interface Session {
  readonly host: Host;
  readonly argv: ReadonlyArray<string>;
  readonly operands: ReadonlyArray<string>;
  readonly limits: Limits;
  /** Settings that are no options. */
  readonly settings: Settings;
  readonly text: (option: string) => string | undefined;
  readonly texts: (option: string) => ReadonlyArray<string>;
  readonly has: (option: string) => boolean;
}

export interface Settings {
  readonly passes: ReadonlyArray<unknown>;
}

export interface Command {
  readonly name: string;
  /** One line, in the help. */
  readonly doc: string;
  /** The operands by name. The last may be repeated, as `FILE...`; `[FILE]` is optional. */
  readonly operands: ReadonlyArray<string>;
  readonly options: CommandOptions;
  /** Whether a file of settings in the working folder is read, which may be a program. */
  readonly isConfigured: boolean;
  readonly run: (session: Session) => Promise<Result<ExitCode>>;
}

export const JSON_OPTION: CommandOptions = {
  json: { type: 'boolean', doc: 'print the result as JSON' },
};

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

export const outputOption = (doc: string): CommandOptions => ({
  output: { type: 'string', short: 'o', value: 'FILE', doc },
});

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
