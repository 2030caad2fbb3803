/** Runs programs whose operators are watched, or perturbed on purpose. */
import type { Random } from '@baton/base';
import {
  type Attrs,
  type Column,
  type IRModule,
  irModule,
  type OpTable,
  postOrderExprs,
} from '@baton/ir';
import { isCallOf, kernelColumn, type OpValue } from '@baton/ops';
import {
  type DType,
  dtypeInfo,
  isBig,
  isFloat,
  isInteger,
  isTensor,
  readNumber,
  type Tensor,
  tensor,
  toNumbers,
} from '@baton/tensor';

/** Called for each evaluation of an operator; may replace its result. */
export type Watch = (
  name: string,
  attrs: Attrs,
  result: OpValue,
  args: ReadonlyArray<OpValue>,
) => OpValue;

export function watched(m: IRModule, watch: Watch): IRModule {
  return irModule({ ...m, ops: watchedOps(m.ops, watch) });
}

export function resultTensors(value: OpValue): ReadonlyArray<Tensor> {
  const found: Tensor[] = [];
  const pending: OpValue[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isTensor(next)) found.push(next);
    else pending.push(...[...next].reverse());
  }
  return found;
}

/**
 * Perturbs every operator's result by up to `epsilon` relative to it: as the program's own rounding
 * may do, and enough to tip a comparison.
 *
 * **Source** Monte Carlo arithmetic (Parker 1997).
 */
export const noise =
  (epsilon: number, random: Random): Watch =>
  (_name, _attrs, result) =>
    mapFloats(result, (value) => value * (1 + epsilon * (2 * random() - 1)));

/** Like {@link noise}, but all elements of a result move together, by all of `epsilon`. */
export const commonNoise =
  (epsilon: number, random: Random): Watch =>
  (_name, _attrs, result) => {
    const factor = 1 + (random() < 0.5 ? -epsilon : epsilon);
    return mapFloats(result, (value) => value * factor);
  };

/** Like {@link noise} or {@link commonNoise}; numbers up to `tiny` also move by up to `tiny`. */
export const noiseNearZero =
  (epsilon: number, tiny: (dtype: DType) => number, random: Random, isCommon: boolean): Watch =>
  (_name, _attrs, result) => {
    const sign = random() < 0.5 ? -1 : 1;
    const share = (): number => (isCommon ? sign : 2 * random() - 1);
    return mapTensors(result, (t) => {
      const least = tiny(t.dtype);
      return changed(t, (value) => {
        const moved = value * (1 + epsilon * share());
        return Math.abs(value) <= least ? moved + least * share() : moved;
      });
    });
  };

/** The operator that rounds floats to multiples of its second argument. */
const SIMULATED = 'relay.op.annotation.simulated_quantize';

export const hasCallOf = (m: IRModule, name: string): boolean =>
  postOrderExprs([...m.functions.values()]).some((node) => isCallOf(node, name));

export const isSimulated = (m: IRModule): boolean => hasCallOf(m, SIMULATED);

/** Moves integers of a result by one unit, up or down, and multiples of a scale by one scale. */
export const noiseOfUnits =
  (random: Random): Watch =>
  (name, { kind }, result, args) => {
    if (name === SIMULATED && kind !== 0 && isTensor(result))
      return movedByScale(result, args, random);
    const moved = (t: OpValue): OpValue => {
      if (!isTensor(t) || !isInteger(t.dtype) || isBig(t.dtype)) return t;
      const { min, max } = dtypeInfo(t.dtype);
      const numbers = Array.from(toNumbers(t), (x) => x + (random() < 0.5 ? -1 : 1));
      const within = numbers.map((x) => Math.min(Math.max(x, Number(min)), Number(max)));
      return tensor(within, t.shape, t.dtype);
    };
    return isTensor(result) ? moved(result) : result.map(moved);
  };

/** Counts the floats that clamping moves by more than rounding does. */
export function makeBoundsWatch(): { readonly watch: Watch; readonly count: () => number } {
  let count = 0;
  const watch: Watch = (name, { kind }, result, args) => {
    const [data] = args;
    if (name !== SIMULATED || kind === 0 || data === undefined || !isTensor(data)) return result;
    const [scale, least, most] = scaleIn(args);
    if (scale === 0) return result;
    for (const x of toNumbers(data)) {
      const multiple = Number(x) / scale;
      if (multiple > most + 0.5 || multiple < least - 0.5) count++;
    }
    return result;
  };
  return { watch, count: () => count };
}

const scaleIn = (
  args: ReadonlyArray<OpValue>,
): readonly [scale: number, least: number, most: number] => {
  const at = (index: number): number => {
    const value = args[index];
    return value !== undefined && isTensor(value) ? readNumber(value, 0) : 0;
  };
  return [at(1), at(2), at(3)];
};

/** Moves each multiple of a scale to an adjacent one, within its bounds. */
function movedByScale(result: Tensor, args: ReadonlyArray<OpValue>, random: Random): Tensor {
  const [scale, least, most] = scaleIn(args);
  const moved = (x: number): number => x + (random() < 0.5 ? -scale : scale);
  const bounded = (x: number): number => Math.min(Math.max(x, least * scale), most * scale);
  return scale === 0 ? result : changed(result, (x) => bounded(moved(x)));
}

export const flipZeros =
  (random: Random): Watch =>
  (_name, _attrs, result) =>
    mapFloats(result, (value) => (value === 0 && random() < 0.5 ? -value : value));

export const mapFloats = (value: OpValue, change: (x: number) => number): OpValue =>
  mapTensors(value, (t) => changed(t, change));

/** Operators return tensors, or flat tuples of them. */
const mapTensors = (value: OpValue, change: (t: Tensor) => Tensor): OpValue =>
  isTensor(value) ? change(value) : value.map((field) => (isTensor(field) ? change(field) : field));

/** Tensors of other dtypes are unchanged. */
export function changed(t: Tensor, change: (x: number) => number): Tensor {
  if (!isFloat(t.dtype)) return t;
  const numbers = toNumbers(t);
  const moved = new Float64Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) moved[i] = change(numbers[i] as number);
  return tensor(moved, t.shape, t.dtype);
}

function watchedOps(ops: OpTable, watch: Watch): OpTable {
  return {
    ...ops,
    read: <T>(column: Column<T>, name: string): T | undefined => {
      const fact = ops.read(column, name);
      if ((column as unknown) !== kernelColumn || fact === undefined) return fact;
      const kernel = ops.read(kernelColumn, name);
      const around: typeof kernel =
        kernel && ((args, attrs, result) => watch(name, attrs, kernel(args, attrs, result), args));
      // The column belongs to kernels, so `T` is `Kernel`.
      return around as unknown as T;
    },
  };
}
