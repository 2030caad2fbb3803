import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { andThen, isLeft, ok, orThrow, type Result } from '@baton/base';
import type { IRModule } from '@baton/ir';
import { decodeModel, exportOnnx, importOnnx, readTensorFile } from '@baton/onnx';
import { standardOps } from '@baton/ops';
import { allClose, describeTensor, type Tensor } from '@baton/tensor';
import { describe, expect, test } from 'vitest';
import { corpus } from './helpers/corpus.ts';
import { withFreeInputs } from './helpers/free.ts';
import { diagnosticText, mainOf } from './helpers/import.ts';
import { run } from './helpers/run.ts';

/** The result of one test of the corpus. */
type Outcome =
  | { readonly _tag: 'Passed' }
  | { readonly _tag: 'Lacking'; readonly reasons: ReadonlyArray<string> }
  | { readonly _tag: 'Failed'; readonly reason: string };

/** The tensors of a test's data set whose names have this prefix, in order, or a read error. */
function tensors(directory: string, prefix: string): Result<ReadonlyArray<Tensor>> {
  const data = join(directory, 'test_data_set_0');
  const index = (name: string): number => Number.parseInt(name.slice(prefix.length), 10);
  const read: Tensor[] = [];
  for (const name of readdirSync(data)
    .filter((name) => name.startsWith(prefix))
    .sort((a, b) => index(a) - index(b))) {
    const tensor = readTensorFile(readFileSync(join(data, name)));
    if (isLeft(tensor)) return tensor;
    read.push(tensor.right);
  }
  return ok(read);
}

/** The ways of a model through a test: as it is, unless changed. */
interface Way {
  readonly change?: (file: Uint8Array) => Uint8Array;
  /** What is run in place of the imported module. */
  readonly through?: (m: IRModule) => Result<IRModule>;
}

/** The result of a test on this way. */
function outcomeOf(directory: string, { change = (f) => f, through = ok }: Way = {}): Outcome {
  const file = change(readFileSync(join(directory, 'model.onnx')));
  const [given, wanted] = [tensors(directory, 'input_'), tensors(directory, 'output_')];
  for (const data of [given, wanted]) {
    if (isLeft(data)) return { _tag: 'Lacking', reasons: data.left.map(diagnosticText) };
  }
  const [inputs, expected] = [orThrow(given), orThrow(wanted)];
  const names = orThrow(decodeModel(file)).graph?.inputs.map((input) => input.name) ?? [];
  const options = { ops: standardOps, source: 'model' };
  let result = importOnnx(file, options);
  let args = inputs;
  if (isLeft(result) && result.left.some((d) => d.code === 'ONNX_NOT_CONSTANT')) {
    // Axes, shapes and the like are inputs in many of these tests; real models have constants.
    const first = names.length > 1 ? 1 : 0;
    const bound = names.slice(first).map((name, i) => [name, inputs[first + i]] as const);
    const known = bound.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    result = importOnnx(file, { ...options, constants: Object.fromEntries(known) });
    args = inputs.slice(0, first);
  }
  if (isLeft(result)) return { _tag: 'Lacking', reasons: result.left.map(diagnosticText) };
  const passed = through(result.right);
  if (isLeft(passed)) return { _tag: 'Lacking', reasons: passed.left.map(diagnosticText) };
  let found: ReadonlyArray<Tensor>;
  try {
    found = run(mainOf(passed.right), args);
  } catch (error) {
    return { _tag: 'Failed', reason: String(error) };
  }
  const wrong = expected.findIndex((tensor, i) => !matches(found[i], tensor));
  if (wrong < 0) return { _tag: 'Passed' };
  const [is, not] = [found[wrong], expected[wrong]].map((t) =>
    t === undefined ? 'nothing' : describeTensor(t),
  );
  return { _tag: 'Failed', reason: `output ${wrong} is ${is}, not ${not}` };
}

const matches = (found: Tensor | undefined, expected: Tensor): boolean =>
  found !== undefined &&
  found.dtype === expected.dtype &&
  allClose(found, expected, { atol: 1e-6, rtol: TOLERANCE[found.dtype] ?? 1e-3 });

/** Halves are compared by their last bits: the expected values round after each step, too. */
const TOLERANCE: Readonly<Record<string, number>> = { float16: 2 ** -8, bfloat16: 2 ** -6 };

/** The codes of refusals for unsupported features. */
const REFUSALS = /^ONNX_(UNSUPPORTED|NOT_CONSTANT|ELEMENT_TYPE|INPUT_TYPE)/;

describe.runIf(corpus !== undefined)("ONNX's own tests of single operators", () => {
  test.each([
    ['node', 531],
    ['node-expanded', 189],
  ] as const)('in %s: what is imported computes what is expected', (group, least) => {
    const root = join(corpus ?? '', group);
    const outcomes = readdirSync(root).map((name) => [name, outcomeOf(join(root, name))] as const);
    const failed = failures(outcomes);
    const reasons = outcomes.flatMap(([, outcome]) =>
      outcome._tag === 'Lacking' ? outcome.reasons : [],
    );
    const passed = outcomes.filter(([, outcome]) => outcome._tag === 'Passed').length;
    const operators = reasons.flatMap(
      (text) => /operator (\S+) is not imported/.exec(text)?.[1] ?? [],
    );
    console.log(
      `${group}: ${passed} of ${outcomes.length} pass; operators not yet imported: ${[
        ...new Set(operators),
      ]
        .sort()
        .join(' ')}`,
    );
    expect(failed).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(least);
    // A file of the corpus is never damaged: a refusal always reports an unsupported feature.
    const odd = reasons.filter((text) => !REFUSALS.test(text));
    expect(odd).toEqual([]);
  });

  test.each([
    ['node', 486],
    ['node-expanded', 104],
  ] as const)(
    'O.1 in %s, with every dimension free: what is imported computes what is expected',
    (group, least) => {
      const root = join(corpus ?? '', group);
      const outcomes = readdirSync(root).map(
        (name) => [name, outcomeOf(join(root, name), { change: withFreeInputs })] as const,
      );
      const passed = outcomes.filter(([, outcome]) => outcome._tag === 'Passed').length;
      console.log(`${group}, with every dimension free: ${passed} of ${outcomes.length} pass`);
      expect(failures(outcomes)).toEqual([]);
      expect(passed).toBeGreaterThanOrEqual(least);
      // A refusal names a missing operator, or the sizes to give.
      const odd = outcomes.flatMap(([name, outcome]) =>
        outcome._tag === 'Lacking'
          ? outcome.reasons.filter((text) => !REFUSALS.test(text)).map((text) => `${name}: ${text}`)
          : [],
      );
      expect(odd).toEqual([]);
    },
  );
});

describe.runIf(corpus !== undefined)("ONNX's own tests, exported and imported again", () => {
  test.each([
    ['node', 530],
    ['node-expanded', 188],
  ] as const)('in %s: what comes back computes what is expected', (group, least) => {
    const root = join(corpus ?? '', group);
    const again = (m: IRModule): Result<IRModule> =>
      andThen(exportOnnx(m), (bytes) => importOnnx(bytes, { ops: standardOps, source: 'again' }));
    const outcomes = readdirSync(root).map(
      (name) => [name, outcomeOf(join(root, name), { through: again })] as const,
    );
    const passed = outcomes.filter(([, outcome]) => outcome._tag === 'Passed').length;
    const lost = outcomes.flatMap(([name, outcome]) =>
      outcome._tag === 'Lacking'
        ? outcome.reasons
            .filter((text) => /ONNX_EXPORT|again/.test(text))
            .map((r) => `${name}: ${r}`)
        : [],
    );
    console.log(
      `${group}, exported: ${passed} of ${outcomes.length} pass; lost: ${lost.join('; ')}`,
    );
    expect(failures(outcomes)).toEqual([]);
    expect(passed).toBeGreaterThanOrEqual(least);
  });
});

const failures = (outcomes: ReadonlyArray<readonly [string, Outcome]>): ReadonlyArray<string> =>
  outcomes.flatMap(([name, outcome]) =>
    outcome._tag === 'Failed' ? [`${name}: ${outcome.reason}`] : [],
  );
