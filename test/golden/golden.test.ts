import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isLeft, orThrow, renderDiagnostics } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
import { type IRModule, inferTypes, postOrderExprs, structuralEqual, wellFormed } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { type PassReport, passStatistics, runPass } from '@baton/pass-manager';
import { allClose, printShape } from '@baton/tensor';
import { parseModule, printModule } from '@baton/text';
import { describe, expect, test } from 'vitest';
import { type GoldenFile, parseGolden, withExpected } from './format.ts';
import { inputsFor } from './inputs.ts';
import { parseRunLine } from './run-line.ts';

const HEADER = '#[version = "0.0.5"]';
const folder = new URL('.', import.meta.url);
const isBlessing = process.env.BATON_BLESS === '1';

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
    expect(printed).toBe(section(file, 'expect')?.trim());
    expect(rows).toBe(section(file, 'rows')?.trim() ?? '');
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
  expectSameValues(name, file, input, output);
}

function expectSameValues(name: string, file: GoldenFile, input: IRModule, output: IRModule): void {
  const main = input.functions.get('main');
  if (main === undefined) throw new Error('a golden program has a main');
  const args = inputsFor(main, name, file.positive);
  const before = leaves(orThrow(evaluate(input, args)));
  const after = leaves(orThrow(evaluate(output, args)));
  expect(after.length).toBe(before.length);
  for (const [at, wanted] of before.entries()) {
    const found = after[at];
    if (wanted._tag !== 'Tensor') expect(found?._tag).toBe(wanted._tag);
    else if (found?._tag !== 'Tensor') expect(found?._tag).toBe('Tensor');
    else {
      const tolerance = wanted.dtype === 'float16' ? 1e-2 : 1e-4;
      const agree = allClose(found, wanted, { rtol: tolerance, atol: tolerance });
      expect(agree, `result ${at} of shape ${printShape(wanted.shape)}`).toBe(true);
    }
  }
}

/** The tensors and closures of a value, tuples taken apart. */
function leaves(value: Value): ReadonlyArray<Value> {
  const found: Value[] = [];
  const pending = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next._tag === 'Tuple') pending.push(...next.fields);
    else found.push(next);
  }
  return found;
}

/** A program with its types; the header may be missing. */
function typed(text: string, source: string) {
  const whole = text.includes(HEADER) ? text : `${HEADER} ${text}`;
  const parsed = parseModule(whole, { ops: standardOps, source });
  return isLeft(parsed) ? parsed : inferTypes(parsed.right);
}

function read(text: string, source: string): IRModule {
  const found = typed(text, source);
  if (isLeft(found)) throw new Error(renderDiagnostics(found.left));
  return found.right;
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
