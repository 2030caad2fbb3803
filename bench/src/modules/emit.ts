/** Models as ES modules in a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { isLeft, type Result, right } from '@baton/base';
import type { Subject } from '@baton/report';
import { compileToModule, type ModuleOptions } from '@baton/wasm';
import { type Arguments, type IRModule, optimize, runPass } from 'batonjs';

/** How a model is written. */
export interface EmitChoices extends Omit<ModuleOptions, 'name'> {
  /** The level of `optimize`. */
  readonly level: 0 | 1 | 2 | 3;
}

/** A model that was written. **Units** bytes. */
export interface Emitted {
  readonly name: string;
  /** The module, as it travels: compressed by gzip. */
  readonly codeBytes: number;
  readonly weightBytes: number;
  /** The optimized program. */
  readonly module: IRModule;
  readonly inputs: Arguments;
}

/** Writes a model, optimized, as `NAME.mjs`, `NAME.d.mts` and `NAME.bin`. */
export async function emitModule(
  subject: Subject,
  folder: string,
  { level, ...choices }: EmitChoices,
): Promise<Result<Emitted>> {
  const loaded = await subject.load();
  if (isLeft(loaded)) return loaded;
  const { module, inputs } = loaded.right;
  const better = runPass(optimize({ level }))(module);
  if (isLeft(better)) return better;
  const { name } = subject;
  const files = compileToModule(better.right.module, { ...choices, name });
  if (isLeft(files)) return files;
  mkdirSync(folder, { recursive: true });
  const sizes = { codeBytes: 0, weightBytes: 0 };
  for (const { path, content } of files.right) {
    writeFileSync(join(folder, path), content);
    if (path.endsWith('.mjs')) sizes.codeBytes = gzipSync(content).length;
    if (path.endsWith('.bin')) sizes.weightBytes = content.length;
  }
  return right({ name, ...sizes, module: better.right.module, inputs });
}
