/** The forms of operators in ONNX, if one node is one call with the same inputs. */
import { type AttrValue, type Column, defineColumn } from '@baton/ir';

/** An operator of ONNX that is an operator of Baton under another name. */
export interface OnnxForm {
  readonly opType: string;
  /** The versions of ONNX's set at which its definition changed, from the first supported one. */
  readonly versions: ReadonlyArray<number>;
  /**
   * The first version whose inputs broadcast as in NumPy: before it, the second one lies along axes of the
   * first from the attribute `axis` on, or along its last ones.
   */
  readonly broadcastsSince?: number;
  /** ONNX's attributes. Default: none. */
  readonly attributes?: ReadonlyArray<OnnxAttribute>;
}

/** An attribute that is one of Baton's under another name. */
export interface OnnxAttribute {
  readonly name: string;
  /** The name in Baton. */
  readonly as: string;
  readonly kind: 'int' | 'ints' | 'float' | 'string';
  /** The default in ONNX, if it differs from Baton's. */
  readonly defaultValue?: AttrValue;
}

/** The operator's form in ONNX; absent if the import takes more than another name. */
export const onnxColumn: Column<OnnxForm> = defineColumn('onnx');
