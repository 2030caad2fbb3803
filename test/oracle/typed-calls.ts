/** The examples of each operator in every element type, for which its call has a type. */
import { isLeft, mulberry32 } from '@baton/base';
import {
  type Attrs,
  call,
  constant,
  type Expr,
  func,
  type IRModule,
  inferTypes,
  irModule,
  opRef,
  type TensorType,
  tensorType,
  tuple,
  type Var,
  variable,
} from '@baton/ir';
import { type ExampleArg, examplesColumn, standardOps } from '@baton/ops';
import {
  cast,
  type DType,
  fromNumbers,
  isFloat,
  isTensor,
  shapeSize,
  type Tensor,
} from '@baton/tensor';

/** The element types that operators compute with. */
export const TYPES: ReadonlyArray<DType> = [
  ...(['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64'] as const),
  ...(['uint64', 'float16', 'bfloat16', 'float32', 'float64'] as const),
];

/** A program of one call, with numbers for its parameters. */
export interface TypedCall {
  readonly name: string;
  readonly dtype: DType;
  readonly module: IRModule;
  readonly values: ReadonlyArray<Tensor>;
}

const SEED = 7;

/** The calls of an operator in an element type, which replaces the type of the first argument. */
export function typedCalls(name: string, dtype: DType): ReadonlyArray<TypedCall> {
  const info = standardOps.get(name);
  return (standardOps.read(examplesColumn, name) ?? []).flatMap((example) => {
    const own = example.args.flatMap(typesIn)[0]?.dtype;
    const attrs = info?.attrs.decode((example.attrs ?? {}) as Attrs);
    if (own === undefined || attrs === undefined || isLeft(attrs)) return [];
    const random = mulberry32(SEED);
    const params: Var[] = [];
    const values: Tensor[] = [];
    const argOf = (arg: ExampleArg): Expr => {
      if (Array.isArray(arg)) return tuple(arg.map(argOf));
      if (isTensor(arg))
        return constant(arg.dtype === own && isFloat(own) ? cast(arg, dtype) : arg);
      const type = arg as TensorType;
      const typed = tensorType(type.shape, type.dtype === own ? dtype : type.dtype);
      const param = variable(`p${params.length}`, typed);
      params.push(param);
      const numbers = numbersOf(typed, random);
      // A search is in sorted rows.
      const isSorted = name === 'searchsorted' && values.length === 0;
      values.push(isSorted ? { ...numbers, data: numbers.data.toSorted() } : numbers);
      return param;
    };
    const body = call(opRef(name), example.args.map(argOf), { attrs: attrs.right });
    const functions = new Map([['main', func(params, body)]]);
    const module = irModule({ ops: standardOps, functions });
    return isLeft(inferTypes(module)) ? [] : [{ name, dtype, module, values }];
  });
}

const typesIn = (arg: ExampleArg): ReadonlyArray<TensorType> =>
  Array.isArray(arg)
    ? arg.flatMap(typesIn)
    : !isTensor(arg) && '_tag' in arg && arg._tag === 'TensorType'
      ? [arg]
      : [];

/** Small numbers with few digits: they are indices, shifts and lengths, too. */
function numbersOf(type: TensorType, random: () => number): Tensor {
  const shape = '_tag' in type.shape ? [] : type.shape.map(Number);
  const dtype = type.dtype as DType;
  const one = (): number =>
    dtype === 'bool'
      ? Math.round(random())
      : isFloat(dtype)
        ? Math.round((random() + 0.5) * 64) / 64
        : Math.floor(3 * random());
  return fromNumbers(Float64Array.from({ length: shapeSize(shape) }, one), shape, dtype);
}
