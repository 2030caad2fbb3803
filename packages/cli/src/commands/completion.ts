/** `baton completion`: scripts that complete commands and options in shells. */
import { right } from '@baton/base';
import type { Command } from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT } from '../exit-codes.ts';

/** The command that prints the scripts, for these commands and itself. */
export const completionOf = (commands: ReadonlyArray<Command>): Command => {
  const completion: Command = {
    name: 'completion',
    doc: 'prints the script of completions for a shell: bash, zsh or fish',
    operands: ['SHELL'],
    options: {},
    isConfigured: false,
    run: async ({ host, operands: [shell = ''] }) => {
      const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
      if (script === undefined) {
        return misuse(`there are no completions for ${shell}`, Object.keys(SCRIPTS).join(', '));
      }
      host.print(script([...commands, completion]));
      return right(EXIT.ok);
    },
  };
  return completion;
};

type Script = (commands: ReadonlyArray<Command>) => string;

const optionsOf = ({ options }: Command): string =>
  Object.keys(options)
    .map((name) => `--${name}`)
    .join(' ');

/** The values of options: `level` with `0 1 2 3`. */
const wordsOf = (commands: ReadonlyArray<Command>): ReadonlyArray<readonly [string, string]> => {
  const words = new Map<string, string>();
  for (const { options } of commands) {
    for (const [name, option] of Object.entries(options)) {
      if (option.words !== undefined) words.set(name, option.words.join(' '));
    }
  }
  return [...words];
};

const bash: Script = (commands) => `_baton() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  case "$prev" in
${wordsOf(commands)
  .map(
    ([name, words]) => `    --${name}) COMPREPLY=($(compgen -W "${words}" -- "$cur")); return ;;`,
  )
  .join('\n')}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$cur")); return
  fi
  case "$cur" in
    -*) case "\${COMP_WORDS[1]}" in
${commands.map((c) => `      ${c.name}) COMPREPLY=($(compgen -W "${optionsOf(c)}" -- "$cur")) ;;`).join('\n')}
    esac ;;
    *) COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _baton baton`;

const zsh: Script = (commands) => `autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;

const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

const fish: Script = (commands) =>
  commands
    .flatMap(({ name, doc, options }) => [
      `complete -c baton -n __fish_use_subcommand -f -a ${name} -d ${quoted(doc)}`,
      ...Object.entries(options).map(([option, { doc: what, type, short, words }]) => {
        const value = type === 'boolean' ? '' : words ? ` -x -a ${quoted(words.join(' '))}` : ' -r';
        const letter = short === undefined ? '' : ` -s ${short}`;
        const when = `-n '__fish_seen_subcommand_from ${name}'`;
        return `complete -c baton ${when} -l ${option}${letter}${value} -d ${quoted(what)}`;
      }),
    ])
    .join('\n');

const SCRIPTS: Readonly<Record<string, Script>> = { bash, zsh, fish };
