/** How operators are written in ONNX, where one node is one call with the same inputs. */
import { type AttrValue, type Column, defineColumn } from '@baton/ir';

/** An operator of ONNX that is an operator of Baton under another name. */
export interface OnnxForm {
  readonly opType: string;
  /** The versions of ONNX's operator set at which its definition changed, from the first that is this. */
  readonly versions: ReadonlyArray<number>;
  /** ONNX's attributes. Default: none. */
  readonly attributes?: ReadonlyArray<OnnxAttribute>;
}

/** An attribute that is one of Baton's under another name. */
export interface OnnxAttribute {
  readonly name: string;
  /** Baton's name. */
  readonly as: string;
  readonly kind: 'int' | 'ints' | 'float' | 'string';
  /** What holds where the node says nothing. Default: what holds in Baton. */
  readonly defaultValue?: AttrValue;
}

/** How the operator is written in ONNX; absent where that takes more than another name. */
export const onnxColumn: Column<OnnxForm> = defineColumn('onnx');
