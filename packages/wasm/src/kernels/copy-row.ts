/** Copies rows of planes. */
import { type Local, type ModuleBuilder, v128 } from '../emit/index.ts';
import { sharedFunction } from './function.ts';
import { loadLanes, storeLanes } from './lanes.ts';

type I = Local<'i32'>;

/** A function that copies a row of a given tail: from, to, the number of whole vectors. */
export const copyRow = (module: ModuleBuilder, columns: number) => {
  const tail = columns > 0 ? columns % 4 : 0;
  return sharedFunction(module, `copy row ${tail}`, 3, (f, ...params) => {
    const [from, to, vectors] = params as readonly [I, I, I];
    f.for(0, vectors, 1, () => {
      f.do(v128.store(to, v128.load(from)));
      f.increase(from, 16);
      f.increase(to, 16);
    });
    if (tail !== 0) storeLanes(f, to, loadLanes(from, tail), tail);
  });
};
