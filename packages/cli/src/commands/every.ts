/** Every command, in the order of the help. */
import type { Command } from '../command.ts';
import { bench } from './bench.ts';
import { bisect } from './bisect.ts';
import { check } from './check.ts';
import { compile } from './compile.ts';
import { completionOf } from './completion.ts';
import { diff } from './diff.ts';
import { explain } from './explain.ts';
import { fmt } from './fmt.ts';
import { inspect } from './inspect.ts';
import { optimize } from './optimize.ts';
import { playground } from './playground.ts';
import { prove } from './prove.ts';
import { quantize } from './quantize.ts';
import { reduce } from './reduce.ts';
import { run } from './run.ts';
import { testRule } from './test-rule.ts';
import { tune } from './tune.ts';

const commands: ReadonlyArray<Command> = [
  optimize,
  quantize,
  inspect,
  check,
  fmt,
  run,
  diff,
  explain,
  bisect,
  reduce,
  testRule,
  prove,
  compile,
  bench,
  tune,
  playground,
];

export const COMMANDS: ReadonlyArray<Command> = [...commands, completionOf(commands)];
