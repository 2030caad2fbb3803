/**
 * The tables of `docs/onnx.md` are the catalogues of the import and the export. `pnpm bless` writes
 * them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitionColumn, onnxColumn, standardOps } from '@baton/ops';
import { it } from 'vitest';
import { onnxExporters, onnxImporters } from '../../packages/onnx/src/catalogue.ts';
import { factsOf } from '../../packages/onnx/src/schemas/schemas.ts';
import { expectFile } from '../blessed.ts';
import { root } from './pages.ts';

const file = join(root, 'docs/onnx.md');

/** The names of Baton's operators by their names in ONNX. */
const renamed = new Map(
  standardOps.names.flatMap((name) => {
    const form = standardOps.read(onnxColumn, name);
    return form === undefined ? [] : [[form.opType, name] as const];
  }),
);

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

const imports = (): string => {
  const rows = [...onnxImporters.values()].map((operator) => {
    const { domain = '', opType, kernelSince, kernelWhen } = operator;
    const own = domain === '' ? renamed.get(opType) : undefined;
    const kept = kernelWhen === undefined ? 'composite' : 'composite if dynamic';
    const composite = kernelSince === undefined ? '' : kept;
    return [
      domain === '' ? opType : `${domain}.${opType}`,
      factsOf(operator).versions.join(', '),
      own === undefined ? composite : `\`${own}\``,
    ];
  });
  const ordered = rows.sort(([a = ''], [b = '']) => a.localeCompare(b, 'en'));
  return table(['operator', 'versions', 'becomes'], ordered);
};

const exports = (): string =>
  table(
    ['operator', 'becomes'],
    standardOps.names.map((name) => {
      const form = standardOps.read(onnxColumn, name);
      const cases = standardOps.read(definitionColumn, name);
      const isDefined = Array.isArray(cases) && cases.every(({ isExact }) => isExact);
      const written = onnxExporters.has(name) ? 'nodes' : isDefined ? 'its definition' : '—';
      return [`\`${name}\``, form?.opType ?? written];
    }),
  );

/** The page with each table between its marks. */
const withTables = (page: string): string =>
  Object.entries({ imports, exports }).reduce(
    (text, [name, made]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`),
        (_, start, end) => `${start}\n${made()}\n\n${end}`,
      ),
    page,
  );

it('the tables of docs/onnx.md are up to date', () => {
  expectFile(file, withTables(readFileSync(file, 'utf8')));
});
