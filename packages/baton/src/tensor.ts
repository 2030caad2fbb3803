/** The function `tensor`, with all other functions of `@baton/tensor` as its properties. */
import { atCaller, diagnostic, didYouMean, failure, orThrow } from '@baton/base';
import * as tensors from '@baton/tensor';

/** As `tensor` of `@baton/tensor`, from a caller whose mistakes are named. */
const makeTensor: typeof tensors.tensor = (data, shape, dtype) => {
  const wrong = failure(atCaller(mistakesIn(data, shape, dtype), 'tensor', makeTensor));
  if (wrong !== undefined) orThrow(wrong);
  return tensors.tensor(data, shape, dtype);
};

function mistakesIn(...[data, shape, dtype]: Parameters<typeof tensors.tensor>) {
  if (!tensors.isDType(dtype)) {
    const known = tensors.DTYPES;
    // `float` and `int` have no width.
    const near = known.find((name) => name === `${dtype}32`) ?? String(dtype);
    const hint = didYouMean(near, known) ?? `they are ${known.join(', ')}`;
    return [diagnostic('TENSOR_DTYPE', `expected a dtype, found ${String(dtype)}`, { hint })];
  }
  const size = Array.isArray(shape) ? tensors.shapeSize(shape) : undefined;
  if (size === data?.length) return [];
  const form = size === undefined ? 'a shape' : `${size} elements for shape (${shape.join(', ')})`;
  const found = size === undefined ? String(shape) : String(data?.length);
  return [diagnostic('TENSOR_LENGTH', `expected ${form}, found ${found}`)];
}

/**
 * A dense row-major tensor, as `tensor([1, 2, 3], [3], 'float32')`. Everything in `@baton/tensor`
 * is a property of it by its name: `tensor.zeros([2, 3], 'float32')`, `tensor.toNested(t)`.
 *
 * **Errors** throws `TENSOR_DTYPE` and `TENSOR_LENGTH`.
 */
export const tensor: typeof tensors.tensor & Omit<typeof tensors, 'tensor'> =
  /* @__PURE__ */ Object.assign(makeTensor, tensors);
