import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The folder of the ONNX corpus: the value of `BATON_CORPUS`, which must then exist, or a folder
 * next to the project, or `undefined`.
 */
export function corpusFolder(): string | undefined {
  const named = process.env.BATON_CORPUS;
  if (named !== undefined) {
    if (!existsSync(join(named, 'models')))
      throw new Error(`BATON_CORPUS names no corpus: ${named}`);
    return resolve(named);
  }
  const beside = resolve(root, '..', 'shared', 'corpus', 'onnx');
  return existsSync(join(beside, 'models')) ? beside : undefined;
}
