/** Programs with late types: they run, print, parse and go through every pass like typed ones. */
import { type Diagnostic, isLeft } from '@baton/base';
import { evaluate, type Value, valuesAgree } from '@baton/executor';
import {
  type Func,
  type IRModule,
  inferTypes,
  structuralEqual,
  type Type,
  typeEqual,
  typeOf,
} from '@baton/ir';
import { standardOps as ops } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { parseModule, printModule } from '@baton/text';
import { withLateTypes } from '../late-types/with-late-types.ts';
import { programOf } from '../program.ts';
import { ENROLLED } from './enrolment.ts';
import { inputsFor } from './inputs.ts';

export interface LateCount {
  programs: number;
  /** The programs that inference accepted with fewer annotations. */
  late: number;
  runs: number;
}

const MAX_CALLS = 8;

export function checkLateTypes(seed: number, count: LateCount): string | undefined {
  const language = seed % 3 === 0 ? 'whole' : 'dataflow';
  const emptyAxes = seed % 4 === 0 ? { emptyAxes: 0.3 } : {};
  const { module } = programOf(seed, { language, maxCalls: MAX_CALLS, ...emptyAxes });
  const late = withLateTypes(module, seed);
  count.programs++;
  if (late !== module) count.late++;
  const inputs = inputsFor(module.functions.get('main') as Func, seed);
  try {
    return problemOf(module, late, inputs, count);
  } catch (error) {
    return `threw ${error instanceof Error ? error.message : error}\n${printModule(late)}`;
  }
}

function problemOf(
  module: IRModule,
  late: IRModule,
  inputs: ReadonlyArray<Value>,
  count: LateCount,
): string | undefined {
  const [before, value] = [evaluate(module, inputs), evaluate(late, inputs)];
  if (!isLeft(before)) {
    if (isLeft(value)) return told('with less said it fails', value.left, late);
    if (!valuesAgree(before.right, value.right))
      return told('with less said it gives else', [], late);
  }
  const seen = new Set<string>();
  const text = textProblem(late, seen);
  if (text !== undefined) return told(text, [], late);
  for (const { name, pass } of ENROLLED) {
    count.runs++;
    const made = runPass(pass, { level: 9 })(late);
    if (isLeft(made)) return told(`${name} fails`, made.left, late);
    const after = made.right.module;
    if (after === late) continue;
    const problem = textProblem(after, seen);
    if (problem !== undefined) return told(`after ${name} ${problem}`, [], late);
    const again = evaluate(after, inputs);
    if (isLeft(again) && !isLeft(value)) return told(`after ${name} it fails`, again.left, late);
  }
  return undefined;
}

const told = (what: string, reasons: ReadonlyArray<Diagnostic>, m: IRModule): string =>
  `${[what, ...reasons.map((d) => `${d.code}: ${d.message}`)].join('; ')}\n${printModule(m)}`;

/** The change by a round trip of a module's text, if any; `seen` texts are known to be right. */
function textProblem(m: IRModule, seen: Set<string>): string | undefined {
  // If sizes are free, a node's type may be better known than its annotations say: no comments.
  const text = printModule(m, { showTypes: false });
  if (seen.has(text)) return undefined;
  const parsed = parseModule(text, { ops });
  if (isLeft(parsed)) return `its text is refused: ${parsed.left[0].message}`;
  const inferred = inferTypes(parsed.right);
  if (isLeft(inferred)) return `its text does not infer: ${inferred.left[0].message}`;
  const again = inferred.right;
  for (const [name, f] of m.functions) {
    const [one, other] = [typeOf(m, f), typeOfGlobal(again, name)];
    if (one === undefined || other === undefined || !typeEqual(one, other)) {
      return `@${name} has another type when it is read again`;
    }
  }
  if (!structuralEqual(again, m)) return 'its text says something else';
  seen.add(text);
  return printModule(again, { showTypes: false }) === text ? undefined : 'its text is no fixpoint';
}

function typeOfGlobal(m: IRModule, name: string): Type | undefined {
  const f = m.functions.get(name);
  return f === undefined ? undefined : typeOf(m, f);
}
