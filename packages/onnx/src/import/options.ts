import type { OpTable } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import type { DecodeLimits } from '../protobuf/budget.ts';

/** What a weight must look like. */
export interface WeightInfo {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
}

/** Gives the weight of a name, or `undefined` for the one in the file. */
export type WeightSource = (name: string, info: WeightInfo) => Tensor | undefined;

/** A place outside the model file. */
export interface ExternalLocation {
  /** The path that the file states, unchecked. */
  readonly location: string;
  readonly offset: number;
  /** `undefined`: to the end. */
  readonly length: number | undefined;
}

/** How a model is imported. */
export interface ImportOptions {
  /** The operators that the module may call. */
  readonly ops: OpTable;
  /** The name of the file, for diagnostics and provenance; `onnx` if left out. */
  readonly source?: string;
  /**
   * The sizes of dimensions by name: `{ batch: 1, seq: 16 }`. A dimension to which the file gives no
   * name is called by its input and axis, as `x:0`. Names that are left out stay unknown; one that
   * the model does not have is an error.
   */
  readonly dims?: Readonly<Record<string, number>>;
  /**
   * Weights by the name of their value: they take the place of floating-point initializers and of
   * the results of ConstantOfShape.
   */
  readonly weights?: Readonly<Record<string, Tensor>> | ReadonlyMap<string, Tensor> | WeightSource;
  /** Inputs of the graph whose values are known: they become constants, not parameters. */
  readonly constants?: Readonly<Record<string, Tensor>>;
  /** Reads data that the file keeps elsewhere; without it such data is refused. */
  readonly externalData?: (place: ExternalLocation) => Uint8Array | undefined;
  /** The largest tensor that a ConstantOfShape may make, in bytes; 64 MiB if left out. */
  readonly maxConstantBytes?: number;
  /** Limits of decoding, where the defaults do not fit. */
  readonly limits?: Partial<DecodeLimits>;
}

/** The default of `maxConstantBytes`. */
export const MAX_CONSTANT_BYTES: number = 64 * 2 ** 20;

/** The supplier of weights that the options name. */
export function weightSource(options: ImportOptions): WeightSource {
  const { weights } = options;
  if (weights === undefined) return () => undefined;
  if (typeof weights === 'function') return weights;
  if (isMap(weights)) return (name) => weights.get(name);
  return (name) => (Object.hasOwn(weights, name) ? weights[name] : undefined);
}

/** The names of the weights that the options list. */
export function suppliedNames({ weights }: ImportOptions): ReadonlyArray<string> {
  if (weights === undefined || typeof weights === 'function') return [];
  return isMap(weights) ? [...weights.keys()] : Object.keys(weights);
}

const isMap = (
  weights: Readonly<Record<string, Tensor>> | ReadonlyMap<string, Tensor>,
): weights is ReadonlyMap<string, Tensor> => weights instanceof Map;
