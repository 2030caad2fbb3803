/** onnxruntime in Node, from the folder of the user: it is no dependency of the command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { diagnostic, fail, isLeft, ok, type Result } from '@baton/base';
import { isDType, type Tensor, type TensorData, tensor } from '@baton/tensor';
import type { ModelSource, RunModel } from './host.ts';
import { reasonOf, writeFiles } from './node-files.ts';

/** The part of `onnxruntime-node` that is used. */
interface Runtime {
  readonly InferenceSession: {
    readonly create: (path: string, options: object) => Promise<RuntimeSession>;
  };
  readonly Tensor: new (dtype: string, data: unknown, dims: ReadonlyArray<number>) => RuntimeTensor;
}

interface RuntimeSession {
  readonly outputNames: ReadonlyArray<string>;
  readonly run: (
    feeds: Readonly<Record<string, RuntimeTensor>>,
  ) => Promise<Readonly<Record<string, RuntimeTensor>>>;
  readonly release: () => Promise<void>;
}

interface RuntimeTensor {
  readonly type: string;
  readonly dims: ReadonlyArray<number>;
  readonly data: unknown;
}

/** The name of the package. */
const PACKAGE = 'onnxruntime-node';

/** onnxruntime, if the working folder has it. */
export async function loadOnnxruntime(): Promise<Result<RunModel>> {
  try {
    const require = createRequire(join(process.cwd(), 'package.json'));
    const runtime = require(PACKAGE) as Runtime;
    return ok((model, inputs) => run(runtime, model, inputs));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const hint = `npm install ${PACKAGE}`;
    return fail(diagnostic('CLI_RUNTIME', `${PACKAGE} is not found: ${reason}`, { hint }));
  }
}

const OPTIONS = { logSeverityLevel: 3 };

async function run(
  runtime: Runtime,
  model: ModelSource,
  inputs: ReadonlyMap<string, Tensor>,
): ReturnType<RunModel> {
  const folder = typeof model === 'string' ? undefined : await mkdtemp(join(tmpdir(), 'baton-'));
  try {
    const path = await placed(model, folder);
    if (isLeft(path)) return path;
    const session = await runtime.InferenceSession.create(path.right, OPTIONS);
    const feeds = [...inputs].map(([name, { dtype, data, shape }]) => [
      name,
      new runtime.Tensor(dtype, data, shape),
    ]);
    const found = await session.run(Object.fromEntries(feeds));
    const { outputNames } = session;
    await session.release();
    return ok(new Map(outputNames.flatMap((name) => tensorsOf(name, found[name]))));
  } catch (error) {
    return fail(diagnostic('CLI_RUNTIME', reasonOf(error)));
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The path of a model; files are written into the folder. */
async function placed(model: ModelSource, folder: string | undefined): Promise<Result<string>> {
  if (typeof model === 'string' || folder === undefined) return ok(String(model));
  const files = model.map(({ path, pieces }) => ({
    path: join(folder, path === '-' ? 'model.onnx' : basename(path)),
    pieces,
  }));
  const written = await writeFiles(files);
  return isLeft(written) ? written : ok(files.at(-1)?.path ?? folder);
}

/** The tensors of an output: values of other types are not compared. */
const tensorsOf = (
  name: string,
  value: RuntimeTensor | undefined,
): ReadonlyArray<readonly [string, Tensor]> =>
  value !== undefined && isDType(value.type)
    ? [[name, tensor(value.data as TensorData, value.dims, value.type)]]
    : [];
