import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isLeft, orThrow } from '@baton/base';
import { checkEquivalent, verify } from '@baton/equivalence';
import { type IRModule, postOrderExprs, structuralEqual, wellFormed } from '@baton/ir';
import { type PassReport, passStatistics, runPass } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { isBlessing, staleText } from '../blessed.ts';
import { type GoldenFile, parseGolden, withExpected } from './format.ts';
import { read, typed } from './read.ts';
import { parseRunLine } from './run-line.ts';
import { expectSameValues } from './same-values.ts';

const folder = new URL('.', import.meta.url);

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ir'))
  .sort();

describe('golden files', () => {
  test('there are some', () => {
    expect(files.length).toBeGreaterThan(0);
  });

  for (const name of files) {
    const path = new URL(name, folder);
    const file = parseGolden(readFileSync(path, 'utf8'));
    const error = file.sections.find(({ kind }) => kind.startsWith('error: '));
    if (error !== undefined) {
      test(`${name} is refused`, () => {
        const found = typed(file.input, name);
        expect(isLeft(found) ? found.left.map((d) => d.code) : []).toContain(error.kind.slice(7));
      });
    } else test(name, () => checkFile(name, path, file));
  }
});

/** Every check of one file: the output itself first, so that a failure shows the whole text. */
function checkFile(name: string, path: URL, file: GoldenFile): void {
  const input = read(file.input, name);
  const pipeline = parseRunLine(file.run);
  const { module: output, report } = orThrow(runPass(pipeline)(input));
  const printed = shown(output);
  const rows = counted(report);
  if (isBlessing) writeFileSync(path, withExpected(file, rows, printed));
  else {
    expect(printed, staleText(path)).toBe(section(file, 'expect')?.trim());
    expect(rows, staleText(path)).toBe(section(file, 'rows')?.trim() ?? '');
  }

  const equal = section(file, 'equal');
  if (equal !== undefined) {
    const wanted = read(equal, `${name} (equal)`);
    expect(printed).toBe(shown(wanted));
    expect(structuralEqual(output, wanted)).toBe(true);
  }
  if (section(file, 'unchanged') !== undefined) expect(output === input).toBe(true);

  for (const m of [input, output]) {
    const again = read(printModule(m), `${name} (printed)`);
    expect(structuralEqual(again, m)).toBe(true);
    expect(printModule(again)).toBe(printModule(m));
  }
  expect(wellFormed(output)).toEqual([]);
  expect(postOrderExprs([...output.functions.values()]).some((e) => e._tag === 'TempExpr')).toBe(
    false,
  );
  if (file.isIdempotent) expect(orThrow(runPass(pipeline)(output)).module === output).toBe(true);
  // Fixed tolerances do not fit programs that compute in a narrower type, or on integers; and one
  // whose numbers are rounded to scales is compared pass by pass, which shows the scales.
  if (report.needs.includes('scaled')) {
    const checked = runPass(pipeline, { instruments: [verify({ when: 'each' })] })(input);
    expect(isLeft(checked) ? checked.left : []).toEqual([]);
  } else if (report.needs.includes('narrow') || report.needs.includes('quantized')) {
    expect(orThrow(checkEquivalent(input, output)).verdict).toBe('equal');
  } else expectSameValues(name, file, input, output);
}

/** The text without the types of expressions, for comparing structure. */
const shown = (m: IRModule): string =>
  printModule(m, { header: false, meta: 'section', showTypes: false }).trim();

/** A rule whose condition does not hold for what it matched. */
const CONDITION = /: refused, condition$/;

/** A line for each row that a pass counted, but for conditions of rules, which only narrow them. */
const counted = (report: PassReport): string =>
  [...passStatistics(report)]
    .flatMap(([name, counts]) =>
      Object.entries(counts)
        .filter(([row]) => !CONDITION.test(row))
        .map(([row, times]) => `${name}: ${row} × ${times}`),
    )
    .sort()
    .join('\n');

const section = (file: GoldenFile, kind: string): string | undefined =>
  file.sections.find((s) => s.kind === kind)?.text;
