/**
 * `docs/passes.md` and `docs/operators.md` list every pass and every operator, from their records.
 * `pnpm bless` writes them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OptionTypes } from '@baton/base';
import { fusionColumn, kindColumn, onnxColumn, standardOps } from '@baton/ops';
import { countersWith, type Pass } from '@baton/pass-manager';
import { optimize, passes } from '@baton/passes';
import { it } from 'vitest';
import { expectFile } from '../blessed.ts';
import { parseGolden } from '../golden/format.ts';
import { root } from './pages.ts';

const golden = join(root, 'test/golden');

/** The name of a member in the `RUN` lines of golden files: `foldConstant` is `fold-constant`. */
const runName = (member: string): string => member.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`);

interface Case {
  readonly before: string;
  readonly after: string;
}

/** A program without the comments of the file, and without the values of its constants. */
const withoutComments = (text: string): string =>
  text
    .replace(/^#\[metadata\][\s\S]*/m, '')
    .split('\n')
    .filter((line) => !line.startsWith('//'))
    .join('\n')
    .trim();

/** The changes in golden files that run one pass without options, by the pass. */
const cases = new Map<string, ReadonlyArray<Case>>();
for (const name of readdirSync(golden, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.ir')) continue;
  const { run, input, sections } = parseGolden(readFileSync(join(golden, name), 'utf8'));
  const after = sections.find(({ kind }) => kind === 'expect')?.text;
  if (after === undefined || sections.some(({ kind }) => kind === 'unchanged')) continue;
  const found = { before: withoutComments(input), after: withoutComments(after) };
  cases.set(run, [...(cases.get(run) ?? []), found]);
}

/** The shortest change. */
const example = (member: string): Case | undefined =>
  [...(cases.get(runName(member)) ?? [])].sort(
    (a, b) => a.before.length + a.after.length - b.before.length - b.after.length,
  )[0];

const code = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
const quoted = (words: ReadonlyArray<string>): string => words.map((w) => `\`${w}\``).join(', ');

function passSection(title: string, pass: Pass, shown?: Case): ReadonlyArray<string> {
  const inside = pass.wraps?.pass ?? pass;
  const facts: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
    ['level', [String(pass.level)]],
    ['requires', inside.requires.map(({ name }) => name)],
    ['runs', inside.passes.map(({ name }) => name)],
    ['needs', pass.needs],
    ['counters', countersWith(pass, standardOps)],
  ];
  const options = Object.entries(optionsOf(pass)).map(
    ([name, { expected }]) => `- option \`${name}\`: ${expected}`,
  );
  const stated = facts
    .filter(([, words]) => words.length > 0)
    .map(([name, words]) => `- ${name}: ${quoted(words)}`);
  const change = shown === undefined ? [] : [code(`${shown.before}\n\n=>\n\n${shown.after}`)];
  const twice = pass.isIdempotent ? ['- a second run changes nothing'] : [];
  return [`## ${title}`, pass.doc, [...stated, ...options, ...twice].join('\n'), ...change];
}

const optionsOf = (pass: Pass): OptionTypes<Record<string, unknown>> =>
  'options' in pass ? (pass.options as OptionTypes<Record<string, unknown>>) : {};

function passPage(): string {
  const named = Object.entries<Pass>(passes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([member, pass]) => passSection(`passes.${member}`, pass, example(member)));
  const levels = ([0, 1, 2, 3] as const).flatMap((level) =>
    passSection(`optimize({ level: ${level} })`, optimize({ level })),
  );
  return [
    '# Passes',
    'Generated from the records of the passes; the examples are the shortest cases of the tests. [Composing a pipeline](guide/composing-a-pipeline.md) shows how to use them; the [specification](spec/passes.md) has the details.',
    '`needs` names the freedoms with rounding and special values that a pass requires, as LLVM’s fast-math flags; without any, results are bit-identical. `counters` are the cases that the report counts.',
    ...named,
    ...levels,
  ].join('\n\n');
}

/** A call with all attributes: `nn.softmax(data, axis=-1)`. */
function signature(name: string): string {
  const info = standardOps.get(name);
  if (info === undefined) return name;
  const inputs = info.inputs.map((input) => input.name);
  const attrs = info.attrs.fields.map(({ name: field, defaultValue }) =>
    defaultValue === undefined ? `${field}=…` : `${field}=${JSON.stringify(defaultValue)}`,
  );
  return `${name}(${[...inputs, ...attrs].join(', ')})`;
}

const cell = (text: string): string => text.replace(/\s+/g, ' ').replace(/\|/g, '\\|');

function operatorPage(): string {
  const rows = standardOps.names.map((name) => {
    const info = standardOps.get(name);
    const fusion = standardOps.read(fusionColumn, name) ?? '';
    const kind = standardOps.read(kindColumn, name) ?? '';
    const onnx = standardOps.read(onnxColumn, name)?.opType ?? '';
    const words = [`\`${signature(name)}\``, info?.doc ?? '', kind, fusion, onnx].map(cell);
    return `| ${words.join(' | ')} |`;
  });
  return [
    '# Operators',
    'Generated from the definitions. An attribute with `…` has no default. `fusion` is the operator’s fusion pattern; `ONNX` is the equivalent operator. The [specification](spec/operators.md) has the types and the formulas, the [API reference](reference/README.md) the builders `ops.*`.',
    ['| call | result | kind | fusion | ONNX |', '|---|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n');
}

it.each([
  ['docs/passes.md', passPage],
  ['docs/operators.md', operatorPage],
] as const)('%s is up to date', (path, make) => {
  const file = join(root, path);
  expectFile(file, `${make()}\n`);
});
