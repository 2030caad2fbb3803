/** Generated programs through ONNX files: the file has the same values, read again and in onnxruntime. */
import { InvariantError, isLeft } from '@baton/base';
import { decodeModel, portsOf, rereadOnnx } from '@baton/onnx';
import { kindColumn, numericsColumn } from '@baton/ops';
import { allClose, describeTensor, toNumbers } from '@baton/tensor';
import { type Generator, inputsFor, leavesOf, singleCall } from '@baton/testing';
import {
  evaluate,
  exportOnnx,
  type IRModule,
  postOrderExprs,
  printModule,
  standardOps,
  type Tensor,
  type Value,
} from 'batonjs';
import { type Runtime, runAndLoad } from '../onnxruntime/installed.ts';
import { misshapenEinsum } from './einsum-nodes.ts';
import { withOpenSizes } from './open-sizes.ts';

/** One call of an operator; the seeds go through all operators. */
export const CALLS: Generator = {
  name: 'calls',
  program: (seed) => {
    const names = standardOps.names;
    for (let i = 0; i < names.length; i++) {
      const name = names[(seed + i) % names.length] ?? '';
      const module = singleCall(standardOps, name, seed, 'float32');
      if (module !== undefined) return { module, stated: module };
    }
    throw new InvariantError('some operator has a sampler');
  },
};

/** The calls for each program of the other generators. */
export const CALLS_A_SEED = 20;

/** How many programs were asked, exported, and compared. */
export interface ExportCount {
  programs: number;
  exported: number;
  compared: number;
  /** Those of open sizes among the exported. */
  open: number;
  /** Those that a runtime has run. */
  ran: number;
}

export const noExports = (): ExportCount => ({
  programs: 0,
  exported: 0,
  compared: 0,
  open: 0,
  ran: 0,
});

const LIMITS = { fuel: 100_000, maxDepth: 10_000 };

/** A program to export, with inputs of its types. */
interface Subject {
  readonly module: IRModule;
  readonly inputs: ReadonlyArray<Value>;
  readonly hasFreeSizes: boolean;
}

/**
 * The mistakes in the files of a generator's program of this seed, as it is and with open sizes;
 * counted. A runtime runs the files too.
 */
export async function checkExport(
  { program }: Generator,
  seed: number,
  count: ExportCount,
  runtime?: Runtime,
): Promise<string | undefined> {
  const { module, stated } = program(seed);
  const main = stated.functions.get('main');
  if (main === undefined) return 'a program has no main';
  const inputs = inputsFor(main, seed);
  const known = { module, inputs, hasFreeSizes: module !== stated };
  const problem = await problemOf(known, count, runtime);
  if (problem !== undefined) return problem;
  const open = withOpenSizes(stated, seed);
  if (open === undefined) return undefined;
  const exported = count.exported;
  const other = await problemOf({ module: open, inputs, hasFreeSizes: true }, count, runtime);
  count.open += count.exported - exported;
  return other && `with open sizes, ${other}\n${printModule(open)}`;
}

async function problemOf(
  { module, inputs, hasFreeSizes }: Subject,
  count: ExportCount,
  runtime: Runtime | undefined,
): Promise<string | undefined> {
  count.programs++;
  const file = exportOnnx(module);
  if (isLeft(file)) {
    const odd = file.left.find((d) => !isRefusal(d.code, hasFreeSizes));
    return odd && `export: ${odd.code} ${odd.message}`;
  }
  count.exported++;
  const ports = portsOf(module);
  if (isLeft(ports)) return `ports: ${ports.left[0].message}`;
  const back = rereadOnnx(ports.right, file.right, { ops: standardOps });
  if (isLeft(back))
    return `import of what was exported: ${back.left[0].code} ${back.left[0].message}`;
  const misshapen = back.right.module && misshapenEinsum(back.right.module);
  if (misshapen !== undefined) return misshapen;
  const wanted = evaluate(module, inputs, LIMITS);
  // A program that fails has nothing to compare.
  if (isLeft(wanted)) return undefined;
  const feeds = inputs.flatMap(leavesOf);
  const expected = leavesOf(wanted.right);
  const outside = await problemOutside(file.right, feeds, expected, module, count, runtime);
  if (outside !== undefined || back.right.module === undefined) return outside;
  count.compared++;
  const found = evaluate(back.right.module, feeds, LIMITS);
  if (isLeft(found)) return `what was exported fails: ${found.left[0].message}`;
  const a = leavesOf(found.right);
  const wrong = expected.findIndex((one, i) => !isSame(a[i], one));
  return wrong < 0 || isRough(module) ? undefined : `result ${wrong} of what was exported differs`;
}

/** A difference between the values of a runtime and those of the program. */
async function problemOutside(
  file: Uint8Array,
  feeds: ReadonlyArray<Tensor>,
  expected: ReadonlyArray<Tensor>,
  module: IRModule,
  count: ExportCount,
  runtime: Runtime | undefined,
): Promise<string | undefined> {
  const decoded = decodeModel(file);
  if (runtime === undefined || isLeft(decoded)) return undefined;
  const { inputs = [], outputs = [] } = decoded.right.graph ?? {};
  const named = new Map(inputs.flatMap(({ name }, i) => (feeds[i] ? [[name, feeds[i]]] : [])));
  const ran = await runAndLoad(runtime, file, [named]);
  if (isLeft(ran)) {
    const { message } = ran.left[0];
    return LACKS.some((text) => message.includes(text)) ? undefined : `onnxruntime: ${message}`;
  }
  count.ran++;
  const [found = new Map<string, Tensor>()] = ran.right;
  const names = outputs.map(({ name }) => name).join();
  if ([...found.keys()].join() !== names)
    return `onnxruntime gives ${[...found.keys()]}, not ${names}`;
  for (const [i, value] of [...found.values()].entries()) {
    const wanted = expected[i];
    if (wanted === undefined) return 'onnxruntime gives more results';
    const hasType = value.dtype === wanted.dtype && String(value.shape) === String(wanted.shape);
    if (!hasType || !(isSame(value, wanted) || isRoughElsewhere(module))) {
      return `onnxruntime: result ${i} is ${describeTensor(value)}, not ${describeTensor(wanted)}`;
    }
  }
  return undefined;
}

/**
 * What onnxruntime says where it has no kernel, or refuses values that ONNX leaves open; before 1.32 it
 * also merges a pad into a pool with smaller windows, which it then refuses.
 */
const LACKS = [
  'Could not find an implementation',
  'NOT_IMPLEMENTED',
  'by zero',
  'Pad should be smaller than kernel',
];

/**
 * The export refuses what ONNX lacks. In a program with free sizes it also refuses a constant shape
 * that inlining brings to an operator and that fits some sizes only.
 */
const isRefusal = (code: string, hasFreeSizes: boolean): boolean =>
  code === 'ONNX_EXPORT' || (hasFreeSizes && code.startsWith('OP_'));

/** The square of a number beyond this is infinite in float32. */
const MAX_SQUARED = 1e19;

/**
 * Whether formulas may compute something else than the operators that they stand for: what rounds
 * decides about something, or a square overflows.
 */
function isRough(m: IRModule): boolean {
  const nodes = postOrderExprs([...m.functions.values()]);
  const decides = decidesAbout(m, (name) => m.ops.read(numericsColumn, name) === 'smooth');
  return decides || nodes.some((n) => n._tag === 'Constant' && toNumbers(n.data).some(isLarge));
}

/** Whether another order of sums may decide about something. */
const isRoughElsewhere = (m: IRModule): boolean =>
  isRough(m) || decidesAbout(m, (name) => SUMS.has(m.ops.read(kindColumn, name) ?? ''));

/** The kinds of operators that sum many numbers. */
const SUMS: ReadonlySet<string> = new Set(['product', 'reduction', 'normalization']);

/** Whether a program has an operator that decides by its numbers, and one of these. */
function decidesAbout(m: IRModule, rounds: (name: string) => boolean): boolean {
  const names = postOrderExprs([...m.functions.values()]).flatMap((n) =>
    n._tag === 'Op' ? [n.name] : [],
  );
  const decides = names.some((name) => m.ops.read(numericsColumn, name) === 'discontinuous');
  return decides && names.some(rounds);
}

const isLarge = (x: number): boolean => Math.abs(x) > MAX_SQUARED;

/** Formulas round more often than the operators that they replace. */
const isSame = (found: Tensor | undefined, wanted: Tensor): boolean =>
  found !== undefined &&
  found.dtype === wanted.dtype &&
  allClose(found, wanted, { atol: 1e-4, rtol: /16$/.test(wanted.dtype) ? 0.05 : 1e-3 });
