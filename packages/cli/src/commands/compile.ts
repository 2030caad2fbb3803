/** `baton compile`: a model as an ES module. */
import { isLeft, type Result, right, scriptText } from '@baton/base';
import { compileToModule, type ModuleOptions } from '@baton/wasm';
import { type IRModule, printType, toJson } from 'batonjs';
import { type Command, MODEL_OPTIONS, outputOption, type Session } from '../command.ts';
import { misuse } from '../diagnostics.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { NewFile } from '../host.ts';
import { nameOf, openModel } from '../model-file.ts';
import { optimizedBy } from '../optimized.ts';
import { PIPELINE_OPTIONS, pipelineOf } from '../pipeline.ts';

export const compile: Command = {
  name: 'compile',
  doc: 'optimizes a model and writes it as an ES module with a function `run`',
  operands: ['MODEL'],
  options: {
    ...outputOption('where the module goes: .mjs or .js; - prints it'),
    standalone: {
      type: 'boolean',
      doc: 'compile to WebAssembly: an .mjs that imports nothing, with files of types and weights',
    },
    'weight-bits': {
      type: 'string',
      value: '16|32',
      words: ['16', '32'],
      doc: 'with --standalone: the bits of a weight in its file. Default: 32',
    },
    weights: {
      type: 'string',
      value: 'beside|given',
      words: ['beside', 'given'],
      doc: 'with --standalone: the module loads its weights from its own folder (the default), or receives them',
    },
    transforms: {
      type: 'boolean',
      doc: "with --standalone: compute convolutions by Winograd's transforms: faster, with larger weights",
    },
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
  },
  isConfigured: true,
  run: compiled,
};

/** The options that only a standalone module has. */
const STANDALONE_OPTIONS = ['weight-bits', 'weights', 'transforms'] as const;

type ModuleChoices = Omit<ModuleOptions, 'name'>;

/** The options of a standalone module; `undefined` if none is requested. */
function moduleChoices(session: Session): Result<ModuleChoices | undefined> {
  if (!session.has('standalone')) {
    const stray = STANDALONE_OPTIONS.find(
      (option) => session.text(option) !== undefined || session.has(option),
    );
    return stray === undefined ? right(undefined) : misuse(`--${stray} goes with --standalone`);
  }
  const bits = session.text('weight-bits') ?? '32';
  if (bits !== '16' && bits !== '32')
    return misuse(`--weight-bits expects 16 or 32, found ${bits}`);
  const weights = session.text('weights') ?? 'beside';
  if (weights !== 'beside' && weights !== 'given') {
    return misuse(`--weights expects beside or given, found ${weights}`);
  }
  return right({
    weightBits: bits === '16' ? 16 : 32,
    weights,
    transforms: session.has('transforms'),
  });
}

async function compiled(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const output = session.text('output');
  if (output === undefined) return misuse('no output is named', '-o FILE.mjs');
  const pipeline = await pipelineOf(session);
  if (isLeft(pipeline)) return pipeline;
  const choices = moduleChoices(session);
  if (isLeft(choices)) return choices;
  if (choices.right !== undefined && !output.endsWith('.mjs')) {
    return misuse('the name of a standalone module ends in .mjs', '-o FILE.mjs');
  }
  const [input = '-'] = operands;
  const model = await openModel(session, input);
  if (isLeft(model)) return model;
  const result = optimizedBy(pipeline.right, model.right, host, {
    verified: false,
    keepsGoing: false,
    limits: session.limits,
  });
  if (isLeft(result)) return result;
  const files = choices.right
    ? standaloneFiles(result.right.module, output, { ...choices.right, limits: session.limits })
    : right([{ path: output, pieces: moduleSource(result.right.module, nameOf(input)) }]);
  if (isLeft(files)) return files;
  const written = await host.write(files.right);
  return isLeft(written) ? written : right(EXIT.ok);
}

function standaloneFiles(
  m: IRModule,
  output: string,
  choices: ModuleChoices,
): Result<ReadonlyArray<NewFile>> {
  const folder = output.slice(0, Math.max(output.lastIndexOf('/'), output.lastIndexOf('\\')) + 1);
  const name = output.slice(folder.length, -'.mjs'.length);
  const files = compileToModule(m, { ...choices, name });
  if (isLeft(files)) return files;
  return right(
    files.right.map(({ path, content }) => ({ path: `${folder}${path}`, pieces: [content] })),
  );
}

/** The text of a module that runs the model on the executor of `batonjs`. */
function moduleSource(m: IRModule, input: string): ReadonlyArray<string> {
  const params = m.functions.get('main')?.params ?? [];
  const inputs = params.map(
    ({ nameHint, typeAnnotation: type }) => `${nameHint}: ${type ? printType(type) : '?'}`,
  );
  return [
    `/** The model of ${scriptText(input)}, made by \`baton compile\`. */\n`,
    "import { fromJson, orThrow, prepare, toData } from 'batonjs';\n\n",
    `/** The inputs with their types. */\nexport const inputs = ${scriptText(inputs)};\n\n`,
    `const program = orThrow(prepare(orThrow(fromJson(${scriptText(toJson(m))}))));\n\n`,
    '/** The result of the model for inputs by name: nested arrays, typed arrays or tensors. */\n',
    'export const run = (given) => toData(orThrow(program.run(given)));\n',
  ];
}
