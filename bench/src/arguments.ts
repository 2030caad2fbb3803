/** The command line of `pnpm bench`. */

import { readCommandLine } from '@baton/cli';
import { executorNamed } from '@baton/workshop';
import { type Executor, wasm } from 'batonjs';

/** The choices of the command line. */
export interface Arguments {
  readonly models: ReadonlyArray<string>;
  readonly onnx: ReadonlyArray<string>;
  readonly corpus: string | undefined;
  /** Sizes of dimensions by name. */
  readonly dims: Readonly<Record<string, number>>;
  /** Values of inputs by name, as written on the command line. */
  readonly constants: Readonly<Record<string, string>>;
  readonly level: number;
  readonly json: string | undefined;
  readonly html: string | undefined;
  readonly trace: string | undefined;
  /** The folder for ES modules of the models. */
  readonly emit: string | undefined;
  /** Names of passes. */
  readonly printAfter: ReadonlyArray<string>;
  readonly stats: boolean;
  /** The executor of the programs. */
  readonly executor: Executor;
  /** Whether the programs are run. */
  readonly runs: boolean;
  /** Whether the regimes of equivalence are checked on models of any size. */
  readonly regimes: boolean;
  /** Whether the networks of Tensat's table are searched, too. */
  readonly search: boolean;
  /** Whether the section of `docs/benchmarks.md` is written. */
  readonly page: boolean;
}

/** The help text. */
export const USAGE = `pnpm bench [--model NAME]... [--onnx FILE]... [--corpus DIR] [--dim NAME=SIZE]... [--constant NAME=VALUE]... [--level 0|1|2|3]
           [--executor NAME] [--no-run] [--regimes] [--search] [--page] [--json FILE] [--html FILE] [--trace FILE] [--emit DIR] [--print-after PASS]... [--stats]

Without --onnx and --corpus the networks that ship with Baton are reported on;
mlp, transformer_encoder, resnet50, squeezenet and densenet121 only where --model names them.
  --model NAME   only the models of that name
  --onnx FILE    an ONNX file, weights inside or beside it, run on seeded inputs
  --corpus DIR   a folder of models with recipes for weights and expected outputs
  --dim NAME=N   the size of a dimension of the ONNX files, named there or by input and axis: x:0
  --constant NAME=V  the value of an input of the ONNX files: numbers (1,2,3) or a file of a tensor (x.pb)
  --level N      optimize at the levels 0 to N (default 3)
  --executor NAME  what runs the programs: wasm (default), interpreter or oracle
  --no-run       leave out the runs: graphs, passes and costs alone
  --regimes      check equivalence in every regime on large models too, which takes long
  --search       also search the networks of Tensat's table, and time their calls if that was not done
  --page         write the section of docs/benchmarks.md
  --json FILE    also write the figures there (always: bench/report/report.json)
  --html FILE    also write the page there (always: bench/report/index.html)
  --trace FILE   write there when what ran, for Perfetto or about:tracing
  --emit DIR     also write each model there as an ES module with the WebAssembly inside
  --print-after PASS  print the program after each run of the pass, without its weights
  --stats        print what each pass did, with its counters`;

const OPTIONS = {
  model: { type: 'string', multiple: true },
  onnx: { type: 'string', multiple: true },
  corpus: { type: 'string' },
  dim: { type: 'string', multiple: true },
  constant: { type: 'string', multiple: true },
  level: { type: 'string' },
  executor: { type: 'string' },
  json: { type: 'string' },
  html: { type: 'string' },
  trace: { type: 'string' },
  emit: { type: 'string' },
  'print-after': { type: 'string', multiple: true },
  stats: { type: 'boolean' },
  'no-run': { type: 'boolean' },
  regimes: { type: 'boolean' },
  search: { type: 'boolean' },
  page: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The arguments, or the mistakes in them. */
export function readArguments(argv: ReadonlyArray<string>): Arguments | string {
  const line = readCommandLine(argv, OPTIONS, {
    hint: (name) => `name a model with --model ${name}`,
  });
  if (typeof line === 'string') return `${line}\n\n${USAGE}`;
  const { values } = line;
  if (values.help === true) return USAGE;
  const level = values.level ?? '3';
  if (!/^[0-3]$/.test(level)) return `--level expects 0, 1, 2 or 3, found ${level}\n\n${USAGE}`;
  const executor = executorNamed(values.executor ?? wasm.name);
  if (typeof executor === 'string') return `${executor}\n\n${USAGE}`;
  const dims = readDims(values.dim ?? []);
  if (dims === undefined) return `--dim expects NAME=SIZE\n\n${USAGE}`;
  const constants = readPairs(values.constant ?? []);
  if (constants === undefined) return `--constant expects NAME=VALUE\n\n${USAGE}`;
  return {
    dims,
    constants,
    models: values.model ?? [],
    onnx: values.onnx ?? [],
    corpus: values.corpus,
    level: Number(level),
    executor,
    json: values.json,
    html: values.html,
    trace: values.trace,
    emit: values.emit,
    printAfter: values['print-after'] ?? [],
    stats: values.stats ?? false,
    runs: !(values['no-run'] ?? false),
    regimes: values.regimes ?? false,
    search: values.search ?? false,
    page: values.page ?? false,
  };
}

function readDims(given: ReadonlyArray<string>): Readonly<Record<string, number>> | undefined {
  const dims = readPairs(given);
  if (dims === undefined || !Object.values(dims).every((size) => /^\d+$/.test(size))) {
    return undefined;
  }
  return Object.fromEntries(Object.entries(dims).map(([name, size]) => [name, Number(size)]));
}

/** Pairs `NAME=VALUE`; a name may hold an equals sign, a value may not. */
function readPairs(given: ReadonlyArray<string>): Readonly<Record<string, string>> | undefined {
  const pairs = given.map((text) => /^(.+)=([^=]+)$/.exec(text));
  if (pairs.some((match) => match === null)) return undefined;
  return Object.fromEntries(pairs.map((match) => [match?.[1] ?? '', match?.[2] ?? '']));
}
