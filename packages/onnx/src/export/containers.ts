/** Outputs that contain tensors: sequences, which are tuples in Relay, and optional values. */
import { run as nested, type Steps } from '@baton/base';
import { incompleteType, tensorType } from '@baton/ir';
import { isDType } from '@baton/tensor';
import { int } from '../operator-api/attribute-values.ts';
import type { Operand } from '../operator-api/exporter.ts';
import { elementNumber } from '../protobuf/element-type.ts';
import type { ContainerOutput, Signature } from '../signature.ts';
import { commonType, leavesOf } from './branches.ts';
import { operand } from './graph-builder.ts';
import { addNode, type Site } from './run.ts';
import type { Value } from './values.ts';

/**
 * The outputs of a value of which some are containers, each as one operand, whose type is the common
 * type of the tensors inside. `undefined` if the signature has no containers, or does not fit the value.
 */
export function* withContainers(
  site: Site,
  value: Value,
  { outputNames, containers }: Signature,
): Steps<ReadonlyArray<Operand> | undefined> {
  const count = outputNames.length;
  if (containers.length !== count || !containers.some((one) => one !== undefined)) return undefined;
  const fields = count === 1 ? [value] : value._tag === 'Tuple' ? value.fields : [];
  if (fields.length !== count) return undefined;
  const outputs: Operand[] = [];
  for (const [i, field] of fields.entries()) {
    const container = containers[i];
    const parts = yield* nested(leavesOf(field));
    if (parts === undefined) return undefined;
    const [only, ...others] = parts;
    if (container !== undefined) outputs.push(contained(site, parts, container));
    else if (only !== undefined && others.length === 0) outputs.push(only);
    else return undefined;
  }
  return outputs;
}

function contained(
  site: Site,
  parts: ReadonlyArray<Operand>,
  { container, dtype }: ContainerOutput,
): Operand {
  const [first, ...others] = parts;
  const own = isDType(dtype) ? dtype : 'float32';
  const type = first === undefined ? tensorType([], own) : others.reduce(joined, first.type);
  const made = operand(type);
  const opType =
    container === 'optional'
      ? 'Optional'
      : first === undefined
        ? 'SequenceEmpty'
        : 'SequenceConstruct';
  const attributes = first === undefined ? { dtype: int(elementNumber(own)) } : {};
  addNode(site, { opType, inputs: parts, outputs: [made], attributes, graphs: {} });
  return made;
}

/** The common type of the elements; the sizes are unknown if they differ in rank. */
function joined(type: Operand['type'], other: Operand): Operand['type'] {
  const [a, b] = [type.shape, other.type.shape];
  const haveOneRank = !('_tag' in a) && !('_tag' in b) && a.length === b.length;
  return haveOneRank
    ? commonType(type, other.type)
    : tensorType(incompleteType('Shape'), type.dtype);
}
