/** The options of an export. */
import { aFunction, aText, type Limits, type OptionTypes, someLimits } from '@baton/base';
import type { ExternalLocation } from '../import/options.ts';
import { OPSETS } from '../signature.ts';

/** What the file is for: onnxruntime, whose operators and fusions it may count on, or any runtime. */
export type ExportTarget = 'onnxruntime' | 'onnx';

/** The targets of an export. */
export const EXPORT_TARGETS: ReadonlyArray<ExportTarget> = ['onnxruntime', 'onnx'];

export interface ExportOptions {
  /**
   * The version of ONNX's operator set: 13 to 28. Default: 18, or the set of the file that the
   * program comes from if it is later, or the first that the program needs; for floats of 16 bits the set of
   * the file, or 17.
   */
  readonly opset?: number;
  /** The name of the graph. Default: `main`. */
  readonly name?: string;
  /**
   * Limits of nodes, of the bytes of tables that are made, and whether the export should stop.
   * @defaultValue by the size of the program
   */
  readonly limits?: Limits;
  /**
   * Stores the elements of a tensor outside the file and returns where; `undefined` leaves them
   * inside. A file of protobuf has at most 2 GiB.
   */
  readonly externalData?: (name: string, bytes: Uint8Array) => ExternalLocation | undefined;
  /**
   * `onnxruntime` writes the nodes of its own domains that a model came with, and spells formulas as it
   * fuses them. `onnx` writes operators of ONNX alone. @defaultValue 'onnxruntime'
   */
  readonly target?: ExportTarget;
  /**
   * Short names number the values inside and leave out the nodes' names and origins, for a file of fewer
   * bytes. Inputs, outputs and weights keep theirs. @defaultValue 'full'
   */
  readonly names?: 'full' | 'short';
}

/** The options' types, for checks. */
export const EXPORT_OPTIONS: OptionTypes<ExportOptions> = {
  opset: {
    expected: `a whole number from ${OPSETS.least} to ${OPSETS.most}`,
    is: (value) =>
      Number.isInteger(value) &&
      (value as number) >= OPSETS.least &&
      (value as number) <= OPSETS.most,
  },
  name: aText,
  limits: someLimits,
  externalData: aFunction,
  target: {
    expected: EXPORT_TARGETS.join(' or '),
    is: (value) => EXPORT_TARGETS.some((target) => target === value),
  },
  names: { expected: 'full or short', is: (value) => value === 'full' || value === 'short' },
};
