/** One file simplified by the npm package `onnxsim`: `node optimize.mjs IN OUT`. */
import { readFile, writeFile } from 'node:fs/promises';
import { simplify } from 'onnxsim';

const [source, target] = process.argv.slice(2);
const { model } = await simplify(await readFile(source));
await writeFile(target, model);
process.exit(0);
