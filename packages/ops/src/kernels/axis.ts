/** The rows of a tensor along one axis. */
import { type Shape, shapeSize } from '@baton/tensor';

/** The rows of a dense row-major tensor along one axis. */
export interface AxisRows {
  /** Elements in a row. */
  readonly length: number;
  /** From one element of a row to the next. */
  readonly step: number;
  /** Calls with the place of each row's first element. */
  readonly forEach: (visit: (start: number) => void) => void;
}

/** The rows along `axis` of dense data of this shape. */
export function alongAxis(shape: Shape, axis: number): AxisRows {
  const length = shape[axis] as number;
  const outer = shapeSize(shape.slice(0, axis));
  const step = shapeSize(shape.slice(axis + 1));
  return {
    length,
    step,
    forEach: (visit) => {
      for (let o = 0; o < outer; o++) {
        for (let i = 0; i < step; i++) visit(o * length * step + i);
      }
    },
  };
}
