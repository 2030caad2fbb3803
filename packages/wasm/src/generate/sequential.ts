/** Scans and scatters: elements that are combined one after another. */
import type { ScanKernel, ScatterKernel } from '@baton/lower';
import { dtypeInfo } from '@baton/tensor';
import { i32, i64, type Local, type ModuleBuilder, type Value } from '../emit/index.ts';
import { type Procedure, procedureOf } from '../kernels/function.ts';
import { move } from './nest.ts';
import { combinedCell, loadCell, runningState, storeCell } from './single.ts';
import { wholeOf } from './take.ts';

type I = Local<'i32'>;

/** Writes a function of the addresses of the data and of the result. */
export function scanFunction(module: ModuleBuilder, kernel: ScanKernel): Procedure {
  const { fold, exclusive, out } = kernel;
  const { outer, length, inner } = kernel.sizes;
  const { dtype } = out;
  const { bytes } = dtypeInfo(dtype);
  return procedureOf(module, 2, (f, ...params) => {
    const [from, to] = params as readonly [I, I];
    if (outer * length * inner === 0) return;
    const both = (distance: number): void => {
      for (const pointer of [from, to]) move(f, pointer, distance);
    };
    const row = (): void => {
      const state = runningState(fold, dtype, f);
      f.repeat(length, () => {
        if (exclusive) f.do(storeCell(dtype, to, state.cell, 0, f));
        state.take(loadCell(dtype, from, 0, f));
        if (!exclusive) f.do(storeCell(dtype, to, state.cell, 0, f));
        both(inner * bytes);
      });
      both((1 - length * inner) * bytes);
    };
    f.repeat(outer, () => {
      f.repeat(inner, row);
      both((length - 1) * inner * bytes);
    });
  });
}

/** Writes a function of the addresses of the indices, of the updates and of the result. */
export function scatterFunction(module: ModuleBuilder, kernel: ScatterKernel): Procedure {
  const { fold, indices, loops, axes, apart, size, out } = kernel;
  const { dtype } = out;
  const { bytes } = dtypeInfo(dtype);
  const width = dtypeInfo(indices.dtype).bytes;
  return procedureOf(module, 3, (f, ...params) => {
    const [at, from, to] = params as readonly [I, I, I];
    if (loops.shape.includes(0) || size === 0 || axes.some(({ dim }) => dim === 0)) return;
    const slice = (): void => {
      const start = f.let(i64.const(0n));
      const isInside = f.let(i32.const(1));
      for (const [i, { dim, stride }] of axes.entries()) {
        const given = f.let(wholeOf(loadCell(indices.dtype, at, i * apart * width, f)));
        f.set(given, fromFront(given, dim));
        f.set(isInside, i32.and(isInside, i64.leU(given, BigInt(dim - 1))));
        f.set(start, i64.add(start, i64.mul(given, BigInt(stride * bytes))));
      }
      f.if(isInside, () => {
        const place = f.let(i32.add(to, i32.wrapI64(start)));
        const source = f.let(from);
        f.repeat(size, () => {
          const joined = combinedCell(
            fold,
            [loadCell(dtype, place, 0, f), loadCell(dtype, source, 0, f)],
            dtype,
            f,
          );
          f.do(storeCell(dtype, place, joined, 0, f));
          move(f, place, bytes);
          move(f, source, bytes);
        });
      });
      move(f, from, size * bytes);
      move(f, at, width);
    };
    const around = (level: number): void => {
      if (level === loops.shape.length) {
        slice();
        return;
      }
      const [count, step] = [
        loops.shape[level] as number,
        (loops.strides[level] as number) * bytes,
      ];
      f.repeat(count, () => {
        around(level + 1);
        move(f, to, step);
      });
      move(f, to, -count * step);
    };
    around(0);
  });
}

/** An index, from the end if it is negative. */
const fromFront = (index: Local<'i64'>, dim: number): Value<'i64'> =>
  i64.add(index, i64.and(i64.shrS(index, 63n), BigInt(dim)));

/** Texts that are equal for kernels of the same code. */
export const scanKey = ({ fold, exclusive, sizes, out }: ScanKernel): string =>
  `scan ${JSON.stringify([fold.step, exclusive, sizes, out.dtype])}`;

export const scatterKey = ({
  fold,
  indices,
  loops,
  axes,
  apart,
  size,
  out,
}: ScatterKernel): string =>
  `scatter ${JSON.stringify([fold.step, indices.dtype, loops, axes, apart, size, out.dtype])}`;
