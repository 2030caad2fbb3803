/** What a kernel written by hand is: where it is used, and what it gives. */
import type { Attrs } from '@baton/ir';
import type { BlockOperand, IntegerOperands, OperandStrides, SumType } from '@baton/lower';
import type { DType, Shape } from '@baton/tensor';
import type { FunctionBuilder, FunctionRef, ModuleBuilder, Value } from '../emit/index.ts';
import type { SimdLevel } from '../level.ts';

export type { BlockOperand, IntegerOperands, OperandStrides };

/**
 * How an operand of an epilogue lies along the result: one value for all, one for each channel, or
 * one for each element.
 */
export type Spread = 'scalar' | 'channel' | 'full';

/** Elementwise work on the sums of a product, done before they are stored. */
export interface Epilogue {
  /** Equal keys mean equal work. */
  readonly key: string;
  readonly operands: ReadonlyArray<Spread>;
  readonly sums: SumType;
  /**
   * The types of the operands and of the results, if the sums are integers of 32 bits; those of fewer
   * bits are as wide in a vector. Operands of spread `scalar` and `channel` have 32 bits.
   * @defaultValue all have the type of the sums
   */
  readonly types?: { readonly operands: ReadonlyArray<DType>; readonly out: DType } | undefined;
  /** Whether results are brought within the type of one byte that they are stored in. */
  readonly saturates?: boolean | undefined;
  /**
   * The results for a vector of sums. `operand(i)` gives the values of operand `i` for the same sums, and
   * `isSame(i)` whether they are one value.
   */
  readonly apply: (
    f: FunctionBuilder,
    sums: Value<'v128'>,
    operand: (index: number) => Value<'v128'>,
    isSame: (index: number) => boolean,
  ) => Value<'v128'>;
}

/** The epilogue that leaves sums of a type as they are. */
export const plainOf = (sums: SumType): Epilogue => ({
  key: '',
  operands: [],
  sums,
  apply: (_, given) => given,
});

/** The epilogue that leaves sums of float32 as they are. */
export const plain: Epilogue = plainOf('float32');

/**
 * A call that a kernel may compute. All tensors are dense and row-major but for {@link Site.strides}; they have the type of
 * the sums, except those of products of integers and what their epilogue says.
 */
export interface Site {
  readonly data: Shape;
  readonly weight: Shape;
  readonly out: Shape;
  readonly attrs: Attrs;
  readonly level: SimdLevel;
  readonly epilogue: Epilogue;
  readonly integers?: IntegerOperands | undefined;
  readonly blocks?: BlockOperand | undefined;
  /** The strides of operands that are views of elements with gaps. **Units** elements. */
  readonly strides?: OperandStrides | undefined;
  /** Whether the second operand is known at `prepare`, and may lie packed. */
  readonly isWeightConstant: boolean;
  /**
   * Whether Winograd's transforms may replace the sums of the definition, with an error of about 1e-6 of
   * the results' size: wherever they are faster, or nowhere.
   * @defaultValue where the call's attributes say so
   */
  readonly transforms?: boolean | undefined;
}

/** Floats, or 32 bits each: the integers of a constant and pairs of them. */
export type Words = Float32Array | Float64Array | Int32Array;

/** A kernel for one site. */
export interface HandKernel {
  /** Equal keys mean equal functions. */
  readonly key: string;
  /** Memory that the kernel needs while it runs. */
  readonly scratchBytes: number;
  /** The size of the packed weight, or 0 if the kernel takes the weight as it is. */
  readonly packedBytes: number;
  /** Equal keys mean equal packed weights, of equal weights: sizes of the data are not in it. */
  readonly packKey: string;
  /** Packs the weight once, at `prepare`. */
  readonly pack: (weight: Words, into: Words) => void;
  /**
   * Adds the kernel's functions to a module. Its parameters are addresses in bytes: data, weight, the
   * zero points that the site has or the scales and zero points of blocks, the epilogue's operands, result,
   * scratch. It gives nothing but what it writes to the result.
   */
  readonly emit: (module: ModuleBuilder) => FunctionRef<ReadonlyArray<'i32'>, 'none'>;
}

/** The kernels of one operator. */
export interface KernelEntry {
  /** The operator's name. */
  readonly op: string;
  /** The axis of the result along which operands of spread `channel` lie; negative from the end. */
  readonly channelAxis: number;
  /** Whether it covers sites with strides. @defaultValue false */
  readonly readsViews?: boolean;
  /** Makes the kernel for a site, or `undefined` for sites that it does not cover. */
  readonly make: (site: Site) => HandKernel | undefined;
}
