/** Generated programs through an ONNX file: what comes back computes the same. */
import { isLeft } from '@baton/base';
import { numericsColumn } from '@baton/ops';
import { allClose, toNumbers } from '@baton/tensor';
import { type Generator, inputsFor } from '@baton/testing';
import {
  evaluate,
  exportOnnx,
  type IRModule,
  importOnnx,
  postOrderExprs,
  type Tensor,
  type Value,
} from 'batonjs';

/** How many programs were asked, exported, and compared. */
export interface ExportCount {
  programs: number;
  exported: number;
  compared: number;
}

const LIMITS = { fuel: 100_000, maxDepth: 10_000 };

/** Refusals by the reader: branches and sizes that the program does not know. */
const NOT_READ: ReadonlySet<string> = new Set(['ONNX_NOT_CONSTANT']);

/** The mistake in the file of a generator's program of this seed, if any; counted. */
export function checkExport(
  { program }: Generator,
  seed: number,
  count: ExportCount,
): string | undefined {
  const { module, stated } = program(seed);
  const main = stated.functions.get('main');
  count.programs++;
  const file = exportOnnx(module);
  if (isLeft(file)) {
    const odd = file.left.find((d) => !isRefusal(d.code, module !== stated));
    return odd && `export: ${odd.code} ${odd.message}`;
  }
  count.exported++;
  const back = importOnnx(file.right);
  if (isLeft(back)) {
    const odd = back.left.find((d) => !NOT_READ.has(d.code));
    return odd && `import of what was exported: ${odd.code} ${odd.message}`;
  }
  if (main === undefined) return 'a program has no main';
  const inputs = inputsFor(main, seed);
  const wanted = evaluate(module, inputs, LIMITS);
  // A program that fails has nothing to compare.
  if (isLeft(wanted)) return undefined;
  count.compared++;
  const found = evaluate(back.right, inputs.flatMap(tensorsOf), LIMITS);
  if (isLeft(found)) return `what was exported fails: ${found.left[0].message}`;
  const [a, b] = [tensorsOf(found.right), tensorsOf(wanted.right)];
  const wrong = b.findIndex((expected, i) => !isSame(a[i], expected));
  return wrong < 0 || isRough(module) ? undefined : `result ${wrong} of what was exported differs`;
}

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
  const kinds = new Set(
    nodes.flatMap((n) => (n._tag === 'Op' ? [m.ops.read(numericsColumn, n.name)] : [])),
  );
  const decides = kinds.has('discontinuous') && kinds.has('smooth');
  return decides || nodes.some((n) => n._tag === 'Constant' && toNumbers(n.data).some(isLarge));
}

const isLarge = (x: number): boolean => Math.abs(x) > MAX_SQUARED;

/** Formulas round more often than the operators that they stand for. */
const isSame = (found: Tensor | undefined, wanted: Tensor): boolean =>
  found !== undefined &&
  found.dtype === wanted.dtype &&
  allClose(found, wanted, { atol: 1e-4, rtol: /16$/.test(wanted.dtype) ? 0.05 : 1e-3 });

const tensorsOf = (value: Value): ReadonlyArray<Tensor> =>
  value._tag === 'Tuple' ? value.fields.flatMap(tensorsOf) : value._tag === 'Tensor' ? [value] : [];
