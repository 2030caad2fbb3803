/** Runs a case on its paths, and compares it with the reference. */
import { fnv1a32, isLeft, mulberry32, orThrow } from '@baton/base';
import { elementNumber } from '@baton/onnx';
import type { Runtime } from '../onnxruntime/installed.ts';
import { differences } from './compare.ts';
import { type Case, type Feeds, graphOf, referenceBytes } from './model.ts';
import { disturbedRuns } from './noise.ts';
import { isOutside } from './outside.ts';
import { type Answer, answerOf, type FaultKind, makeWork, type Path, type Work } from './paths.ts';

export interface Finding {
  readonly path: string;
  /** Whether the open dimensions had sizes. */
  readonly isSized: boolean;
  readonly kind: FaultKind;
  /** The outputs that differ; none for a fault of the complete path. */
  readonly outputs: ReadonlyArray<string>;
  readonly detail: string;
}

export interface Refusal {
  readonly path: string;
  readonly isSized: boolean;
  readonly code: string;
  readonly detail: string;
}

export type Checked =
  /** The reference refuses the model: the generator's mistake, or a limit of onnxruntime. */
  | { readonly _tag: 'Skipped'; readonly reason: string }
  | {
      readonly _tag: 'Checked';
      readonly findings: ReadonlyArray<Finding>;
      readonly refusals: ReadonlyArray<Refusal>;
      /** The paths that ran, each with the variant. */
      readonly ran: ReadonlyArray<string>;
    };

export const pathName = (path: string, isSized: boolean): string =>
  isSized ? path : `open ${path}`;

/** Sends a case through the paths, with its sizes known and, if it has open ones, as it is. */
export async function checkCase(
  subject: Case,
  paths: ReadonlyArray<Path>,
  runtime: Runtime,
  luck = '',
): Promise<Checked> {
  const reference = await referenceOf(subject, runtime);
  if (reference._tag === 'Skipped') return reference;
  const results: Tally = { findings: [], refusals: [], ran: [] };
  const variants = subject.samples.length > 1 ? [true, false] : [true];
  const next = mulberry32(fnv1a32(luck));
  const count = graphOf(subject.model).nodes.length;
  for (const isSized of variants) {
    const work = makeWork(subject, runtime, isSized);
    const good = new Set<string>();
    for (const path of paths) {
      const isDrawn = next() < path.share;
      const fits = count <= (path.nodes ?? count) && (isSized || path.open);
      if (!isDrawn || !fits) continue;
      const isReached = path.base === undefined || isPassed(path.base, paths, good, isSized);
      // A fault of a path in `kin` explains this one.
      const isExplained = results.findings.some(
        (one) => one.path === path.name || path.kin?.includes(one.path),
      );
      if (isReached && !isExplained)
        await follow(path, { work, isSized, reference, results, good });
    }
  }
  return { _tag: 'Checked', ...results };
}

/** Whether the nearest base that this variant takes was right. */
function isPassed(
  base: string,
  paths: ReadonlyArray<Path>,
  good: ReadonlySet<string>,
  isSized: boolean,
): boolean {
  const path = paths.find(({ name }) => name === base);
  if (path === undefined) return true;
  if (isSized || path.open) return good.has(base) || path.share < 1;
  return path.base === undefined || isPassed(path.base, paths, good, isSized);
}

interface Tally {
  readonly findings: Finding[];
  readonly refusals: Refusal[];
  readonly ran: string[];
}

interface Way {
  readonly work: Work;
  readonly isSized: boolean;
  readonly reference: Reference;
  readonly results: Tally;
  readonly good: Set<string>;
}

async function follow(path: Path, { work, isSized, reference, results, good }: Way): Promise<void> {
  const answer = await answerOf(path, work);
  if (answer._tag === 'Refused') {
    results.refusals.push({ path: path.name, isSized, code: answer.code, detail: answer.detail });
    return;
  }
  results.ran.push(pathName(path.name, isSized));
  const fault = await faultIn(answer, reference);
  if (fault === undefined) good.add(path.name);
  else results.findings.push({ path: path.name, isSized, ...fault });
}

/** The expected outputs of the samples, and those of runs under noise, made when they are needed. */
interface Reference {
  readonly _tag: 'Reference';
  readonly wanted: ReadonlyArray<Feeds>;
  /** `undefined` if the model computes something that is not defined. */
  readonly noise: (sample: number) => Promise<ReadonlyArray<Feeds> | undefined>;
}

/** The reference's outputs, or why there are none. */
export async function referenceOf(
  { model, samples }: Case,
  runtime: Runtime,
): Promise<Reference | Extract<Checked, { readonly _tag: 'Skipped' }>> {
  const found = await runtime.run(referenceBytes(model), samples);
  if (isLeft(found)) return { _tag: 'Skipped', reason: found.left[0].message };
  const wanted = found.right;
  const untrue = wanted
    .map((values) => untrueOutput(model, values))
    .find((name) => name !== undefined);
  if (untrue !== undefined)
    return { _tag: 'Skipped', reason: `the model states another type of ${untrue}` };
  const made = new Map<number, Promise<ReadonlyArray<Feeds> | undefined>>();
  const noise = (sample: number): Promise<ReadonlyArray<Feeds> | undefined> => {
    const found = made.get(sample) ?? noiseOf(runtime, { model, samples, dims: {} }, sample);
    made.set(sample, found);
    return found;
  };
  return { _tag: 'Reference', wanted, noise };
}

function untrueOutput(model: Case['model'], values: Feeds): string | undefined {
  return graphOf(model).outputs.find(({ name, type }) => {
    const value = values.get(name);
    if (value === undefined || type?._tag !== 'Tensor') return value === undefined;
    const isFit =
      type.shape?.every((dim, axis) => typeof dim !== 'number' || dim === value.shape[axis]) ??
      true;
    const isRanked = type.shape === undefined || type.shape.length === value.shape.length;
    return !isFit || !isRanked || type.elemType !== elementNumber(value.dtype);
  })?.name;
}

async function noiseOf(
  runtime: Runtime,
  { model, samples }: Case,
  sample: number,
): Promise<ReadonlyArray<Feeds> | undefined> {
  const feeds = samples[sample] ?? new Map();
  const values = await observed(model, feeds, runtime);
  return isOutside(model, values) ? undefined : disturbedRuns(runtime, model, feeds, values);
}

/** Every value of the top level of a model in the reference, by name. */
export async function observed(
  model: Case['model'],
  feeds: Feeds,
  runtime: Runtime,
): Promise<Feeds> {
  const graph = graphOf(model);
  const names = graph.nodes.flatMap(({ outputs }) => outputs).filter((name) => name !== '');
  // onnxruntime refuses a model that computes nothing.
  if (names.length === 0) return feeds;
  const outputs = names.map((name) => ({ name, type: undefined }));
  const bytes = referenceBytes({ ...model, graph: { ...graph, outputs } });
  const [values = new Map()] = orThrow(await runtime.run(bytes, [feeds]));
  return new Map([...feeds, ...values]);
}

type Fault = Pick<Finding, 'kind' | 'outputs' | 'detail'>;

async function faultIn(
  answer: Exclude<Answer, { readonly _tag: 'Refused' }>,
  reference: Reference,
): Promise<Fault | undefined> {
  if (answer._tag === 'Wrong') return { kind: answer.kind, outputs: [], detail: answer.detail };
  const { signature } = answer;
  const asSigned: Fault | undefined =
    signature === undefined ? undefined : { kind: 'signature', outputs: [], detail: signature };
  // Outputs under other names, or fewer of them, cannot be compared.
  if (signature?.startsWith('output name') || signature?.startsWith('number')) return asSigned;
  for (const [i, found] of answer.runs.entries()) {
    const wanted = reference.wanted[i] ?? new Map();
    if (differences(found, wanted).length === 0) continue;
    const noise = await reference.noise(i);
    if (noise === undefined) continue;
    const real = differences(found, wanted, noise);
    const [first] = real;
    if (first === undefined) continue;
    const detail = `${first.output}: ${first.detail}${i === 0 ? '' : ', in the second size'}`;
    return { kind: first.kind, outputs: real.map(({ output }) => output), detail };
  }
  return asSigned;
}
