import { readFileSync } from 'node:fs';
import * as baton from 'batonjs';
import { expect, it } from 'vitest';

const index = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8');

/** The exports of the index by its lists: types are marked, and a namespace ends in a dot. */
function names(): ReadonlyArray<string> {
  const listed = [...index.matchAll(/export (type )?\{([^}]*)\}/g)].flatMap(([, type = '', list]) =>
    (list ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => `${type}${name}`),
  );
  const spaces = [...index.matchAll(/export \* as (\w+) from/g)].map((match) => `${match[1]}.`);
  return [...listed, ...spaces].sort(byName);
}

const bare = (name: string): string => name.replace(/^type /, '').replace(/\.$/, '');
const byName = (a: string, b: string): number => (bare(a) < bare(b) ? -1 : 1);

// The list is reviewed text: users may rely on its names.
it('U.17 the facade exports the names that were reviewed, one by one', async () => {
  await expect(`${names().join('\n')}\n`).toMatchFileSnapshot('names.txt');
});

it('U.17 exports nothing but what is listed', () => {
  const values = names().filter((name) => !name.startsWith('type '));
  expect(Object.keys(baton).sort()).toEqual(values.map(bare).sort());
});

it('the public names of the architecture stay importable', () => {
  for (const name of PUBLIC) expect(baton, name).toHaveProperty(name);
});

const PUBLIC = [
  'parseModule',
  'parseExpr',
  'printModule',
  'printExpr',
  'inferTypes',
  'typeOf',
  'structuralEqual',
  'tensor',
  'evaluate',
  'importOnnx',
  'optimize',
  'sequential',
  'runPass',
  'withContext',
  'passes.foldConstant',
  'checkEquivalent',
  'verify',
  'orThrow',
  'standardOps',
  'egraph.EGraph',
  'egraph.rewrite',
  'egraph.run',
];
