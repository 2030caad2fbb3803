/** onnxruntime in Node, from the user's folder: it is no dependency of the command. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { diagnostic, fail, isLeft, ok, type Result } from '@baton/base';
import type { ModelSource, RunModel } from './host.ts';
import { reasonOf, writeFiles } from './node-files.ts';
import {
  type NamedTensors,
  RUNTIME_PACKAGE,
  type RunSamples,
  runtimeIn,
} from './runtime-sessions.ts';

export async function loadOnnxruntime(): Promise<Result<RunModel>> {
  try {
    const runSamples = runtimeIn(process.cwd());
    return ok((model, inputs) => run(runSamples, model, inputs));
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const hint = `npm install ${RUNTIME_PACKAGE}`;
    return fail(diagnostic('CLI_RUNTIME', `${RUNTIME_PACKAGE} is not found: ${reason}`, { hint }));
  }
}

const OPTIONS = { logSeverityLevel: 3 };

async function run(
  runSamples: RunSamples,
  model: ModelSource,
  inputs: NamedTensors,
): ReturnType<RunModel> {
  const folder = typeof model === 'string' ? undefined : await mkdtemp(join(tmpdir(), 'baton-'));
  try {
    const path = await placed(model, folder);
    if (isLeft(path)) return path;
    const found = await runSamples(path.right, [inputs], OPTIONS);
    return isLeft(found) ? found : ok(found.right[0] ?? new Map());
  } catch (error) {
    return fail(diagnostic('CLI_RUNTIME', reasonOf(error)));
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The path of a model; files are first written into the folder. */
async function placed(model: ModelSource, folder: string | undefined): Promise<Result<string>> {
  if (typeof model === 'string' || folder === undefined) return ok(String(model));
  const files = model.map(({ path, pieces }) => ({
    path: join(folder, path === '-' ? 'model.onnx' : basename(path)),
    pieces,
  }));
  const written = await writeFiles(files);
  return isLeft(written) ? written : ok(files.at(-1)?.path ?? folder);
}
