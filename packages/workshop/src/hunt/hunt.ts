/** One graph of the hunt: made, sent through the paths, and its findings reduced and written. */
import type { Runtime } from '../onnxruntime/installed.ts';
import {
  type Checked,
  checkCase,
  type Finding,
  pathName,
  type Refusal,
  referenceOf,
} from './check.ts';
import { type Origin, writeFinding } from './files.ts';
import { generate } from './generate.ts';
import { type Case, graphOf } from './model.ts';
import type { Path } from './paths.ts';
import { reduce, shapeOfText } from './reduce.ts';

export interface Found {
  readonly finding: Finding;
  /** The path, the kind of fault, and the operators of the smallest graph. */
  readonly kind: string;
  /** The files without their endings, if it was reduced. */
  readonly files: string | undefined;
}

export interface HuntResult {
  readonly index: number;
  readonly skipped: string | undefined;
  readonly refusals: ReadonlyArray<Refusal>;
  readonly ran: ReadonlyArray<string>;
  readonly found: ReadonlyArray<Found>;
}

export interface HuntOptions {
  readonly seed: number;
  readonly paths: ReadonlyArray<Path>;
  readonly runtime: Runtime;
  readonly folder: string;
  /** The options that choose the same paths, for the files. */
  readonly options: string;
  readonly now: () => number;
  /** Whether a finding of this kind is reduced, before its operators are known. */
  readonly isReduced: (kind: string) => boolean;
}

const REDUCE_MS = 25_000;

export async function huntOne(index: number, options: HuntOptions): Promise<HuntResult> {
  const { seed, paths, runtime } = options;
  const subject = generate(seed, index);
  const checked = await checkCase(subject, paths, runtime, `${seed}:${index}`);
  const none = { index, refusals: [], ran: [], found: [] };
  if (checked._tag === 'Skipped') return { ...none, skipped: checked.reason };
  const found: Found[] = [];
  for (const finding of checked.findings)
    found.push(await reducedFinding(subject, finding, index, options));
  const { refusals, ran } = checked satisfies Checked;
  return { index, skipped: undefined, refusals, ran, found };
}

export function kindOf({ path, isSized, kind, detail }: Finding): string {
  const isOfValues = kind === 'values' || kind === 'type';
  return `${pathName(path, isSized)}, ${kind}${isOfValues ? '' : `: ${shapeOfText(detail)}`}`;
}

async function reducedFinding(
  subject: Case,
  finding: Finding,
  index: number,
  { seed, paths, runtime, folder, options, now, isReduced }: HuntOptions,
): Promise<Found> {
  const kind = kindOf(finding);
  if (!isReduced(kind)) return { finding, kind, files: undefined };
  const small = await reduce(subject, finding, { paths, runtime, now, limitMs: REDUCE_MS });
  const { model } = small.subject;
  const reference = await referenceOf(small.subject, runtime);
  const wanted = reference._tag === 'Reference' ? reference.wanted : [];
  const origin: Origin = { seed, index, options };
  const files = writeFinding(folder, small, wanted, origin);
  const operators = [...new Set(graphOf(model).nodes.map(({ opType }) => opType))].sort();
  return {
    finding: small.finding,
    kind: `${kindOf(small.finding)} [${operators.join(' ')}]`,
    files,
  };
}
