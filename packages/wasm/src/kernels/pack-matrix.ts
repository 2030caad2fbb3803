/**
 * Packs matrices in WebAssembly, for operands that are known only when the program runs.
 *
 * A matrix has lanes (the rows or columns of the result) and a depth, along which is summed. One of
 * the two lies without gaps.
 */
import {
  call,
  type FunctionBuilder,
  i32,
  type Local,
  type ModuleBuilder,
  type Value,
  v128,
} from '../emit/index.ts';
import { type Procedure, procedureOf, sharedFunction, until } from './function.ts';
import { shuffled } from './lanes.ts';
import type { Numbers } from './numbers.ts';
import { TILE_ROWS, tileColumns } from './tile.ts';

/** The form of a packed matrix. */
export interface PackedForm {
  readonly numbers: Numbers;
  /** Rows lie in tiles of {@link TILE_ROWS} and a rest; columns in panels of {@link tileColumns}. */
  readonly side: 'rows' | 'columns';
  /** The axis along which neighbours lie without gaps. */
  readonly dense: 'lanes' | 'depth';
}

type I = Local<'i32'>;

/**
 * A function that packs a matrix. Its parameters: from, to, the number of lanes, the depth, and the
 * bytes between neighbours along the axis that has gaps.
 */
export function packMatrix(module: ModuleBuilder, form: PackedForm): Procedure {
  const { bytes } = form.numbers;
  const width = form.side === 'rows' ? TILE_ROWS : tileColumns(form.numbers);
  return module.once(`pack ${keyOf(form)}`, () => {
    const four = packFour(module, form, bytes * width);
    const few = packFew(module, form);
    return procedureOf(module, 5, (f, ...params) => {
      const [from, to, lanes, depth, stride] = params as unknown as [I, I, I, I, I];
      const [start, into, left] = [f.let(from), f.let(to), f.let(lanes)];
      const laneBytes = form.dense === 'lanes' ? i32.const(bytes) : stride;
      const half = f.let(i32.const(0));
      const panelRest = f.let(i32.sub(i32.mul(depth, bytes * width), 4 * bytes));
      until(f, i32.ltS(left, 4), () => {
        f.do(call(four, start, into, depth, stride));
        f.increase(start, i32.mul(laneBytes, 4));
        f.increase(left, -4);
        if (width === 4) f.increase(into, i32.mul(depth, 4 * bytes));
        else {
          f.if(
            half,
            () => f.increase(into, panelRest),
            () => f.increase(into, 4 * bytes),
          );
          f.set(half, i32.eqz(half));
        }
      });
      f.if(left, () => f.do(call(few, start, into, left, depth, stride)));
    });
  });
}

/** A name for the code of a form. */
const keyOf = ({ side, dense, numbers }: PackedForm): string => `${side} ${dense} ${numbers.bytes}`;

/** Packs four lanes, with `step` bytes from one index of the depth to the next. */
const packFour = (module: ModuleBuilder, form: PackedForm, step: number): Procedure =>
  sharedFunction(
    module,
    `pack four ${form.dense} ${form.numbers.bytes} ${step}`,
    4,
    (f, ...params) =>
      (form.dense === 'lanes' ? copyFour : turnFour)(
        f,
        params as unknown as Four,
        step,
        form.numbers,
      ),
  );

type Four = [from: I, to: I, depth: I, stride: I];

function copyFour(
  f: FunctionBuilder,
  [from, to, depth, stride]: Four,
  step: number,
  { lanes }: Numbers,
): void {
  f.repeat(depth, () => {
    for (let at = 0; at < 4 / lanes; at++) f.do(v128.store(to, v128.load(from, 16 * at), 16 * at));
    f.increase(from, stride);
    f.increase(to, step);
  });
}

/** Turns blocks of a vector of each of four lanes, then what is left of the depth number by number. */
function turnFour(
  f: FunctionBuilder,
  [from, to, depth, stride]: Four,
  step: number,
  numbers: Numbers,
): void {
  const { bytes, copy } = numbers;
  const lanes = [from];
  for (let i = 1; i < 4; i++) lanes.push(f.let(i32.add(lanes[i - 1] as I, stride)));
  const advance = (count: number): void => {
    for (const lane of lanes) f.increase(lane, bytes * count);
    f.increase(to, step * count);
    f.increase(depth, -count);
  };
  until(f, i32.ltS(depth, numbers.lanes), () => {
    const vectors = lanes.map((lane) => f.let(v128.load(lane)));
    for (let first = 0; first < 4; first += numbers.lanes) {
      const turned = transpose(f, vectors.slice(first, first + numbers.lanes));
      for (const [i, vector] of turned.entries()) {
        f.do(v128.store(to, vector, step * i + bytes * first));
      }
    }
    advance(numbers.lanes);
  });
  until(f, i32.eqz(depth), () => {
    for (const [i, lane] of lanes.entries()) {
      f.do(copy(lane, i === 0 ? to : i32.add(to, bytes * i)));
    }
    advance(1);
  });
}

/** The columns of four vectors of four lanes, or of two vectors of two. */
export function transpose(
  f: FunctionBuilder,
  rows: ReadonlyArray<Value<'v128'>>,
): ReadonlyArray<Value<'v128'>> {
  const [a, b, c, d] = rows as [Value<'v128'>, Value<'v128'>, Value<'v128'>, Value<'v128'>];
  const pick = (x: Value<'v128'>, y: Value<'v128'>, lanes: ReadonlyArray<number>) =>
    f.let(shuffled(x, y, lanes));
  if (rows.length === 2) return [pick(a, b, [0, 2]), pick(a, b, [1, 3])];
  const [lowAb, highAb] = [pick(a, b, [0, 4, 1, 5]), pick(a, b, [2, 6, 3, 7])];
  const [lowCd, highCd] = [pick(c, d, [0, 4, 1, 5]), pick(c, d, [2, 6, 3, 7])];
  return [
    pick(lowAb, lowCd, [0, 1, 4, 5]),
    pick(lowAb, lowCd, [2, 3, 6, 7]),
    pick(highAb, highCd, [0, 1, 4, 5]),
    pick(highAb, highCd, [2, 3, 6, 7]),
  ];
}

/** Packs one to three lanes, number by number. */
function packFew(module: ModuleBuilder, form: PackedForm): Procedure {
  const { side, dense, numbers } = form;
  const { bytes, copy } = numbers;
  return sharedFunction(module, `pack few ${keyOf(form)}`, 5, (f, ...params) => {
    const [from, to, lanes, depth, stride] = params as unknown as [I, I, I, I, I];
    const [laneBytes, depthBytes] =
      dense === 'lanes' ? [i32.const(bytes), stride] : [stride, i32.const(bytes)];
    const step =
      side === 'rows' ? f.let(i32.mul(lanes, bytes)) : i32.const(bytes * tileColumns(numbers));
    f.repeat(lanes, () => {
      const [at, into] = [f.let(from), f.let(to)];
      f.repeat(depth, () => {
        f.do(copy(at, into));
        f.increase(at, depthBytes);
        f.increase(into, step);
      });
      f.increase(from, laneBytes);
      f.increase(to, bytes);
    });
  });
}
