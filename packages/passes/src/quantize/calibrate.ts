/**
 * QuantizeCalibrate: marks get their scales.
 * [passes §29](https://batonjs.github.io/baton/spec/passes#29).
 */
import { fail, isLeft, type Result, right } from '@baton/base';
import { constant, type Expr, type Func, type IRModule, mapFunctions } from '@baton/ir';
import { isCallOf, type OpCall, operandOf } from '@baton/ops';
import { inferType, isOpaque, type Pass, pass, rewriteFunc, visibleIn } from '@baton/pass-manager';
import { scalar, type Tensor, toNumbers } from '@baton/tensor';
import { type ConfigurablePass, configurable } from '../configurable.ts';
import { noCalibrationData } from '../diagnostics.ts';
import { constantOf } from '../facts.ts';
import { largestOf, leastDivergence } from './divergence.ts';
import { again, isReal, type Kind, kindOf, MARK, REAL } from './marks.ts';
import { bitsOf, CALIBRATE_TYPES, type CalibrateOptions } from './options.ts';
import { numbersAt } from './statistics.ts';

/**
 * Gives each mark without a scale one, and bounds:
 *
 * ```
 * relay.op.annotation.simulated_quantize(%x, 0f, 0f, 0f)
 * =>
 * relay.op.annotation.simulated_quantize(%x, 0.0625f, -127f, 127f)
 * ```
 *
 * The scale of a constant follows from its numbers; other marks have one scale for all, or scales
 * that follow from the numbers that come by when the program runs on data. A place where none come by
 * gets the scale for all.
 *
 * The program then computes with the errors that its quantized form will make: numbers are rounded
 * to multiples of the scales, and those beyond the bounds are brought to them.
 *
 * **Errors** `QUANTIZE_DATA` for a mode that needs data, without data; those of the runs.
 * **Complexity** linear in the program, plus the runs.
 * **Source** Relay v0.16, `relay.quantize.calibrate`.
 */
export const quantizeCalibrate: ConfigurablePass<CalibrateOptions> = configurable(
  CALIBRATE_TYPES,
  (options): Pass =>
    pass({
      name: 'QuantizeCalibrate',
      doc: 'Sets the scales of the marks for quantization.',
      subject: 'networks',
      level: 1,
      requires: [inferType],
      needs: ['nnan', 'ninf', 'scaled'],
      counters: ['weight', 'for all'],
      remarks: ['by data'],
      isIdempotent: true,
      run: (m, { count }) => {
        const marks = marksIn(m);
        if (marks.length === 0) return right(m);
        const byData = scalesByData(marks.filter(isNoWeight), m, options);
        if (isLeft(byData)) return byData;
        const bits = bitsOf(options);
        const most: Readonly<Record<Kind, number>> = {
          input: rangeOf(bits.nbitInput),
          weight: rangeOf(bits.nbitWeight),
          sum: rangeOf(bits.nbitActivation),
        };
        const known = new Set<Expr>(marks);
        const calibrated = (mark: OpCall, data: Expr): OpCall => {
          const weight = isNoWeight(mark) ? undefined : constantOf(operandOf(mark, 0));
          const found =
            weight === undefined ? byData.right.get(mark) : weightScale(weight, options);
          count(weight !== undefined ? 'weight' : found === undefined ? 'for all' : 'by data');
          const range = most[kindOf(mark) ?? 'input'];
          return withScale(mark, data, found ?? options.globalScale ?? GLOBAL_SCALE, range);
        };
        return right(
          mapFunctions(m, (f) =>
            hidden(f)
              ? f
              : rewriteFunc(f, m, (node, get) =>
                  known.has(node)
                    ? calibrated(node as OpCall, get(operandOf(node as OpCall, 0)))
                    : undefined,
                ),
          ),
        );
      },
    }),
);

const GLOBAL_SCALE = 8;

/** The share of the numbers that are within the range, by percentile. */
const PERCENTILE = 0.99999;

/** The integers from 0 on that these bits hold besides a sign. */
const rangeOf = (bits: number): number => 2 ** (bits - 1);

/** Whether passes do not see into a function; as a plain question, which narrows no type. */
const hidden = (f: Func): boolean => isOpaque(f);

/** The marks without a scale, in order. */
const marksIn = (m: IRModule): ReadonlyArray<OpCall> =>
  [...m.functions.values()]
    .filter((f) => !hidden(f))
    .flatMap(({ body }) => visibleIn(body, m).order)
    .filter((node): node is OpCall => isCallOf(node, MARK))
    .filter((mark) => kindOf(mark) !== undefined && isReal(m, mark) && isWithoutScale(mark));

function isWithoutScale(mark: OpCall): boolean {
  const scale = constantOf(operandOf(mark, 1));
  return scale !== undefined && toNumbers(scale)[0] === 0;
}

const isNoWeight = (mark: OpCall): boolean =>
  kindOf(mark) !== 'weight' || constantOf(operandOf(mark, 0)) === undefined;

/** The scales that follow from data; none for a mark where no number but 0 came by. */
function scalesByData(
  marks: ReadonlyArray<OpCall>,
  m: IRModule,
  options: CalibrateOptions,
): Result<ReadonlyMap<Expr, number>> {
  const { calibrateMode: mode = 'global_scale', executor, dataset = [] } = options;
  const scales = new Map<Expr, number>();
  if (mode === 'global_scale') return right(scales);
  if (executor === undefined || dataset.length === 0) return fail(noCalibrationData(mode));
  const levels = 2 ** bitsOf(options).nbitInput - 1;
  const size = options.calibrateChunkBy ?? marks.length;
  for (let from = 0; from < marks.length; from += size) {
    const chunk = marks.slice(from, from + size);
    const found = numbersAt(chunk, m, executor, dataset);
    if (isLeft(found)) return found;
    for (const [i, numbers] of found.right.entries()) {
      const mark = chunk[i];
      const scale = mode === 'percentile' ? percentile(numbers) : leastDivergence(numbers, levels);
      if (mark !== undefined && Number.isFinite(scale) && scale > 0) scales.set(mark, scale);
    }
  }
  return right(scales);
}

/** The magnitude that all numbers but a few do not exceed. */
function percentile(numbers: Float64Array): number {
  const sizes = numbers.map(Math.abs).sort();
  return sizes[Math.floor(sizes.length * PERCENTILE)] ?? 0;
}

/** The largest number of a weight, or the next power of two; 1 if it is all 0. */
function weightScale(weight: Tensor, { weightScale: way = 'power2' }: CalibrateOptions): number {
  const most = largestOf(Float64Array.from(toNumbers(weight), Number));
  if (most === 0) return 1;
  return way === 'max' ? most : 2 ** Math.ceil(Math.log2(most));
}

/** The mark with the scale of which `range` makes `largest`, and the bounds of the integers. */
function withScale(mark: OpCall, data: Expr, largest: number, range: number): OpCall {
  const number = (value: number): Expr => constant(scalar(value, REAL), mark.span);
  // The largest bound that float32 holds is below 2 ** 31.
  const most = Math.fround(range - 1) < range ? range - 1 : range - 128;
  return again(mark, [data, number(largest / range), number(-most), number(most)]) as OpCall;
}
