/** Programs in float64: the shadow of a program that computes in narrower types. */
import { fail, memoFold, type Result, right } from '@baton/base';
import {
  type AttrValue,
  type DTypeTerm,
  funcType,
  type IRModule,
  inferTypes,
  refType,
  type Type,
  type TypeArg,
  tensorType,
  tupleType,
  typeCall,
  typeChildren,
} from '@baton/ir';
import { cast, dtypeInfo, fromNumbers, type Tensor, toNumbers } from '@baton/tensor';
import { notWidened } from './diagnostics.ts';
import { retype } from './retype.ts';

/**
 * The module with float64 in place of every narrower float: in parameters, constants, annotations
 * and attributes. A module without narrower floats is returned itself.
 *
 * A constant that is the largest or the least value of its type becomes that of float64, so that it
 * stays an extreme.
 *
 * **Errors** `EQUIV_NOT_WIDENED` for an algebraic data type that holds narrower floats; errors of
 * inference for a program that needs them, such as one that reads their bits.
 * **Complexity** linear in the module.
 */
export function widen(m: IRModule): Result<IRModule> {
  const widenType = memoFold(typeChildren, widenOneType);
  for (const data of m.typeDefinitions.values()) {
    const holds = data.constructors.some((c) => c.inputs.some((t) => widenType(t) !== t));
    if (holds)
      return fail(notWidened(`the type ${data.header.nameHint} of narrower floats`, undefined));
  }
  const next = retype(m, {
    type: widenType,
    typeArg: (arg) => widenTypeArg(arg, widenType),
    tensor: widenTensor,
    attr: widenAttr,
    forgetDerived: false,
  });
  return next === m ? right(m) : inferTypes(next);
}

/** The values in float64; the extremes of the type become those of float64. */
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

const isNarrow = (dtype: DTypeTerm): boolean =>
  dtype === 'float32' || dtype === 'float16' || dtype === 'bfloat16';

const widenDType = (dtype: DTypeTerm): DTypeTerm => (isNarrow(dtype) ? 'float64' : dtype);

function widenOneType(type: Type, get: (child: Type) => Type): Type {
  const changed = (parts: ReadonlyArray<Type>): boolean => parts.some((t) => get(t) !== t);
  switch (type._tag) {
    case 'TensorType':
      return isNarrow(type.dtype) ? tensorType(type.shape, 'float64') : type;
    case 'TupleType':
      return changed(type.fields) ? tupleType(type.fields.map(get)) : type;
    case 'FuncType':
      return changed([...type.params, type.result])
        ? funcType(type.params.map(get), get(type.result), type.typeParams, type.constraints)
        : type;
    case 'RefType':
      return changed([type.value]) ? refType(get(type.value)) : type;
    case 'TypeCall': {
      const args = type.args.map((arg) => widenTypeArg(arg, get));
      return args.every((arg, i) => arg === type.args[i]) ? type : typeCall(type.func, args);
    }
    default:
      return type;
  }
}

function widenTypeArg(arg: TypeArg, widenType: (type: Type) => Type): TypeArg {
  if (arg.kind === 'Type') {
    const value = widenType(arg.value);
    return value === arg.value ? arg : { ...arg, value };
  }
  if (arg.kind !== 'BaseType') return arg;
  const value = widenDType(arg.value);
  return value === arg.value ? arg : { ...arg, value };
}

/** Replaces the names of narrower floats, in lists too. */
function widenAttr(value: AttrValue): AttrValue {
  if (typeof value === 'string') return isNarrowName(value) ? 'float64' : value;
  if (!Array.isArray(value) || !value.some((item) => typeof item === 'string')) return value;
  return value.map((item) => (typeof item === 'string' && isNarrowName(item) ? 'float64' : item));
}

const isNarrowName = (text: string): boolean =>
  text === 'float32' || text === 'float16' || text === 'bfloat16';
