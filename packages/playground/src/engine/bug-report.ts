/** Describes a pipeline's fault on the smallest program that shows it. */
import { isLeft, type Limits, type Result, renderDiagnostics, right, VERSION } from '@baton/base';
import * as check from '@baton/equivalence';
import type { IRModule } from '@baton/ir';
import { sequential } from '@baton/pass-manager';
import { printModule } from '@baton/text';
import type { BugReport, Step } from '../protocol.ts';
import { passOf } from './catalogue.ts';

/** The most programs to try, and the most characters of a program in a report. */
const MOST_TRIED = 1_000;
const MOST_CHARACTERS = 60_000;

/** Runs the enabled steps, and shrinks the program as long as they have the same fault. */
export function bugReport(
  m: IRModule,
  steps: ReadonlyArray<Step>,
  limits: Limits,
  progress: (text: string) => void,
): Result<BugReport> {
  const chosen = [];
  for (const step of steps.filter(({ isOn }) => isOn)) {
    const pass = passOf(step);
    if (isLeft(pass)) return pass;
    chosen.push(pass.right);
  }
  const pipeline = sequential(chosen, { name: 'pipeline' });
  progress('running the pipeline');
  const fault = check.faultOf(pipeline, m);
  if (fault === undefined) return right({ ...ended(m), fault: undefined, detail: '', tried: 0 });
  let tried = 0;
  const stillFails = (smaller: IRModule): boolean => {
    if (limits.shouldStop?.() === true) return false;
    progress(`shrinking the program (${++tried} tried)`);
    return check.faultOf(pipeline, smaller)?.kind === fault.kind;
  };
  const found = check.reduce(m, stillFails, { maxAttempts: MOST_TRIED });
  if (isLeft(found)) return found;
  const last = check.faultOf(pipeline, found.right.module) ?? fault;
  return right({
    ...ended(found.right.module),
    fault: last.sentence,
    detail: last.problems.map((problem) => renderDiagnostics([problem])).join('\n'),
    tried,
  });
}

function ended(m: IRModule): Pick<BugReport, 'program' | 'version'> {
  const text = printModule(m, { showTypes: false });
  const program =
    text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n// … cut here`;
  return { program: program.trimEnd(), version: VERSION };
}
