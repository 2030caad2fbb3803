/** Programs in float64: the shadow of a program that computes in narrower dtypes. */
import { fail, type Result, right } from '@baton/base';
import {
  type AttrValue,
  type DTypeTerm,
  type IRModule,
  inferTypes,
  mappedTypes,
  type Type,
  type TypeParts,
} from '@baton/ir';
import { cast, dtypeInfo, fromNumbers, type Tensor, toNumbers } from '@baton/tensor';
import { notWidened } from './diagnostics.ts';
import { retype } from './retype.ts';

/**
 * The module with float64 in place of every narrower float: in parameters, constants, annotations
 * and attributes. A module without narrower floats is returned unchanged. A constant that is the
 * largest or the least value of its dtype becomes the extreme of float64.
 *
 * **Errors** `EQUIV_NOT_WIDENED` for an algebraic data type that contains narrower floats; errors
 * of inference for a program that needs them, such as one that reads their bits.
 *
 * **Complexity** linear in the module.
 */
export function widen(m: IRModule): Result<IRModule> {
  for (const data of m.typeDefinitions.values()) {
    const holds = data.constructors.some((c) => c.inputs.some((t) => widening.type(t) !== t));
    if (holds)
      return fail(notWidened(`the type ${data.header.nameHint} of narrower floats`, undefined));
  }
  const next = retype(m, {
    types: widening,
    tensor: widenTensor,
    attr: widenAttr,
    forgetDerived: false,
  });
  return next === m ? right(m) : inferTypes(next);
}

/** The values in float64; extremes of the dtype become those of float64. */
export function widenTensor(t: Tensor): Tensor {
  if (!isNarrow(t.dtype)) return t;
  const { min, max } = dtypeInfo(t.dtype);
  const wide = dtypeInfo('float64');
  const values = toNumbers(t);
  let hasExtremes = false;
  for (let i = 0; i < values.length && !hasExtremes; i++) {
    hasExtremes = values[i] === min || values[i] === max;
  }
  if (!hasExtremes) return cast(t, 'float64');
  const widened = Array.from(values, (v) =>
    Number(v === min ? wide.min : v === max ? wide.max : v),
  );
  return fromNumbers(widened, t.shape, 'float64');
}

const isNarrow = (dtype: DTypeTerm | AttrValue): boolean =>
  dtype === 'float32' || dtype === 'float16' || dtype === 'bfloat16';

const widening: TypeParts = mappedTypes({
  dtype: (dtype) => (isNarrow(dtype) ? 'float64' : dtype),
});

export const widenType = (type: Type): Type => widening.type(type);

function widenAttr(value: AttrValue): AttrValue {
  if (isNarrow(value)) return 'float64';
  if (!Array.isArray(value) || !value.some(isNarrow)) return value;
  return value.map((item) => (isNarrow(item) ? 'float64' : item));
}
