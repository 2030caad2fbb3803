/** The command as a process: pipes, signals, full disks, and the files that it leaves. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportOnnx, models, orThrow } from 'batonjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXIT } from '../src/exit-codes.ts';

const COMMAND = fileURLToPath(new URL('../bin/baton.js', import.meta.url));

let folder = '';
/** The compiled code of the command, next to the folder of the models. */
let codeFolder = '';
beforeAll(() => {
  codeFolder = mkdtempSync(join(tmpdir(), 'baton-code-'));
  folder = mkdtempSync(join(tmpdir(), 'baton-'));
  const model = models.mlp({ hidden: [1024, 1024], inputs: 1024, classes: 10 });
  writeFileSync(join(folder, 'm.onnx'), orThrow(exportOnnx(model)));
});
afterAll(() => {
  for (const path of [folder, codeFolder]) rmSync(path, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: Buffer;
  readonly log: string;
}

interface Surroundings {
  readonly input?: Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with the process once it has begun. */
  readonly meanwhile?: (child: ReturnType<typeof spawn>) => void;
}

/** Runs a shell line in which `$baton` is the command. */
const shell = (line: string, { input, env = {}, meanwhile }: Surroundings = {}): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', line], {
      cwd: folder,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: codeFolder,
        baton: `${process.execPath} ${COMMAND}`,
        ...env,
      },
    });
    const out: Buffer[] = [];
    const log: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => log.push(piece));
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, out: Buffer.concat(out), log: Buffer.concat(log).toString() }),
    );
    child.stdin.end(input);
    meanwhile?.(child);
  });

const STACK_TRACE = /^ +at /m;

/** The exit code of `timeout` if it had to send the signal. */
const TIMED_OUT = 124;

/** The other files in the folder of the model. */
const leftovers = (): ReadonlyArray<string> =>
  readdirSync(folder).filter((name) => name !== 'm.onnx');

describe('the command', () => {
  it('reads standard input, writes standard output, and shows no progress in a pipe', async () => {
    const input = readFileSync(join(folder, 'm.onnx'));
    const ended = await shell('$baton optimize - -o - --level 0', { input });
    expect(ended.code).toBe(EXIT.ok);
    expect(ended.out.length).toBeGreaterThan(1e6);
    expect(ended.log).toContain('standard input is written');
    expect(ended.log).not.toContain('\u001b');
  });

  it('prints JSON alone on standard output', async () => {
    const { code, out, log } = await shell('$baton inspect m.onnx --json');
    expect([code, log]).toEqual([EXIT.ok, '']);
    expect(JSON.parse(out.toString())).toMatchObject({ schema: 'baton.inspect/1' });
  });

  it('ends quietly when the reader of its pipe does', async () => {
    const { log } = await shell('$baton optimize m.onnx -o - --level 0 2>/dev/null | head -c 1');
    expect(log).toBe('');
  });

  it.each([
    ['$baton inspect no.onnx', 'no.onnx cannot be read: there is no such file or folder'],
    ['$baton inspect .', '. cannot be read: it is a folder'],
    ['$baton optimize m.onnx -o no/out.onnx', 'no/out.onnx cannot be written'],
    ['$baton optimize m.onnx -o /dev/full --level 0', 'the name has no known ending'],
    ['$baton compile m.onnx -o /dev/full --level 0', 'no space is left on the disk'],
    ['$baton inspect m.onnx > /dev/full', 'ENOSPC'],
  ])('%s', async (line, message) => {
    const { code, log } = await shell(line);
    expect([code, log]).toEqual([EXIT.input, expect.stringContaining(message)]);
    expect(log).not.toMatch(STACK_TRACE);
    expect(leftovers()).toEqual([]);
  });

  it('replaces a file only when all is written', async () => {
    writeFileSync(join(folder, 'out.onnx'), 'as before');
    const { code } = await shell('ulimit -f 100; $baton optimize m.onnx -o out.onnx --level 0');
    expect(code).not.toBe(EXIT.ok);
    expect(readFileSync(join(folder, 'out.onnx'), 'utf8')).toBe('as before');
    rmSync(join(folder, 'out.onnx'));
    expect(leftovers()).toEqual([]);
  });

  it('leaves nothing behind when it is interrupted', async () => {
    const made = join(folder, 'out.onnx');
    await shell('$baton optimize m.onnx -o out.onnx');
    const whole = readFileSync(made);
    rmSync(made);
    const codes: number[] = [];
    for (const seconds of [0.05, 0.2, 0.35, 0.5]) {
      const limited = `timeout --signal=INT --kill-after=5 ${seconds}`;
      const { code } = await shell(`${limited} $baton optimize m.onnx -o out.onnx`);
      codes.push(code ?? 0);
      // A fast machine has finished before the signal arrives: then the file is complete.
      if (code === 0 || existsSync(made)) expect(readFileSync(made).equals(whole)).toBe(true);
      rmSync(made, { force: true });
      expect(leftovers()).toEqual([]);
    }
    expect(codes[0]).toBe(TIMED_OUT);
    expect([0, TIMED_OUT]).toEqual(expect.arrayContaining([...new Set(codes)]));
  });

  it('takes settings from the folder', async () => {
    writeFileSync(join(folder, 'baton.config.json'), '{ "level": 7 }');
    const { code, log } = await shell('$baton optimize m.onnx -o out.onnx');
    rmSync(join(folder, 'baton.config.json'));
    expect([code, log]).toEqual([EXIT.usage, expect.stringContaining('found 7')]);
  });
});

describe('the compiled code of the command', () => {
  const sizes = 'inspect m.onnx --json';
  const codeIn = (path: string): ReadonlyArray<string> =>
    readdirSync(path).filter((name) => name.startsWith('inspect-'));

  it('is kept for the next run of the same command', async () => {
    const first = await shell(`$baton ${sizes}`);
    const kept = codeIn(codeFolder);
    const second = await shell(`$baton ${sizes}`);
    expect([first.code, second.code]).toEqual([EXIT.ok, EXIT.ok]);
    expect(second.out.toString()).toBe(first.out.toString());
    expect(kept).toHaveLength(1);
    expect(codeIn(codeFolder)).toEqual(kept);
  });

  it('is made again where it was damaged', async () => {
    const other = mkdtempSync(join(tmpdir(), 'baton-code-'));
    const env = { NODE_COMPILE_CACHE: other };
    const first = await shell(`$baton ${sizes}`, { env });
    const file = join(other, codeIn(other)[0] ?? '');
    const size = readFileSync(file).length;
    writeFileSync(file, 'no code');
    const second = await shell(`$baton ${sizes}`, { env });
    expect(second.out.toString()).toBe(first.out.toString());
    expect(readFileSync(file).length).toBeGreaterThan(size / 2);
    expect(readdirSync(other)).toHaveLength(1);
    rmSync(other, { recursive: true });
  });

  it('is not kept where no file may be made, or none is wanted', async () => {
    const nowhere = await shell(`$baton ${sizes}`, { env: { NODE_COMPILE_CACHE: '/dev/null/x' } });
    const other = mkdtempSync(join(tmpdir(), 'baton-code-'));
    const env = { NODE_COMPILE_CACHE: other, NODE_DISABLE_COMPILE_CACHE: '1' };
    const unwanted = await shell(`$baton ${sizes}`, { env });
    expect([nowhere.code, unwanted.code]).toEqual([EXIT.ok, EXIT.ok]);
    expect([nowhere.log, unwanted.log]).toEqual(['', '']);
    expect(readdirSync(other)).toEqual([]);
    rmSync(other, { recursive: true });
  });
});
