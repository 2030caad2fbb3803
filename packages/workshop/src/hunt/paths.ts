/** The paths of a model through Baton to values, and the checks of what each leaves. */
import { isLeft, type Result } from '@baton/base';
import {
  decodeModel,
  elementNumber,
  type ModelProto,
  outputNames,
  type ValueInfoProto,
} from '@baton/onnx';
import { DTYPES, type DType, isTensor } from '@baton/tensor';
import {
  compileToModule,
  type Executor,
  evaluate,
  exportOnnx,
  greedy,
  type IRModule,
  importOnnx,
  interpreter,
  optimize,
  oracle,
  type Pass,
  passes,
  rewrites,
  runPass,
  saturate,
  sequential,
  type Value,
  wasm,
} from 'batonjs';
import type { Runtime } from '../onnxruntime/installed.ts';
import { asTensor, loadModule } from '../standalone.ts';
import { bytesOf, type Case, type Feeds, graphOf } from './model.ts';

export type FaultKind =
  /** Other values, or outputs of another type than the reference computes. */
  | 'values'
  | 'type'
  /** Other names, dtypes or dimensions of inputs and outputs than the original states. */
  | 'signature'
  /** An exception: a bug by definition. */
  | 'throws'
  /** A diagnostic at run time, where the reference runs. */
  | 'stops'
  /** A file that onnxruntime refuses, or fails to run. */
  | 'loads';

export type Answer =
  | {
      readonly _tag: 'Values';
      readonly runs: ReadonlyArray<Feeds>;
      /** The difference from the signature of the original, for a path that ends in a file. */
      readonly signature?: string | undefined;
    }
  /** A diagnostic before anything ran. */
  | { readonly _tag: 'Refused'; readonly code: string; readonly detail: string }
  | { readonly _tag: 'Wrong'; readonly kind: FaultKind; readonly detail: string };

export interface Path {
  readonly name: string;
  /** The path that must be right before this one runs. */
  readonly base?: string;
  /** Paths whose faults explain those of this one: a case that fails on one is not sent here. */
  readonly kin?: ReadonlyArray<string>;
  /** The share of graphs that take it. */
  readonly share: number;
  /** The most nodes of a graph that takes it. */
  readonly nodes?: number;
  /** Whether models with open sizes take it too. */
  readonly open: boolean;
  readonly run: (work: Work) => Promise<Answer>;
}

/** A case with the programs that several paths share, each made once. */
export interface Work {
  readonly subject: Case;
  readonly runtime: Runtime;
  readonly stage: (name: Stage) => Result<IRModule>;
}

const STAGES = {
  level0: optimize({ level: 0 }),
  level1: optimize({ level: 1 }),
  level2: optimize({ level: 2 }),
  level3: optimize({ level: 3 }),
} as const;

/** The rules as `baton optimize` runs them after level 3. */
const ruled = (engine: typeof greedy | typeof saturate): Pass =>
  sequential([engine(rewrites.commonSets), passes.foldConstant, passes.deadCodeElimination]);

/** A program between the import and an executor. */
export type Stage = 'imported' | keyof typeof STAGES | 'rules' | 'search';

/** The work on a case. With `isSized` its open dimensions get the sizes of the first sample. */
export function makeWork(subject: Case, runtime: Runtime, isSized: boolean): Work {
  const made = new Map<Stage, Result<IRModule>>();
  const make = (name: Stage): Result<IRModule> => {
    if (name === 'imported') {
      return importOnnx(bytesOf(subject.model), isSized ? { dims: subject.dims } : {});
    }
    const isRuled = name === 'rules' || name === 'search';
    const before = stage(isRuled ? 'level3' : 'imported');
    if (isLeft(before)) return before;
    const pass = isRuled ? ruled(name === 'search' ? saturate : greedy) : STAGES[name];
    const done = runPass(pass)(before.right);
    return isLeft(done) ? done : { _tag: 'Right', right: done.right.module };
  };
  const stage = (name: Stage): Result<IRModule> => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const found = make(name);
    made.set(name, found);
    return found;
  };
  const samples = isSized ? subject.samples.slice(0, 1) : subject.samples;
  return { subject: { ...subject, samples }, runtime, stage };
}

/** The end of a path, with exceptions as faults. */
export async function answerOf(path: Path, work: Work): Promise<Answer> {
  try {
    return await path.run(work);
  } catch (error) {
    return {
      _tag: 'Wrong',
      kind: 'throws',
      detail: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    };
  }
}

const refused = ([first]: ReadonlyArray<{
  readonly code: string;
  readonly message: string;
}>): Answer => ({
  _tag: 'Refused',
  code: first?.code ?? 'none',
  detail: first?.message ?? '',
});

const executed =
  (stage: Stage, executor: Executor) =>
  async (work: Work): Promise<Answer> => {
    const m = work.stage(stage);
    if (isLeft(m)) return refused(m.left);
    const runs: Feeds[] = [];
    for (const feeds of work.subject.samples) {
      const value = evaluate(m.right, Object.fromEntries(feeds), { executor });
      if (isLeft(value)) {
        const [{ code, message }] = value.left;
        return { _tag: 'Wrong', kind: 'stops', detail: `${code}: ${message}` };
      }
      runs.push(namedValues(m.right, value.right));
    }
    return { _tag: 'Values', runs };
  };

function namedValues(m: IRModule, value: Value): Feeds {
  const fields = value._tag === 'Tuple' ? value.fields : [value];
  const main = m.functions.get('main');
  const names = main === undefined ? [] : outputNames(main, fields.length);
  return new Map(
    fields.flatMap((field, i) => (isTensor(field) ? [[names[i] ?? '', field] as const] : [])),
  );
}

/** A stage as a standalone module. */
const asModule =
  (stage: Stage) =>
  async (work: Work): Promise<Answer> => {
    const m = work.stage(stage);
    if (isLeft(m)) return refused(m.left);
    const files = compileToModule(m.right, { name: 'hunted', weights: 'given' });
    if (isLeft(files)) return refused(files.left);
    const run = await loadModule(files.right);
    const { outputs } = graphOf(work.subject.model);
    const runs = work.subject.samples.map((feeds): Feeds => {
      const found = new Map(run(feeds).map((output) => [output.name, output]));
      return new Map(
        outputs.flatMap(({ name, type }) => {
          const [output, dtype] = [found.get(name), dtypeOf(type)];
          const value = output && dtype && asTensor(output, dtype);
          return value === undefined ? [] : [[name, value] as const];
        }),
      );
    });
    return { _tag: 'Values', runs };
  };

const dtypeOf = (type: ValueInfoProto['type']): DType | undefined =>
  type?._tag === 'Tensor'
    ? DTYPES.find((dtype) => elementNumber(dtype) === type.elemType)
    : undefined;

/** A stage as an ONNX file, loaded and run by onnxruntime. */
const exported =
  (stage: Stage, opset?: number) =>
  async (work: Work): Promise<Answer> => {
    const m = work.stage(stage);
    if (isLeft(m)) return refused(m.left);
    const file = exportOnnx(m.right, opset === undefined ? {} : { opset });
    return isLeft(file) ? refused(file.left) : await runFile(file.right, work);
  };

/** The answer of a file that replaces the original. */
export async function runFile(file: Uint8Array, { subject, runtime }: Work): Promise<Answer> {
  const decoded = decodeModel(file);
  const signature = isLeft(decoded)
    ? `the file cannot be read: ${decoded.left[0].message}`
    : signatureDifference(decoded.right, subject);
  const answer = await inRuntime(file, { subject, runtime });
  return answer._tag === 'Values' ? { ...answer, signature } : answer;
}

/** A file in onnxruntime, which has to load it; without a level it is not optimized. */
export async function inRuntime(
  file: Uint8Array,
  { subject, runtime }: Pick<Work, 'subject' | 'runtime'>,
  level?: 'all',
): Promise<Answer> {
  const runs = await runtime.run(file, subject.samples, level);
  return isLeft(runs)
    ? { _tag: 'Wrong', kind: 'loads', detail: runs.left[0].message }
    : { _tag: 'Values', runs: runs.right };
}

/** The first input or output whose name or type is not the original's. */
function signatureDifference(file: ModelProto, subject: Case): string | undefined {
  for (const side of ['inputs', 'outputs'] as const) {
    const [own, original] = [graphOf(file)[side], graphOf(subject.model)[side]];
    if (own.length !== original.length) {
      return `number of ${side}: ${own.length} for ${original.length}`;
    }
    for (const [i, wanted] of original.entries()) {
      const different = infoDifference(own[i] ?? wanted, wanted, subject);
      if (different !== undefined) return `${side.slice(0, -1)} ${different}`;
    }
  }
  return undefined;
}

/** The difference of an input or output from the original's. */
function infoDifference(
  found: ValueInfoProto,
  wanted: ValueInfoProto,
  subject: Case,
): string | undefined {
  const { samples } = subject;
  if (found.name !== wanted.name) return `name: ${found.name} for ${wanted.name}`;
  const [a, b] = [found.type, wanted.type];
  if (a?._tag !== 'Tensor' || b?._tag !== 'Tensor') return `type: ${found.name} is no tensor`;
  if (a.elemType !== b.elemType)
    return `element type: ${found.name}: ${a.elemType} for ${b.elemType}`;
  const shape = a.shape;
  if (b.shape === undefined || shape === undefined) return undefined;
  const sizesNamed = (dim: string): ReadonlyArray<unknown> =>
    samples.map((feeds) => sizeNamed(dim, subject, feeds));
  const isFit = b.shape.every((dim, axis) => {
    const own = shape[axis];
    // A dimension without a name may get one, or a size that follows from the others.
    if (dim === undefined || own === dim) return true;
    if (typeof dim !== 'string') return false;
    const wantedSizes = sizesNamed(dim);
    // A name for the same sizes, or the size itself.
    const ownSizes = typeof own === 'string' ? sizesNamed(own) : samples.map(() => own);
    return wantedSizes.every((size, i) => size === undefined || size === ownSizes[i]);
  });
  if (isFit && shape.length === b.shape.length) return undefined;
  const isLess =
    shape.length === b.shape.length &&
    shape.every((own, axis) => own === undefined || own === b.shape?.[axis]);
  return `${isLess ? 'sizes not stated' : 'sizes'}: ${found.name}: [${shape}] for [${b.shape}]`;
}

function sizeNamed(name: string, { model }: Case, feeds: Feeds): number | undefined {
  for (const input of graphOf(model).inputs) {
    const axis = input.type?._tag === 'Tensor' ? (input.type.shape?.indexOf(name) ?? -1) : -1;
    if (axis >= 0) return feeds.get(input.name)?.shape[axis];
  }
  return undefined;
}

/** Graphs up to this size go to the oracle and the search. */
const SMALL = 40;

export const BATON_PATHS: ReadonlyArray<Path> = [
  { name: 'interpreter', share: 1, open: true, run: executed('imported', interpreter) },
  {
    name: 'oracle',
    base: 'interpreter',
    share: 0.5,
    nodes: SMALL,
    open: false,
    run: executed('imported', oracle),
  },
  { name: 'wasm', base: 'interpreter', share: 1, open: false, run: executed('imported', wasm) },
  {
    name: 'module',
    base: 'wasm',
    kin: ['wasm'],
    share: 0.5,
    open: false,
    run: asModule('imported'),
  },
  { name: 'export', base: 'interpreter', share: 0.5, open: true, run: exported('imported') },
  {
    name: 'level0',
    base: 'interpreter',
    share: 1,
    open: false,
    run: executed('level0', interpreter),
  },
  { name: 'level1', base: 'level0', share: 1, open: false, run: executed('level1', interpreter) },
  { name: 'level2', base: 'level1', share: 1, open: false, run: executed('level2', interpreter) },
  { name: 'level3', base: 'level2', share: 1, open: true, run: executed('level3', interpreter) },
  { name: 'rules', base: 'level3', share: 1, open: true, run: executed('rules', interpreter) },
  {
    name: 'rules-wasm',
    base: 'rules',
    kin: ['wasm'],
    share: 1,
    open: true,
    run: executed('rules', wasm),
  },
  {
    name: 'rules-module',
    base: 'rules-wasm',
    kin: ['module', 'wasm', 'rules-wasm'],
    share: 1,
    open: false,
    run: asModule('rules'),
  },
  {
    name: 'rules-export',
    base: 'rules',
    kin: ['export'],
    share: 1,
    open: true,
    run: exported('rules'),
  },
  {
    name: 'rules-export-13',
    base: 'rules',
    kin: ['export', 'rules-export'],
    share: 1,
    open: true,
    run: exported('rules', 13),
  },
  {
    name: 'rules-export-21',
    base: 'rules',
    kin: ['export', 'rules-export', 'rules-export-13'],
    share: 1,
    open: true,
    run: exported('rules', 21),
  },
  {
    name: 'search',
    base: 'level3',
    kin: ['rules'],
    share: 0.25,
    nodes: SMALL,
    open: false,
    run: executed('search', interpreter),
  },
  {
    name: 'search-wasm',
    base: 'search',
    kin: ['wasm', 'rules-wasm'],
    share: 0.25,
    nodes: SMALL,
    open: false,
    run: executed('search', wasm),
  },
  {
    name: 'search-export',
    base: 'search',
    kin: ['export', 'rules-export'],
    share: 0.25,
    nodes: SMALL,
    open: false,
    run: exported('search'),
  },
];
