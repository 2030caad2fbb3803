/** The function `tensor`, with all other functions of `@baton/tensor` as its properties. */
import * as tensors from '@baton/tensor';

/** As `tensor` of `@baton/tensor`. */
const makeTensor: typeof tensors.tensor = (data, shape, dtype) =>
  tensors.tensor(data, shape, dtype);

/**
 * A dense row-major tensor, as `tensor([1, 2, 3], [3], 'float32')`. Everything in `@baton/tensor`
 * is a property of it by its name: `tensor.zeros([2, 3], 'float32')`, `tensor.toNested(t)`.
 */
export const tensor: typeof tensors.tensor & Omit<typeof tensors, 'tensor'> =
  /* @__PURE__ */ Object.assign(makeTensor, tensors);
