/**
 * Programs whose types come late: what inference accepts runs, computes what it did when it stated
 * more, comes back from its text with the same types, and goes through every pass.
 */
import { type Diagnostic, isLeft, mulberry32, type Random } from '@baton/base';
import { evaluate, type Value } from '@baton/executor';
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
import { type DType, tensor, toNumbers } from '@baton/tensor';
import { parseModule, printModule } from '@baton/text';
import { withLateTypes } from '../late/late.ts';
import { programOf } from '../program.ts';
import { ENROLLED } from './enrolment.ts';

/** How many programs there were. */
export interface LateCount {
  programs: number;
  /** Those that inference accepted with less said. */
  late: number;
  /** Runs of passes. */
  runs: number;
}

const MAX_CALLS = 8;

/** What is wrong with the program of a seed, if anything; counted. */
export function checkLateTypes(seed: number, count: LateCount): string | undefined {
  const language = seed % 3 === 0 ? 'whole' : 'dataflow';
  const emptyAxes = seed % 4 === 0 ? { emptyAxes: 0.3 } : {};
  const { module } = programOf(seed, { language, maxCalls: MAX_CALLS, ...emptyAxes });
  const late = withLateTypes(module, seed);
  count.programs++;
  if (late !== module) count.late++;
  const inputs = inputsOf(module, seed);
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
    if (!sameValue(before.right, value.right))
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

/** What the text of a module changes, if anything; texts that were `seen` are known to be right. */
function textProblem(m: IRModule, seen: Set<string>): string | undefined {
  // Where sizes are free, a node may have been known better than its annotations say: no comments.
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

/** Small numbers of the types of the parameters of `main`, which are tensors of static shapes. */
function inputsOf(m: IRModule, seed: number): ReadonlyArray<Value> {
  const random = mulberry32(seed);
  const main = m.functions.get('main') as Func;
  return main.params.map((p) => inputOf(p.typeAnnotation as Type, random));
}

function inputOf(type: Type, random: Random): Value {
  if (type._tag !== 'TensorType' || '_tag' in type.shape) throw new Error('a tensor is expected');
  const shape = type.shape.filter((dim) => typeof dim === 'number');
  const size = shape.reduce((n, dim) => n * dim, 1);
  const numbers = Array.from({ length: size }, () => random() * 8 - 4);
  return tensor(numbers, shape, type.dtype as DType);
}

/** Whether two values are the same tensors, bit by bit but for the kind of NaN. */
function sameValue(a: Value, b: Value): boolean {
  if (a._tag === 'Tensor' && b._tag === 'Tensor') {
    const [x, y] = [toNumbers(a), toNumbers(b)];
    return (
      a.dtype === b.dtype &&
      a.shape.join() === b.shape.join() &&
      x.every((one, i) => Object.is(one, y[i]))
    );
  }
  if (a._tag !== 'Tuple' || b._tag !== 'Tuple' || a.fields.length !== b.fields.length) return false;
  return a.fields.every((field, i) => sameValue(field, b.fields[i] as Value));
}
