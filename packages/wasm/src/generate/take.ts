/** Slices by index: each index is read, brought into the axis, and its row copied. */
import type { TakeKernel } from '@baton/lower';
import { dtypeInfo } from '@baton/tensor';
import {
  type FunctionBuilder,
  f64,
  i32,
  i64,
  type Local,
  type ModuleBuilder,
  select,
  type Value,
  v128,
} from '../emit/index.ts';
import { type Procedure, procedureOf } from '../kernels/function.ts';
import { type Cell, loadCell } from './single.ts';

type I = Local<'i32'>;

/** Writes a function of the addresses of the data, of the indices and of the result. */
export function takeFunction(module: ModuleBuilder, kernel: TakeKernel): Procedure {
  const { data, indices, isWrapped } = kernel;
  const { batch, lead, dim, places, rest } = kernel.sizes;
  const row = rest * dtypeInfo(data.dtype).bytes;
  const width = dtypeInfo(indices.dtype).bytes;
  return procedureOf(module, 3, (f, ...params) => {
    const [from, at, to] = params as readonly [I, I, I];
    if (batch * lead * places * rest === 0) return;
    const take = (): void => {
      const index = loadCell(indices.dtype, at, 0, f);
      const place = isWrapped ? wrapped(index, dim, f) : clipped(index, dim, f);
      copyRow(f, f.let(i32.add(from, i32.mul(i32.wrapI64(place), row))), to, row);
      f.increase(at, width);
      f.increase(to, row);
    };
    f.repeat(batch, () => {
      f.repeat(lead, () => {
        f.repeat(places, take);
        f.increase(at, -places * width);
        f.increase(from, dim * row);
      });
      f.increase(at, places * width);
    });
  });
}

/** The integer of a cell. */
export const wholeOf = (index: Cell): Value<'i64'> =>
  index.kind === 'whole' ? index.value : i64.const(0n);

/** The nearest place of the axis. */
function clipped(index: Cell, dim: number, f: FunctionBuilder): Value<'i64'> {
  const given = f.let(wholeOf(index));
  const lower = f.let(select(given, i64.const(0n), i64.gtS(given, 0n)));
  const last = BigInt(dim - 1);
  return select(lower, i64.const(last), i64.ltS(lower, last));
}

/** The place modulo the axis. The reference kernel reads an index as a double. */
function wrapped(index: Cell, dim: number, f: FunctionBuilder): Value<'i64'> {
  const given = f.let(f64.convertI64S(wholeOf(index)));
  const rest = f.let(i64.remU(i64.truncSatF64U(f64.abs(given)), BigInt(dim)));
  const turned = select(i64.sub(BigInt(dim), rest), i64.const(0n), i64.ne(rest, 0n));
  return select(turned, rest, f64.lt(given, 0));
}

/** A row of at most this many vectors is copied without a loop. */
const UNROLLED = 8;

const VECTOR_BYTES = 16;

function copyRow(f: FunctionBuilder, from: Local<'i32'>, to: Local<'i32'>, bytes: number): void {
  const whole = bytes - (bytes % VECTOR_BYTES);
  if (whole <= UNROLLED * VECTOR_BYTES) {
    for (let at = 0; at < whole; at += VECTOR_BYTES) f.do(v128.store(to, v128.load(from, at), at));
  } else {
    f.for(0, whole, VECTOR_BYTES, (at) =>
      f.do(v128.store(i32.add(to, at), v128.load(i32.add(from, at)))),
    );
  }
  let at = whole;
  for (const [size, copy] of PIECES) {
    if (((bytes - whole) & size) === 0) continue;
    f.do(copy(from, to, at));
    at += size;
  }
}

type Copy = (from: Local<'i32'>, to: Local<'i32'>, at: number) => Value<'none'>;

/** Copies of 8, 4, 2 and 1 bytes. */
const PIECES: ReadonlyArray<readonly [number, Copy]> = [
  [8, (from, to, at) => i64.store(to, i64.load(from, at), at)],
  [4, (from, to, at) => i32.store(to, i32.load(from, at), at)],
  [2, (from, to, at) => i32.store16(to, i32.load16U(from, at), at)],
  [1, (from, to, at) => i32.store8(to, i32.load8U(from, at), at)],
];

/** A text that is equal for kernels of the same code. */
export const takeKey = ({ data, indices, isWrapped, sizes }: TakeKernel): string =>
  `take ${JSON.stringify([data.dtype, indices.dtype, isWrapped, sizes])}`;
