/** The options of an import. */
import type { Diagnostic, Limits } from '@baton/base';
import type { OpTable } from '@baton/ir';
import type { DType, Tensor } from '@baton/tensor';
import { DEFAULT_DECODE_LIMITS, type DecodeLimits } from '../protobuf/budget.ts';

/** The expected shape and dtype of a weight. */
export interface WeightInfo {
  readonly shape: ReadonlyArray<number>;
  readonly dtype: DType;
}

/** Gives the weight of a name, or `undefined` for the one in the file. */
export type WeightSource = (name: string, info: WeightInfo) => Tensor | undefined;

/** A range of data outside the model file. */
export interface ExternalLocation {
  /** The path that the file states, unchecked. */
  readonly location: string;
  readonly offset: number;
  /** `undefined` means to the end. */
  readonly length: number | undefined;
}

/** The value of an input. */
export type KnownValue = Tensor | ReadonlyArray<Tensor> | null;

/** The options of an import. */
export interface ImportOptions {
  /** The operators that the module may call. */
  readonly ops: OpTable;
  /** The name of the file, for diagnostics and provenance. Default: `onnx`. */
  readonly source?: string;
  /**
   * The sizes of dimensions by name: `{ batch: 1, seq: 16 }`. A dimension without a name in the
   * file is called by its input and axis, as `x:0`. Names that are left out become
   * variables of the module; an unknown name is an error.
   */
  readonly dims?: Readonly<Record<string, number>>;
  /**
   * Weights by the name of their value: they replace floating-point initializers and results of
   * ConstantOfShape.
   */
  readonly weights?: Readonly<Record<string, Tensor>> | ReadonlyMap<string, Tensor> | WeightSource;
  /**
   * Known values of inputs of the graph: they become constants, not parameters. A list is a sequence,
   * and `null` an optional value that is absent.
   */
  readonly constants?: Readonly<Record<string, KnownValue>>;
  /**
   * What becomes of inputs with a default, which are initializers of the same name since IR version 4:
   * `inputs`, whose defaults the attribute `input_defaults` of `@main` keeps for the export, or
   * `constants`. By default they stay inputs, except where the inputs list all weights, where a default
   * is larger than 64 KiB, and where the import needs to know them.
   */
  readonly defaults?: 'inputs' | 'constants';
  /**
   * Reads data outside the file; without it such data is refused. Gives a diagnostic that says why they
   * cannot be read, or `undefined` if there are none. Each range is asked for once.
   */
  readonly externalData?: (place: ExternalLocation) => Uint8Array | Diagnostic | undefined;
  /**
   * Whether the import owns the bytes, and may move weights in them to align them, which saves a
   * copy of the weights. The bytes are no ONNX file afterwards. Default: false.
   */
  readonly ownsBytes?: boolean;
  /**
   * The largest tensor that a ConstantOfShape may make, in bytes. Default: `limits.bytes`, or else 64 MiB.
   */
  readonly maxConstantBytes?: number;
  /** Is told what the import has left out, though it succeeds. */
  readonly onWarning?: (warning: Diagnostic) => void;
  /**
   * Limits that differ from the defaults: of decoding, the bytes of constants that the import makes, and
   * whether it should stop.
   */
  readonly limits?: Partial<DecodeLimits> & Limits;
}

/** The default of `maxConstantBytes`. */
export const MAX_CONSTANT_BYTES: number = 64 * 2 ** 20;

/** The most bytes of a tensor that a ConstantOfShape may make. */
export const mostConstantBytes = ({ maxConstantBytes, limits }: ImportOptions): number =>
  maxConstantBytes ?? limits?.bytes ?? MAX_CONSTANT_BYTES;

/** The limits that are about decoding. */
export const decodeLimits = (limits: ImportOptions['limits'] = {}): Partial<DecodeLimits> =>
  Object.fromEntries(
    Object.entries(limits).filter(
      ([name, limit]) => Object.hasOwn(DEFAULT_DECODE_LIMITS, name) && limit !== undefined,
    ),
  );

/** The supplier of weights in the options. */
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
