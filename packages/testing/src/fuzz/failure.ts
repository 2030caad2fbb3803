/** Failures of a fuzz run: reduced, written to files, and read back. */
import { isLeft, orThrow } from '@baton/base';
import { type Reduction, reduce } from '@baton/equivalence';
import type { Executor } from '@baton/executor';
import { type IRModule, inferTypes } from '@baton/ir';
import { standardOps } from '@baton/ops';
import type { Pass } from '@baton/pass-manager';
import { parseModule, printModule } from '@baton/text';
import { passByName } from './enrolment.ts';
import { baselineOf, checkProperties, type Violation } from './properties.ts';

/** A program on which a pass, or a sequence of passes, breaks a property. */
export interface Failure {
  /** A name in `ENROLLED`, or several such names separated by commas. */
  readonly pass: string;
  readonly seed: number;
  readonly violation: Violation;
  readonly module: IRModule;
}

export interface CorpusEntry {
  readonly pass: string;
  readonly seed: number;
  readonly property: string;
  readonly module: IRModule;
}

/** The same failure on the smallest program found, for the pass of this name. */
export function reduceFailure(
  failure: Failure,
  pass: Pass | undefined = passByName(failure.pass),
  executor?: Executor,
): { failure: Failure; reduction: Reduction } {
  const { property } = failure.violation;
  let violation = failure.violation;
  const stillFails = (m: IRModule): boolean => {
    const found = pass && violationOn(pass, m, failure.seed, executor);
    if (found?.property !== property) return false;
    violation = found;
    return true;
  };
  // A failure depends only on program and seed, so it shows again.
  const reduction = orThrow(reduce(failure.module, stillFails));
  const { module } = reduction;
  const last = pass && violationOn(pass, module, failure.seed, executor);
  return { failure: { ...failure, violation: last ?? violation, module }, reduction };
}

/** The first property that a pass breaks on a program, with the inputs of a seed. */
export function violationOn(
  pass: Pass,
  m: IRModule,
  seed: number,
  executor?: Executor,
): Violation | undefined {
  const base = baselineOf(m, seed, executor);
  if (base === undefined) return undefined;
  return checkProperties(pass, base, { checkDeterminism: true }).violation;
}

const HEADER = '#[version = "0.0.5"]';
const FIRST_LINE = /^\/\/ FUZZ (.+?); seed (-?\d+); (.+)$/m;

export function writeFailure({ pass, seed, violation, module }: Failure): string {
  const detail = violation.detail.replaceAll(/\s+/g, ' ');
  const text = printModule(module, { header: false, showTypes: false, meta: 'section' });
  return `// FUZZ ${pass}; seed ${seed}; ${violation.property}\n// ${detail}\n${text}`;
}

export function readCorpusEntry(text: string): CorpusEntry | string {
  const [, pass, seed, property] = FIRST_LINE.exec(text) ?? [];
  if (pass === undefined || property === undefined)
    return 'there is no line "// FUZZ pass; seed N; property"';
  const parsed = parseModule(`${HEADER}\n${text}`, { ops: standardOps, source: 'corpus' });
  const typed = isLeft(parsed) ? parsed : inferTypes(parsed.right);
  if (isLeft(typed)) return typed.left[0].message;
  return { pass, seed: Number(seed), property, module: typed.right };
}

export const fileNameOf = ({ pass, seed }: Failure): string =>
  `${pass.includes(',') ? 'sequence' : pass.replaceAll(/[^a-zA-Z0-9]+/g, '-')}-${seed}.ir`;
