/** Files in Node: reading in the folder of a model, and writing. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLeft } from '@baton/base';
import { tensor } from '@baton/tensor';
import { writeNpy } from '@baton/tensor/npy';
import { zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';
import { readBeside, writeFiles } from '../src/node-files.ts';
import { baton } from './memory-host.ts';

let folder = '';
const at = (...parts: ReadonlyArray<string>): string => join(folder, ...parts);
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-files-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('data beside a model', () => {
  beforeAll(() => {
    mkdirSync(at('model', 'deep'), { recursive: true });
    writeFileSync(at('secret'), 'password');
    writeFileSync(at('model', 'w'), 'weights!');
    writeFileSync(at('model', 'deep', 'w'), 'weights!');
    symlinkSync(at('secret'), at('model', 'link'));
    symlinkSync(folder, at('model', 'folder'));
    symlinkSync('w', at('model', 'inner'));
    symlinkSync('loop', at('model', 'loop'));
    execFileSync('mkfifo', [at('model', 'pipe')]);
    writeFileSync(at('model', 'huge'), '');
    truncateSync(at('model', 'huge'), 20e9);
  });

  const read = (location: string, length?: number, offset = 0): string => {
    const found = readBeside(at('model'), { location, offset, length });
    if (found === undefined) return 'none';
    return found instanceof Uint8Array ? Buffer.from(found).toString() : found.message;
  };

  it.each([
    ['w', 'weights!'],
    ['deep/w', 'weights!'],
    ['./deep/../w', 'weights!'],
    ['inner', 'weights!'],
    ['../secret', 'none'],
    ['/etc/passwd', 'none'],
    ['absent', 'none'],
    ['link', 'link cannot be read: a link leads out of the folder of the model'],
    ['folder/secret', 'folder/secret cannot be read: a link leads out of the folder of the model'],
    ['deep', 'deep cannot be read: it is no regular file'],
    ['pipe', 'pipe cannot be read: it is no regular file'],
    ['.', 'none'],
    ['loop', 'loop cannot be read: links lead round in a circle'],
  ])('%s', (location, expected) => expect(read(location)).toBe(expected));

  it.each([
    ['a\0b', 'a character that names may not have'],
    ['x'.repeat(300), 'the name is too long'],
  ])('a name that no file can have', (location, reason) => {
    expect(read(location)).toContain(reason);
  });

  it('is as long as it is stated, within the file', () => {
    expect([read('w', 4, 2), read('w', 9), read('w', 1, 8), read('w', 0, 8)]).toEqual([
      'ight',
      'none',
      'none',
      '',
    ]);
    expect(read('w', undefined, 99)).toBe('none');
  });

  it('is refused in words where it does not fit into memory', () => {
    expect(read('huge')).toContain('huge cannot be read');
  });
});

describe('files that are written', () => {
  const write = (...paths: ReadonlyArray<string>) =>
    writeFiles(paths.map((path, i) => ({ path, pieces: [`new ${i}`] })));

  it.each([0o600, 0o640, 0o755, 0o644])('keep the mode %o', async (mode) => {
    const path = at(`mode-${mode}`);
    writeFileSync(path, 'old');
    chmodSync(path, mode);
    expect(isLeft(await write(path))).toBe(false);
    expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([mode, 'new 0']);
  });

  it('replace what a link leads to', async () => {
    writeFileSync(at('target'), 'old');
    symlinkSync('target', at('pointer'));
    await write(at('pointer'));
    expect(lstatSync(at('pointer')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('target'), 'utf8')).toBe('new 0');
  });

  it('have names as long as the system takes', async () => {
    const path = at('n'.repeat(250));
    expect(isLeft(await write(path))).toBe(false);
    expect(readFileSync(path, 'utf8')).toBe('new 0');
  });

  it.each([
    ['the same path', ['same', 'same']],
    ['another spelling', ['same', './deep/../same']],
    ['a link', ['same', 'same-link']],
    ['through a folder', ['same', 'here/same']],
  ])('do not replace each other: %s', async (_, names) => {
    mkdirSync(at('deep'), { recursive: true });
    writeFileSync(at('same'), 'old');
    rmSync(at('same-link'), { force: true });
    rmSync(at('here'), { force: true });
    symlinkSync('same', at('same-link'));
    symlinkSync(folder, at('here'));
    const before = readdirSync(folder);
    const ended = await write(...names.map((name) => `${folder}/${name}`));
    expect(isLeft(ended) && ended.left[0].message).toContain('two results go to');
    expect([readFileSync(at('same'), 'utf8'), readdirSync(folder)]).toEqual(['old', before]);
  });

  it('may all go to a device', async () => {
    expect(isLeft(await write('/dev/null', '/dev/null'))).toBe(false);
  });

  it('leave a hard link to the old file alone', async () => {
    writeFileSync(at('first'), 'old');
    linkSync(at('first'), at('second'));
    await write(at('first'));
    expect(readFileSync(at('second'), 'utf8')).toBe('old');
  });

  it.each([
    ['SIGINT', EXIT.interrupted],
    ['SIGTERM', EXIT.terminated],
    ['SIGHUP', EXIT.hungUp],
  ] as const)('are gone after %s', async (signal, code) => {
    const source = fileURLToPath(new URL('../dist/node-files.js', import.meta.url));
    const script = `import { writeFiles } from ${JSON.stringify(source)};
      const pieces = function* () { for (;;) { console.log('.'); yield 'piece'; } };
      await writeFiles([{ path: 'interrupted', pieces: pieces() }]);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
    child.stdout.once('data', () => child.kill(signal));
    const ended = await new Promise((done) => child.on('close', done));
    expect(ended).toBe(code);
    expect(readdirSync(folder).filter((name) => /baton|interrupted/.test(name))).toEqual([]);
  });
});

/** An archive of entries, each with a stated size if it is given. */
function archiveOf(
  files: Readonly<Record<string, Uint8Array>>,
  stated: Readonly<Record<string, number>> = {},
): Uint8Array {
  const bytes = zipSync(files, { level: 9 });
  const view = new DataView(bytes.buffer);
  for (let at = 0; at + 46 < bytes.length; at++) {
    if (view.getUint32(at, true) !== 0x02014b50) continue;
    const length = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length));
    if (Object.hasOwn(stated, name)) view.setUint32(at + 24, stated[name] ?? 0, true);
  }
  return bytes;
}

describe('S6: archives take what the inputs of the model take', () => {
  const small = 'Tensor[(2), float32]';
  const open = 'Tensor[(?), float32]';
  const x = writeNpy(tensor([1, 2], [2], 'float32'));
  const bomb = new Uint8Array(2 ** 25);
  const larger = writeNpy(tensor(new Float32Array(2 ** 21), [2 ** 21], 'float32'));
  const twice = archiveOf({ 'x.npy': x, 'y.npy': x });
  // The directory calls the second file x, too.
  const place = twice.findLastIndex((byte, at) => byte === 0x79 && twice[at + 1] === 0x2e);
  twice[place] = 0x78;
  const damaged = archiveOf({ 'x.npy': new Uint8Array(3_000).map((_, i) => (i * i) % 251) });
  damaged.fill(0xff, 40, 80);

  it.each<readonly [string, string, Uint8Array, ReadonlyArray<string>, number, string]>([
    ['what fits', small, archiveOf({ 'x.npy': x }), [], EXIT.ok, ''],
    ['the only array', small, archiveOf({ 'any.npy': x }), ['x=a.npz'], EXIT.ok, ''],
    ['more than a known size', small, archiveOf({ 'x.npy': bomb }), [], EXIT.limit, 'a.npz:x.npy'],
    [
      'more for a name',
      small,
      archiveOf({ 'y.npy': bomb }),
      ['x=a.npz'],
      EXIT.limit,
      'a.npz:y.npy',
    ],
    ['no input', small, archiveOf({ 'z.npy': bomb }), [], EXIT.usage, 'the model has no input z'],
    ['an input and none', small, archiveOf({ 'x.npy': x, z: bomb }), [], EXIT.usage, 'no input z'],
    [
      'more than it states',
      small,
      archiveOf({ 'x.npy': bomb }, { 'x.npy': 100 }),
      [],
      EXIT.input,
      'the 100 bytes',
    ],
    [
      'nothing, as it states',
      small,
      archiveOf({ 'x.npy': bomb }, { 'x.npy': 0 }),
      [],
      EXIT.input,
      'the 0 bytes',
    ],
    [
      '4 GiB, as it states',
      open,
      archiveOf({ 'x.npy': x }, { 'x.npy': 2 ** 32 - 1 }),
      [],
      EXIT.limit,
      'x.npy',
    ],
    [
      '2 GiB, as it states',
      open,
      archiveOf({ 'x.npy': x }, { 'x.npy': 2 ** 31 }),
      [],
      EXIT.limit,
      'x.npy',
    ],
    ['an open size', open, archiveOf({ 'x.npy': larger }), [], EXIT.ok, ''],
    [
      'more than the option',
      open,
      archiveOf({ 'x.npy': larger }),
      ['a.npz', '--limit-input', '4'],
      EXIT.limit,
      '--limit-input',
    ],
    [
      'no number',
      open,
      archiveOf({ 'x.npy': x }),
      ['a.npz', '--limit-input', '1e9'],
      EXIT.usage,
      'expects mebibytes',
    ],
    ['a name twice', small, twice, [], EXIT.input, 'two arrays of this name'],
    ['damaged data', small, damaged, [], EXIT.input, 'x.npy'],
    [
      'no directory',
      small,
      archiveOf({ 'x.npy': x }).subarray(0, 60),
      [],
      EXIT.input,
      'no directory',
    ],
  ])('%s', async (_, type, bytes, given, code, message) => {
    const program = `#[version = "0.0.5"]\ndef @main(%x: ${type}) { nn.relu(%x) }`;
    const [input = 'a.npz', ...more] = given;
    const argv = ['run', 'm.relay', '-i', input, '-o', 'out.npy', ...more];
    const ended = await baton(argv, { 'm.relay': program, 'a.npz': bytes });
    expect([ended.code, ended.log]).toEqual([code, expect.stringContaining(message)]);
  });

  it('inputs of open sizes share the room', async () => {
    const program = `#[version = "0.0.5"]\ndef @main(%x: ${open}, %y: ${open}) { (%x, %y) }`;
    const files = { 'm.relay': program, 'a.npz': archiveOf({ 'x.npy': larger, 'y.npy': larger }) };
    const run = (limit: string) =>
      baton(['run', 'm.relay', '-i', 'a.npz', '-o', 'o.npz', '--limit-input', limit], files);
    expect((await run('12')).code).toBe(EXIT.limit);
    expect((await run('16')).code).toBe(EXIT.ok);
  });
});

const PROGRAM = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2,), float32]) { %x }';

describe('the file of settings', () => {
  const config = { level: 0, unknown: 1 };

  it.each([['inspect'], ['completion']])('is not read by %s', async (name) => {
    const argv = name === 'inspect' ? [name, 'm.relay'] : [name, 'bash'];
    expect((await baton(argv, { 'm.relay': PROGRAM }, { config })).code).toBe(EXIT.ok);
  });

  it('is read by commands that optimize, unless --no-config says no', async () => {
    const argv = ['optimize', 'm.relay', '-o', 'o.relay'];
    const files = { 'm.relay': PROGRAM };
    expect((await baton(argv, files, { config })).log).toContain('there is no setting unknown');
    expect((await baton([...argv, '--no-config'], files, { config })).code).toBe(EXIT.ok);
  });
});
