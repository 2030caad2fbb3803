/** `pnpm reduce FILE --pass P`: prints the smallest program on which a pass still goes wrong. */
import { readFileSync } from 'node:fs';
import { isLeft, renderDiagnostics } from '@baton/base';
import { readCommandLine } from '@baton/cli';
import { inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import { ENROLLED, passByName, reduceFailure, violationOn, writeFailure } from '@baton/testing';
import { parseModule } from '@baton/text';
import { begin } from '../begin.ts';

const USAGE = 'pnpm reduce FILE --pass P [--seed S]';

const OPTIONS = { pass: { type: 'string' }, seed: { type: 'string' } } as const;

const EXIT_NOTHING_WRONG = 1;
const EXIT_USAGE = 2;

const HEADER = '#[version = "0.0.5"]';

function main(): number {
  const line = readCommandLine(process.argv.slice(2), OPTIONS, { takesOperands: true });
  if (typeof line === 'string') {
    process.stderr.write(`${line}\n\n${USAGE}\n`);
    return EXIT_USAGE;
  }
  const { values, positionals } = line;
  const [file] = positionals;
  const name = values.pass ?? '';
  const pass = passByName(name);
  const seed = Number(values.seed ?? 0);
  if (file === undefined || pass === undefined || !Number.isInteger(seed)) {
    const names = ENROLLED.map((e) => e.name).join(', ');
    process.stderr.write(`${USAGE}\nP is one of ${names}, or several, separated by commas\n`);
    return EXIT_USAGE;
  }
  const written = readFileSync(file, 'utf8');
  const text = written.includes(HEADER) ? written : `${HEADER}\n${written}`;
  const parsed = parseModule(text, { ops: standardOps, source: file });
  const typed = isLeft(parsed) ? parsed : inferTypes(parsed.right);
  if (isLeft(typed)) {
    process.stderr.write(renderDiagnostics(typed.left));
    return EXIT_USAGE;
  }
  const violation = violationOn(pass, typed.right, seed);
  if (violation === undefined) {
    process.stdout.write(`${name} keeps every property on ${file} (inputs from seed ${seed})\n`);
    return EXIT_NOTHING_WRONG;
  }
  const { failure, reduction } = reduceFailure({
    pass: name,
    seed,
    violation,
    module: typed.right,
  });
  process.stdout.write(writeFailure(failure));
  process.stderr.write(
    `${reduction.calls} operator calls left after ${reduction.attempts} programs (${reduction.stop})\n`,
  );
  return 0;
}

await begin(main);
