/**
 * A vector times the rows of a matrix, which are read once, as they lie: memory sets the pace.
 *
 * Four rows are summed at a time, each in the four lanes of one vector.
 */
import {
  call,
  type FunctionBuilder,
  f32x4,
  i32,
  i32x4,
  type Local,
  type ModuleBuilder,
  type Value,
  v128,
} from '../emit/index.ts';
import { kernelFunction, operandBytesOf, outBytesOf, sharedFunction } from './function.ts';
import type { HandKernel, Site } from './kernel.ts';
import { loadLanes } from './lanes.ts';
import { transpose } from './pack-matrix.ts';
import { shareOf } from './share.ts';
import { type Ending, endingKey, endingOf, loadOperand, stepOf, storeResult } from './tile.ts';

/** The kernel of a product of a vector and the rows of a weight. */
export function vectorProduct(rows: number, depth: number, site: Site): HandKernel {
  const { epilogue } = site;
  const ending = endingOf(site, 'columns');
  const { operands } = epilogue;
  const bytes = outBytesOf(epilogue);
  return {
    key: `vector ${rows} ${depth} ${endingKey(ending)}`,
    scratchBytes: 0,
    packedBytes: 0,
    packKey: '',
    pack: () => {},
    emit: (module) => {
      const four = someRows(module, 4, depth, ending);
      const tail = rows % 4;
      return kernelFunction(module, epilogue, (f, given) => {
        const { data, weight, out, operands: places } = given;
        const advance = (): void => {
          f.increase(weight, 16 * depth);
          f.increase(out, 4 * bytes);
          for (const [i, place] of places.entries()) {
            if (operands[i] !== 'scalar') f.increase(place, 4 * operandBytesOf(epilogue, i));
          }
        };
        const { first, end } = shareOf(f, module, rows, 4);
        f.increase(weight, i32.mul(first, 4 * depth));
        f.increase(out, i32.mul(first, bytes));
        for (const [i, place] of places.entries()) {
          if (operands[i] !== 'scalar') {
            f.increase(place, i32.mul(first, operandBytesOf(epilogue, i)));
          }
        }
        const last = i32.sub(end, 3);
        f.for(first, last, 4, () => {
          f.do(call(four, data, weight, out, ...places));
          advance();
        });
        if (tail !== 0) {
          const rest = someRows(module, tail, depth, ending);
          f.if(i32.eq(end, rows), () => f.do(call(rest, data, weight, out, ...places)));
        }
      });
    },
  };
}

type I = Local<'i32'>;

/** A function that multiplies one to four rows: data, rows, result, operands of the epilogue. */
function someRows(module: ModuleBuilder, rows: number, depth: number, ending: Ending) {
  const { epilogue } = ending;
  const key = `rows ${rows} ${depth} ${endingKey(ending)}`;
  return sharedFunction(module, key, 3 + epilogue.operands.length, (f, ...params) => {
    const [data, weight, out, ...places] = params as unknown as [I, I, I, ...I[]];
    const sums = Array.from({ length: rows }, () => f.local('v128'));
    addRows(f, sums, [data, weight], depth, stepOf(ending));
    const others = Array.from({ length: 4 - rows }, () => v128.const(new Float32Array(4)));
    const columns = transpose(f, [...sums, ...others]);
    const whole = columns.reduce((all, one) => (epilogue.types ? i32x4 : f32x4).add(all, one));
    const operand = (i: number): Value<'v128'> => {
      const place = places[i] as I;
      if (epilogue.operands[i] === 'scalar') return v128.load32Splat(place);
      return loadOperand(epilogue, i, place, rows, 0);
    };
    const isSame = (i: number): boolean => epilogue.operands[i] === 'scalar';
    const result = epilogue.apply(f, f.let(whole), operand, isSame);
    storeResult(f, epilogue, out, result, rows);
  });
}

/** Adds the products of a vector and each row. */
function addRows(
  f: FunctionBuilder,
  sums: ReadonlyArray<Local<'v128'>>,
  [data, weight]: readonly [I, I],
  depth: number,
  fused: ReturnType<typeof stepOf>,
): void {
  const pointers = sums.map((_, i) => f.let(i32.add(weight, 4 * depth * i)));
  const step = (lanes: number): void => {
    const factors = f.let(loadLanes(data, lanes));
    for (const [i, sum] of sums.entries()) {
      f.set(sum, fused(loadLanes(pointers[i] as I, lanes), factors, sum));
    }
  };
  if (depth >= 4) {
    f.repeat(Math.floor(depth / 4), () => {
      step(4);
      for (const pointer of [data, ...pointers]) f.increase(pointer, 16);
    });
  }
  if (depth % 4 !== 0) step(depth % 4);
}
