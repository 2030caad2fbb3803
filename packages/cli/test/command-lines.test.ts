/** Command lines, settings, help and completions. */
import { exportOnnx, models, orThrow, passes, printModule } from 'batonjs';
import { describe, expect, it } from 'vitest';
import { modelBytes } from '../../onnx/test/helpers/encode.ts';
import { COMMANDS } from '../src/commands/every.ts';
import { EXIT } from '../src/exit-codes.ts';
import { baton } from './memory-host.ts';

const RELAY = '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2), float32]) { %x }\n';
const files = { 'in.relay': RELAY };

describe('a wrong command line', () => {
  it.each([
    [[], ''],
    [['optimise', 'in.relay'], 'there is no command optimise'],
    [['optimize'], 'optimize expects MODEL, found nothing'],
    [['optimize', 'in.relay', 'more'], 'optimize expects MODEL, found in.relay more'],
    [['optimize', 'in.relay'], 'no output is named'],
    [
      ['optimize', 'in.relay', '--outptu', 'x'],
      'unknown option --outptu; did you mean `--output`?',
    ],
    [['optimize', 'in.relay', '-o', 'x.onnx', '--level', '9'], '--level expects 0, 1, 2 or 3'],
    [['optimize', 'in.relay', '-o', 'x.onnx', '--opset', 'x'], '--opset expects a number'],
    [['optimize', 'in.relay', '-o', 'x.onnx', '--rules', 'x'], '--rules does not know x'],
    [
      ['optimize', 'in.relay', '--level', '-2'],
      '--level expects a value, found -2; write --level=-2',
    ],
    [['optimize', 'in.relay', '-o', '-x'], '-o expects a value, found -x; write --output=-x'],
    [['run', 'in.relay', '--input', '-i', 'x=1'], '--input expects a value, found -i'],
    [['optimize', 'in.relay', '--level=--2', '-o', 'x.onnx'], '--level expects 0, 1, 2 or 3'],
    [['inspect', 'in.relay', '--dim', 'batch'], '--dim expects NAME=SIZE, found batch'],
    [['inspect', 'in.relay', '--dim', 'batch=x'], '--dim expects NAME=SIZE, found batch=x'],
    [['inspect', 'in.relay', '--dim', 'batch=1'], '--dim gives sizes to ONNX files'],
    [['completion', 'csh'], 'there are no completions for csh'],
    [['compile', '-o=/', `-=${'x'.repeat(1_000_000)}`], 'unknown option -='],
    [['run', 'in.relay', `-x${'i'.repeat(1_000_000)}`], 'unknown option -x'],
  ])('%j', async (argv, message) => {
    const { code, log } = await baton(argv, files);
    expect([code, log]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });
});

describe('the limits of a command', () => {
  const run = (...options: string[]) => baton(['run', 'in.relay', '-i', 'x=1', ...options], files);

  it.each([
    [['--limit-memory', 'much'], '--limit-memory expects a size, found much'],
    [['--limit-memory', '5PB'], '--limit-memory expects a size, found 5PB'],
    [['--limit-memory=-1'], '--limit-memory expects a size, found -1'],
    [['--max-constant-bytes', 'all'], '--max-constant-bytes expects a size, found all'],
    [['--limit-time', 'soon'], '--limit-time expects seconds, found soon'],
    [['--limit-time=-1'], '--limit-time expects seconds, found -1'],
  ])('%j is a mistake', async (options, message) => {
    const { code, log } = await run(...options);
    expect([code, log]).toEqual([EXIT.usage, expect.stringContaining(message)]);
  });

  it('name the option to raise, and have an exit code of their own', async () => {
    const m = orThrow(exportOnnx(models.mlp({ hidden: [8], inputs: 4, classes: 2 })));
    const command = ['optimize', 'm.onnx', '-o', 'o.onnx', '--limit-memory'];
    const small = await baton([...command, '100'], { 'm.onnx': m });
    expect([small.code, small.log]).toEqual([
      EXIT.limit,
      expect.stringContaining('raise --limit-memory if you trust the program'),
    ]);
    for (const size of ['1GB', '1.5GiB', '64 mib', '100000000']) {
      expect((await baton([...command, size], { 'm.onnx': m })).code, size).toBe(EXIT.ok);
    }
  });
});

describe('--limit-time', () => {
  /** Relay text, whose reading takes no limits: the command itself must ask. */
  const model = models.mlp({ hidden: [8], inputs: 4, classes: 2 });
  const m = { 'm.relay': printModule(model), 'm.onnx': orThrow(exportOnnx(model)) };
  /** The operands and other options of each command that has the option. */
  const commands: Readonly<Record<string, ReadonlyArray<string>>> = {
    bench: ['m.relay', '--random'],
    bisect: ['m.relay'],
    check: ['m.relay'],
    compile: ['m.relay', '-o', 'o.mjs', '--standalone'],
    diff: ['m.relay', 'm.relay'],
    explain: ['m.onnx', 'output', '--from', 'm.relay'],
    inspect: ['m.relay'],
    optimize: ['m.relay', '-o', 'o.onnx'],
    quantize: ['m.relay', '-o', 'o.onnx'],
    reduce: ['m.relay', '-o', 'o.relay'],
    run: ['m.relay', '--random'],
    tune: ['m.relay', '-o', 'o.json'],
  };

  it('is an option of these commands', () => {
    const timed = Object.values(COMMANDS).filter(({ options }) => 'limit-time' in options);
    expect(timed.map(({ name }) => name).sort()).toEqual(Object.keys(commands));
  });

  it.each(Object.entries(commands))('ends %s', async (command, more) => {
    const argv = [command, ...more, '--limit-time', '0'];
    let ms = 0;
    const { code, log } = await baton(argv, m, { now: () => ms++ });
    expect([code, log]).toEqual([EXIT.limit, expect.stringContaining('by --limit-time')]);
  });
});

describe('R: a tensor that a node fills', () => {
  /** A model whose only weight is a ConstantOfShape of 80 MB. */
  const filled = modelBytes({
    nodes: [
      { op: 'ConstantOfShape', in: ['n'], out: ['c'] },
      { op: 'ReduceSum', in: ['c'], out: ['s'], attrs: { keepdims: { i: 0 } } },
      { op: 'Add', in: ['x', 's'] },
    ],
    inputs: [{ name: 'x', dims: [2] }],
    initializers: [{ name: 'n', dims: [1], ints: [20_000_000] }],
  });
  const command = ['inspect', 'm.onnx'];

  it('names the option that gives it room', async () => {
    const { code, log } = await baton(command, { 'm.onnx': filled });
    expect([code, log]).toEqual([
      EXIT.limit,
      expect.stringContaining('help: raise --max-constant-bytes'),
    ]);
  });

  it.each([
    ['80MB', EXIT.ok],
    ['1GiB', EXIT.ok],
    ['79.9MB', EXIT.limit],
  ])('is read with room for %s: %i', async (size, expected) => {
    const options = ['--max-constant-bytes', size];
    const { code } = await baton([...command, ...options], { 'm.onnx': filled });
    expect(code).toBe(expected);
  });
});

describe('an unusable file', () => {
  it.each([
    [['inspect', 'no.onnx'], 'no.onnx cannot be read'],
    [['optimize', 'in.relay', '-o', 'out.xyz'], 'out.xyz: the name has no known ending'],
    [['optimize', 'in.relay', '-o', 'full.onnx'], 'full.onnx cannot be written'],
    [['optimize', 'in.relay', '-o', 'out.onnx', '--rules', 'no.mjs'], 'no.mjs cannot be read'],
    [['optimize', 'in.relay', '-o', 'out.onnx', '--rules', 'none.mjs'], 'it exports no rule set'],
    [['inspect', 'bad.relay'], 'bad.relay:2:17'],
    [['inspect', 'bad.json'], 'error['],
    [['inspect', 'page.onnx'], 'found an HTML page'],
    [['inspect', 'empty.onnx'], 'empty'],
  ])('%j', async (argv, message) => {
    const given = {
      ...files,
      'bad.relay': '#[version = "0.0.5"]\ndef @main(%x) { %y }\n',
      'bad.json': '{',
      'page.onnx': '<!doctype html><html></html>',
      'empty.onnx': '',
    };
    const parts = { full: 'full.onnx', modules: { 'none.mjs': { some: 1 } } };
    const { code, log, files: after } = await baton(argv, given, parts);
    expect([code, log]).toEqual([EXIT.input, expect.stringContaining(message)]);
    expect(after.size).toBe(Object.keys(given).length);
  });
});

describe('the settings', () => {
  const argv = ['optimize', 'in.relay', '-o', 'out.relay'];

  it('give options that the command line overrides', async () => {
    const config = { level: 1, dim: { batch: 2 }, json: true, passes: [passes.foldConstant] };
    const shown = await baton([...argv, '--print-config', '--level', '2'], files, { config });
    expect(JSON.parse(shown.out)).toEqual({
      level: '2',
      dim: ['batch=2'],
      json: true,
      output: 'out.relay',
    });
  });

  it.each([
    [{ levle: 1 }, 'there is no setting levle'],
    [{ level: [1] }, 'level expects a number or text'],
    [{ dim: 1 }, 'dim expects numbers by name'],
    [{ passes: 1 }, 'passes expects a list of passes'],
    [{ passes: [1] }, 'expected a pass'],
    ['text', 'expected settings by name'],
  ])('%j is a mistake', async (config, message) => {
    const { code, log } = await baton(argv, files, { config });
    expect([code, log]).toEqual([EXIT.input, expect.stringContaining(message)]);
  });
});

describe('help', () => {
  it('names every command, and the options of one', async () => {
    const { code, out } = await baton(['--help']);
    expect(code).toBe(EXIT.ok);
    for (const name of ['optimize', 'inspect', 'run', 'diff', 'explain', 'compile', 'bench']) {
      expect(out).toMatch(new RegExp(`^  ${name} +\\w`, 'm'));
    }
    const one = await baton(['optimize', '--help']);
    expect(one.out).toMatch(/^ {2}-o, --output FILE +where/m);
  });
});

describe('completions', () => {
  it.each([
    ['bash', 'complete -o filenames -F _baton baton'],
    ['zsh', 'bashcompinit'],
    [
      'fish',
      "complete -c baton -n '__fish_seen_subcommand_from optimize' -l level -x -a '0 1 2 3'",
    ],
  ])('%s', async (shell, line) => {
    const { code, out } = await baton(['completion', shell]);
    expect([code, out]).toEqual([EXIT.ok, expect.stringContaining(line)]);
  });
});
