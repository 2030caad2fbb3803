/** Nodes that stay whole: calls of kernels whose bodies are what the nodes compute. */
import {
  type Attrs,
  type AttrValue,
  call,
  type Expr,
  func,
  tuple,
  tupleGetItem,
  tupleType,
  type Var,
  variable,
} from '@baton/ir';
import { KERNEL_INPUTS, kernelName } from '../operator-api/importer.ts';
import type { AttributeValue, NodeProto } from '../protobuf/messages.ts';
import type { NodeParts } from './context.ts';
import { sizesOf } from './folding.ts';
import type { ImportState } from './state.ts';

/** A kernel under way. */
export interface OpenKernel {
  /** What its body sees of the inputs of its node: parameters, and the constants that it reads. */
  readonly inputs: ReadonlyArray<Expr | undefined>;
  /** The results of the kernel's call, given the results of its body. */
  readonly close: (results: ReadonlyArray<Expr>) => ReadonlyArray<Expr>;
}

/** The parts of a kernel besides its node. */
interface KernelParts extends Pick<NodeParts, 'span' | 'isUsed'> {
  /** The inputs whose constants and sizes the body reads. */
  readonly reads: ReadonlyArray<number>;
}

/** A kernel for a node with these inputs. */
export function openKernel(
  state: ImportState,
  node: NodeProto,
  inputs: ReadonlyArray<Expr | undefined>,
  { span, isUsed, reads }: KernelParts,
): OpenKernel {
  const { types } = state;
  const params = inputs.map((input, i) => {
    if (input === undefined) return undefined;
    const param = variable(`x${i}`, types.typeOf(input), span);
    const sizes = reads.includes(i) ? sizesOf(state, input) : undefined;
    if (sizes !== undefined) state.sizes.set(param, sizes);
    return param;
  });
  const inputsOfBody = params.map((param, i) => {
    const input = inputs[i];
    return reads.includes(i) && input?._tag === 'Constant' ? input : param;
  });
  return {
    inputs: inputsOfBody,
    close: (given) => {
      // A node need not list results after the last one used: their types may be unknown.
      const results = given.slice(0, node.outputs.findLastIndex(isUsed) + 1);
      const type = tupleType(results.flatMap((result) => types.typeOf(result) ?? []));
      const kernel = func(
        params.filter((param) => param !== undefined),
        tuple(results, span),
        { retType: type, attrs: kernelAttrs(node, params), span },
      );
      const args = inputs.filter((input) => input !== undefined);
      const made = call(kernel, args, { span });
      types.set(made, type);
      return results.map((_, i) => tupleGetItem(made, i, span));
    },
  };
}

/** The name of the node's operator, the places of its inputs, and its attributes. */
function kernelAttrs(node: NodeProto, params: ReadonlyArray<Var | undefined>): Attrs {
  const given = node.attributes.flatMap(({ name, value }): ReadonlyArray<[string, AttrValue]> => {
    const plain = plainValue(value);
    return plain === undefined ? [] : [[name, plain]];
  });
  return {
    Primitive: 1,
    Composite: kernelName(node.domain, node.opType),
    [KERNEL_INPUTS]: params.flatMap((param, i) => (param === undefined ? [] : [i])),
    ...Object.fromEntries(given),
  };
}

function plainValue(value: AttributeValue): AttrValue | undefined {
  switch (value.kind) {
    case 'int':
      return Number(value.value);
    case 'ints':
      return value.value.map(Number);
    case 'float':
    case 'string':
    case 'floats':
    case 'strings':
      return value.value;
    default:
      // Operators whose nodes stay whole have no attributes of other kinds.
      return undefined;
  }
}
