/** `baton compile`: a model as an ES module. */
import { isLeft, type Result, right } from '@baton/base';
import { compileToModule } from '@baton/wasm';
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
      doc: 'compile to WebAssembly: an .mjs that imports nothing, with its types and weights beside it',
    },
    ...PIPELINE_OPTIONS,
    ...MODEL_OPTIONS,
  },
  run: compiled,
};

async function compiled(session: Session): Promise<Result<ExitCode>> {
  const { host, operands } = session;
  const output = session.text('output');
  if (output === undefined) return misuse('no output is named', '-o FILE.mjs');
  const pipeline = await pipelineOf(session);
  if (isLeft(pipeline)) return pipeline;
  const isStandalone = session.has('standalone');
  if (isStandalone && !output.endsWith('.mjs')) {
    return misuse('a module of its own ends in .mjs', '-o FILE.mjs');
  }
  const [input = '-'] = operands;
  const model = await openModel(session, input);
  if (isLeft(model)) return model;
  const result = optimizedBy(pipeline.right, model.right, host, {
    verified: false,
    keepsGoing: false,
  });
  if (isLeft(result)) return result;
  const files = isStandalone
    ? standaloneFiles(result.right.module, output)
    : right([{ path: output, pieces: moduleSource(result.right.module, nameOf(input)) }]);
  if (isLeft(files)) return files;
  const written = await host.write(files.right);
  return isLeft(written) ? written : right(EXIT.ok);
}

/** The module with its WebAssembly inside, and the files that go beside it. */
function standaloneFiles(m: IRModule, output: string): Result<ReadonlyArray<NewFile>> {
  const folder = output.slice(0, Math.max(output.lastIndexOf('/'), output.lastIndexOf('\\')) + 1);
  const name = output.slice(folder.length, -'.mjs'.length);
  const files = compileToModule(m, { name });
  if (isLeft(files)) return files;
  return right(
    files.right.map(({ path, content }) => ({ path: `${folder}${path}`, pieces: [content] })),
  );
}

/** The text of the module, which runs the model on the executor of `batonjs`. */
function moduleSource(m: IRModule, input: string): ReadonlyArray<string> {
  const params = m.functions.get('main')?.params ?? [];
  const inputs = params.map(
    ({ nameHint, typeAnnotation: type }) => `${nameHint}: ${type ? printType(type) : '?'}`,
  );
  return [
    `/** The model of ${JSON.stringify(input)}, made by \`baton compile\`. */\n`,
    "import { fromJson, orThrow, prepare, toData } from 'batonjs';\n\n",
    `/** The inputs with their types. */\nexport const inputs = ${JSON.stringify(inputs)};\n\n`,
    `const program = orThrow(prepare(orThrow(fromJson(${JSON.stringify(toJson(m))}))));\n\n`,
    '/** The result of the model for inputs by name: nested arrays, typed arrays or tensors. */\n',
    'export const run = (given) => toData(orThrow(program.run(given)));\n',
  ];
}
