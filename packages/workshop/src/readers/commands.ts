/** Corrupted command lines and files of settings. */
import { orThrow } from '@baton/base';
import { exportOnnx, parseModule, toJson } from 'batonjs';
import { type Draw, EDGES, NAMES, replaced, shuffled } from './draw.ts';
import { CONFIG, commanded } from './host.ts';
import { corruptedJson, type Json, jsonText, smallerJson, treeOf } from './json-tree.ts';
import { encoded, makeReader, type Parts, shorter, textOf } from './reader.ts';
import { corruptedTokens, tokensOf } from './tokens.ts';

const ARGUMENTS = 'arguments.json';

const MODULE = orThrow(
  parseModule(
    '#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 3), float32], %n: int64) { (nn.relu(add(%x, 1f)), %n) }',
    { source: 'm.relay' },
  ),
);

const TEXT = `#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %n: int64) { (nn.relu(add(%x, 1f)), %n) }`;

const FILES: Parts = new Map([
  ['m.relay', encoded(TEXT)],
  ['m.onnx', orThrow(exportOnnx(MODULE))],
  ['m.json', encoded(toJson(MODULE))],
  ['x.json', encoded('[[1, 2, 3], [4, 5, 6]]')],
  ['both.json', encoded('{"x": [[1, 2, 3], [4, 5, 6]], "n": 1}')],
  ['bad.npz', encoded('PK')],
  ['bad.npy', Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 4, 0, 1, 2, 3, 4)],
  ['-', encoded(TEXT)],
]);

const LINES: ReadonlyArray<string> = [
  'run m.onnx --random',
  'run m.relay -i x=x.json -i n=3',
  'run m.json --input both.json -o out.json',
  'run m.onnx --input x=[[1,2,3],[4,5,6]] --input n=7 -o out.npz',
  'run m.relay -i bad.npz -i x=bad.npy',
  'run - --random',
  'inspect m.onnx --json',
  'inspect m.relay --dim n=2',
  'optimize m.onnx -o o.onnx --level 3 --rules all',
  'optimize m.onnx -o o.relay --level 1 --rules none --json --opset 15',
  'optimize m.relay -o o.onnx --external-data --unchecked --keep-going',
  'optimize m.json -o - --search --rules common --verify',
  'optimize m.onnx -o o.json --rules rules.mjs --rules good.mjs --no-config',
  'optimize m.onnx -o o.onnx --dim x:0=2 --verify-with onnxruntime --report r.html',
  'compile m.onnx -o o.mjs --standalone --weight-bits 16 --weights given --transforms',
  'compile m.relay -o o.js --level 2',
  'compile m.onnx -o - --standalone --weights beside',
  'diff m.onnx m.relay --strict --json',
  'diff m.json m.onnx --with onnxruntime',
  'explain m.onnx Relu --from m.relay --json',
  'explain m.onnx x',
  'bench m.onnx --random --json --report r.html',
  'completion bash',
  'completion fish',
  'optimize m.onnx --print-config --level 2',
  '--version',
  'help',
  'run --help',
];

const WORDS = [...new Set(LINES.flatMap((line) => line.split(' ')))];

interface Commanded {
  readonly argv: ReadonlyArray<string>;
  readonly config: Json | undefined;
}

function corruptedLine(argv: ReadonlyArray<string>, draw: Draw): ReadonlyArray<string> {
  const at = draw.below(argv.length);
  const old = argv[at] ?? '';
  const put = (by: string, count = 1): ReadonlyArray<string> => replaced(argv, at, [by], count);
  switch (draw.below(8)) {
    case 0:
      return shuffled(argv, draw).slice(0, 60);
    case 1:
      return put(draw.some(WORDS) ?? '', draw.below(2));
    case 2:
      return put(draw.pick(NAMES));
    case 3:
      return put(`${draw.pick(EDGES)}`);
    case 4:
      return put(corruptedTokens(tokensOf(old), draw).join(''));
    case 5: {
      const [key = '', value = ''] = old.split('=');
      const other = draw.once(2) ? draw.pick(NAMES) : (draw.some(WORDS) ?? '');
      return put(draw.once(2) ? `${key}=${other}` : `${other}=${value}`);
    }
    case 6:
      return put(
        draw.pick(['--', '-', '--=', '-o', '-i', '-io', '--no-json', '--__proto__', '--level=']),
        0,
      );
    default:
      return [...argv, ...(draw.some(LINES) ?? '').split(' ').slice(1)];
  }
}

const partsOf = ({ argv, config }: Commanded): Parts =>
  new Map([
    [ARGUMENTS, encoded(JSON.stringify(argv))],
    ...(config === undefined ? [] : [[CONFIG, encoded(jsonText(config))] as const]),
  ]);

async function ran(parts: Parts): Promise<string> {
  const argv = argumentsIn(parts);
  if (argv === undefined) return 'no arguments';
  return await commanded(argv, new Map([...FILES, ...parts]));
}

function argumentsIn(parts: Parts): ReadonlyArray<string> | undefined {
  try {
    const argv: unknown = JSON.parse(textOf(parts, ARGUMENTS));
    return Array.isArray(argv) ? argv.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function* smallerCommands(parts: Parts): Iterable<Parts> {
  for (const fewer of shorter(argumentsIn(parts) ?? [])) {
    yield new Map(parts).set(ARGUMENTS, encoded(JSON.stringify(fewer)));
  }
  if (parts.has(CONFIG)) yield* smallerJson(parts, CONFIG);
}

export const command = makeReader<Commanded, 'command'>({
  name: 'command',
  share: 2,
  clean: (draw) => ({ argv: (draw.some(LINES) ?? '').split(' '), config: undefined }),
  corrupted: ({ argv, config }, draw) => ({ argv: corruptedLine(argv, draw), config }),
  written: partsOf,
  smaller: smallerCommands,
  read: ({ parts }) => ran(parts),
});

const SETTINGS: ReadonlyArray<Json> = [
  { level: 1, rules: ['none'], search: false, dim: { n: 2 }, opset: 15 },
  {
    level: 0,
    'external-data': true,
    verify: false,
    unchecked: true,
    'keep-going': true,
    json: true,
  },
  { level: 1, rules: ['none'], passes: ['$pass'] },
  { passes: [], json: true, level: '1', rules: [] },
].map(treeOf);

/** Values that only a module can give, as a file writes them here. */
// biome-ignore format: a list to look over
const OF_MODULES = [
  '$undefined', '$function', '$pass', '$symbol', '$bigint', '$nan', '$map', '$date', '$bare',
] as const;

const CONFIGURED: ReadonlyArray<string> = [
  'optimize m.onnx -o o.onnx',
  'optimize m.relay -o o.relay --print-config',
  'optimize m.onnx -o o.onnx --level 1',
  'run m.onnx --random',
  'compile m.onnx -o o.mjs',
  'diff m.onnx m.relay',
  'explain m.onnx x',
];

function corruptedSettings(config: Json, draw: Draw): Json {
  const { entries } = config._tag === 'Object' ? config : { entries: [] };
  if (entries.length === 0 || !draw.once(3)) return corruptedJson(config, draw);
  const at = draw.below(entries.length);
  const key = draw.once(4) ? 'passes' : (entries[at]?.[0] ?? '');
  const value = treeOf(draw.once(3) ? [draw.pick(OF_MODULES)] : draw.pick(OF_MODULES));
  return { _tag: 'Object', entries: replaced(entries, at, [[key, value] as const]) };
}

export const config = makeReader<Commanded, 'config'>({
  name: 'config',
  share: 2,
  clean: (draw) => ({
    argv: (draw.some(CONFIGURED) ?? '').split(' '),
    config: draw.some(SETTINGS),
  }),
  corrupted: ({ argv, config: old }, draw) => ({
    argv,
    config: old && corruptedSettings(old, draw),
  }),
  written: partsOf,
  smaller: smallerCommands,
  read: ({ parts }) => ran(parts),
});
