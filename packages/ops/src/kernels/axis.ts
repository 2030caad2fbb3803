/** The rows of a tensor along one axis. */
import { type Shape, shapeSize } from '@baton/tensor';

/** The rows of dense row-major storage along one axis. */
export interface AxisRows {
  readonly length: number;
  /** The offset from one element of a row to the next. */
  readonly step: number;
  /** Calls `visit` with the offset of each row's first element. */
  readonly forEach: (visit: (start: number) => void) => void;
}

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
