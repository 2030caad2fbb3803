/** `tensor` makes a tensor, and what else there is for tensors is a property of it. */
import * as tensors from '@baton/tensor';

/** As `tensor` of `@baton/tensor`. */
const makeTensor: typeof tensors.tensor = (data, shape, dtype) =>
  tensors.tensor(data, shape, dtype);

/**
 * A dense row-major tensor, as `tensor([1, 2, 3], [3], 'float32')`; and everything of
 * `@baton/tensor` by its name, as `tensor.zeros([2, 3], 'float32')`, `tensor.toNested(t)`.
 */
export const tensor: typeof tensors.tensor & Omit<typeof tensors, 'tensor'> =
  /* @__PURE__ */ Object.assign(makeTensor, tensors);
