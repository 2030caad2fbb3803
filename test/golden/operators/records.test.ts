/** How much an operator's definition states: the rest follows from its form and its kind of work. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { standardOps } from '@baton/ops';
import { parseSync } from '@swc/core';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const sources = new URL('../../../packages/ops/src/', import.meta.url);

/** The fields of each record in the file of an operator; a spread counts as one. */
function writtenFields(path: string): number {
  const { body } = parseSync(readFileSync(new URL(path, sources), 'utf8'), {
    syntax: 'typescript',
  });
  for (const item of body) {
    if (item.type !== 'ExportDeclaration' || item.declaration.type !== 'VariableDeclaration')
      continue;
    for (const { init } of item.declaration.declarations) {
      const record = init?.type === 'CallExpression' ? init.arguments[0]?.expression : undefined;
      if (record?.type === 'ObjectExpression') return record.properties.length;
    }
  }
  throw new Error(`${path} exports no record`);
}

/** The fields that `defineOp` receives for each operator, spreads and families included. */
async function receivedFields(): Promise<ReadonlyMap<string, number>> {
  const file = fileURLToPath(new URL('define-op.ts', sources));
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './standard-ops.ts'; export { counted } from './define-op.ts';`,
      resolveDir: fileURLToPath(sources),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    conditions: ['baton-source'],
    plugins: [
      {
        name: 'counts records',
        setup: ({ onLoad }) =>
          onLoad({ filter: /\/ops\/src\/define-op\.ts$/ }, () => ({
            loader: 'ts',
            contents: readFileSync(file, 'utf8')
              .replace('const definition = completed(stated);', '$& counted.push(stated);')
              .concat('\nexport const counted: unknown[] = [];'),
          })),
      },
    ],
  });
  const [bundle] = outputFiles;
  const { counted } = (await import(
    `data:text/javascript;base64,${Buffer.from(bundle?.text ?? '').toString('base64')}`
  )) as { readonly counted: ReadonlyArray<{ readonly name: string }> };
  return new Map(
    counted.map((record) => [
      record.name,
      Object.values(record).filter((field) => field !== undefined).length,
    ]),
  );
}

const median = (counts: ReadonlyArray<number>): number =>
  [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 0;

test('the record of an operator states few fields', () => {
  const paths = readdirSync(new URL('ops/', sources), { recursive: true, encoding: 'utf8' });
  const counts = paths
    .filter((path) => path.endsWith('.ts'))
    .map((path) => writtenFields(`ops/${path}`));
  expect(counts).toHaveLength(standardOps.names.length);
  expect(median(counts)).toBeLessThanOrEqual(7);
  expect(Math.max(...counts)).toBeLessThanOrEqual(14);
});

test('with what its family adds, it still states few', async () => {
  const received = await receivedFields();
  expect([...received.keys()].sort()).toEqual([...standardOps.names].sort());
  expect(median([...received.values()])).toBeLessThanOrEqual(10);
  // The loss has a fusion pattern, a domain and a definition of its own.
  const long = [...received].filter(([, count]) => count > 14);
  expect(long).toEqual([['nn.nll_loss', 16]]);
});
