/** Copies rows of planes. */
import { type Local, type ModuleBuilder, v128 } from '../emit/index.ts';
import { loadLanes, storeLanes } from './lanes.ts';
import { integers } from './tile.ts';

type I = Local<'i32'>;

/** A function that copies a row of a given tail: from, to, the number of whole vectors. */
export const copyRow = (module: ModuleBuilder, columns: number) => {
  const tail = columns > 0 ? columns % 4 : 0;
  return module.once(`copy row ${tail}`, () =>
    module.procedure(integers(3), (f, from, to, vectors) => {
      f.for(0, vectors as I, 1, () => {
        f.do(v128.store(to as I, v128.load(from as I)));
        f.increase(from as I, 16);
        f.increase(to as I, 16);
      });
      if (tail !== 0) storeLanes(f, to as I, loadLanes(from as I, tail), tail);
    }),
  );
};
