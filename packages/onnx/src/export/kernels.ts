/** The export of kernels that stand for whole nodes: each call is the node that it came from. */
import type { Func, TensorType } from '@baton/ir';
import { onnxImporters } from '../catalogue.ts';
import { valueOfKind } from '../operator-api/attribute-values.ts';
import type { AttributeKinds } from '../operator-api/attributes.ts';
import type { NodeAttributeValues, Operand } from '../operator-api/exporter.ts';
import { KERNEL_INPUTS, operatorKey, operatorOfKernel } from '../operator-api/importer.ts';
import { factsOf } from '../schemas/schemas.ts';
import { fitted } from './fitting.ts';
import { operand } from './graph-builder.ts';
import { addNode, need, type Site } from './run.ts';
import type { Value } from './values.ts';

/**
 * The results of the node that a kernel stands for; `undefined` if it stands for none, or for one
 * that the operator set or the target lacks: its body then says what it computes.
 */
export function writeKernel(
  site: Site,
  func: Func,
  args: ReadonlyArray<Value>,
): ReadonlyArray<Operand> | undefined {
  const { Composite: name, [KERNEL_INPUTS]: places } = func.attrs;
  if (typeof name !== 'string' || !Array.isArray(places)) return undefined;
  const { domain, opType } = operatorOfKernel(name);
  const operator = onnxImporters.get(operatorKey(domain, opType));
  const results = resultsOf(func);
  const tensors = args.filter((arg) => arg._tag === 'Tensor');
  const isWhole = results !== undefined && tensors.length === places.length;
  if (operator?.kernelSince === undefined || !isWhole) return undefined;
  const { opset, isChosen, target } = site.run;
  const isOnnx = domain === '' && operator.isRuntimeOnly !== true;
  if (!isOnnx && target === 'onnx') return undefined;
  if (isOnnx && opset < operator.kernelSince) {
    // A later set has the node, unless the user has chosen one.
    if (!isChosen) need(site.run, operator.kernelSince, opType, site.span);
    return undefined;
  }
  const inputs: (Operand | undefined)[] = [];
  for (const [i, place] of places.entries()) inputs[Number(place)] = tensors[i];
  const outputs = results.map((type) => operand(type));
  const attributes = attributesOf(func, factsOf(operator).attributes);
  const node = { opType, domain, inputs: Array.from(inputs), outputs, attributes, graphs: {} };
  const fit = fitted(node, opset, isChosen);
  if (fit._tag === 'Lacking' || (fit._tag === 'Later' && isChosen)) return undefined;
  if (domain !== '') site.run.domains.add(domain);
  addNode(site, node);
  return outputs;
}

/** The types of the results, if all are tensors. */
function resultsOf({ retType }: Func): ReadonlyArray<TensorType> | undefined {
  if (retType?._tag !== 'TupleType') return undefined;
  const tensors = retType.fields.filter((field) => field._tag === 'TensorType');
  return tensors.length === retType.fields.length ? tensors : undefined;
}

/** The attributes of the node, which the kernel has under the same names. */
function attributesOf({ attrs }: Func, kinds: AttributeKinds): NodeAttributeValues {
  const given = [...kinds].flatMap(([name, kind]) => {
    const value = Object.hasOwn(attrs, name) ? valueOfKind(kind, attrs[name]) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}
