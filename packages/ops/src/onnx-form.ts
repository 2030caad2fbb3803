/** The ONNX forms of operators of which one node is one call with the same inputs. */
import { type AttrValue, type Column, defineColumn } from '@baton/ir';

export interface OnnxForm {
  readonly opType: string;
  /** The opset versions that changed its definition, from the first supported one. */
  readonly versions: ReadonlyArray<number>;
  /**
   * The first version whose inputs broadcast as in NumPy. Before it, the second one is aligned with
   * axes of the first from the attribute `axis` on, or with its last ones.
   */
  readonly broadcastsSince?: number;
  /** ONNX's attributes. Default: none. */
  readonly attributes?: ReadonlyArray<OnnxAttribute>;
}

export interface OnnxAttribute {
  readonly name: string;
  readonly as: string;
  readonly kind: 'int' | 'ints' | 'float' | 'string';
  /** The default in ONNX, if it differs from Baton's. */
  readonly defaultValue?: AttrValue;
}

/** Absent if importing the operator takes more than another name. */
export const onnxColumn: Column<OnnxForm> = defineColumn('onnx');
