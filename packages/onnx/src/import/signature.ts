/** What a graph says of its inputs and outputs, for the export. */
import { bareAtom, type Dim, isStaticDim, type Type, type Var } from '@baton/ir';
import { elementType } from '../protobuf/element-type.ts';
import type { DimensionProto, GraphProto, ValueInfoProto } from '../protobuf/messages.ts';
import type { ContainerOutput, InputDefault, Signature } from '../signature.ts';

/** The signature of a graph whose inputs became these parameters, and its outputs these types. */
export function signatureOfGraph(
  graph: GraphProto,
  params: ReadonlyArray<Var>,
  results: ReadonlyArray<Type | undefined>,
  defaults: ReadonlyArray<InputDefault>,
): Signature {
  const stated = new Map(graph.inputs.map((input) => [input.name, input]));
  const inputs = params.map(({ nameHint, typeAnnotation }) => ({
    dims: dimsOf(typeAnnotation),
    names: namesOf(stated.get(nameHint)),
  }));
  // A variable is written under its own name unless the file has another for it.
  const own = new Map<string, string>();
  for (const { dims, names } of inputs) {
    for (const [axis, dim] of dims.entries()) own.set(variableOf(dim), names[axis] ?? '');
  }
  const outputs = graph.outputs.map((output, i) => ({
    dims: dimsOf(results[i]),
    names: statedDims(output),
  }));
  const inputsDiffer = [...own].some(([variable, name]) => variable !== name);
  const outputsDiffer = outputs.some(({ dims, names }) =>
    dims.some((dim, axis) => {
      const name = names[axis] ?? '';
      const variable = variableOf(dim);
      if (typeof name === 'number') return variable === '' && !isStaticDim(dim);
      return name !== '' && !isStaticDim(dim) && name !== (own.get(variable) ?? variable);
    }),
  );
  return {
    outputNames: graph.outputs.map((output) => output.name),
    inputDims: inputsDiffer ? inputs.map(({ names }) => names) : [],
    outputDims: outputsDiffer ? outputs.map(({ names }) => names) : [],
    containers: graph.outputs.map(containerOf),
    defaults,
    statesShapes: (graph.valueInfos ?? []).some((value) =>
      namesOf(value).some((name) => name !== ''),
    ),
  };
}

const dimsOf = (type: Type | undefined): ReadonlyArray<Dim> =>
  type?._tag === 'TensorType' && !('_tag' in type.shape) ? type.shape : [];

/** The name of a dimension that is a variable. */
function variableOf(dim: Dim): string {
  const atom = isStaticDim(dim) ? undefined : bareAtom(dim);
  return atom?._tag === 'TypeVar' ? atom.nameHint : '';
}

const namesOf = (value: ValueInfoProto | undefined): ReadonlyArray<string> =>
  value?.type?._tag === 'Tensor' ? (value.type.shape ?? []).map(nameOf) : [];

/** The names and the sizes; a size below 0 is one that the file does not state. */
const statedDims = (value: ValueInfoProto): ReadonlyArray<string | number> =>
  value.type?._tag === 'Tensor'
    ? (value.type.shape ?? []).map((dim) =>
        typeof dim === 'number' && dim >= 0 ? dim : nameOf(dim),
      )
    : [];

const nameOf = (dim: DimensionProto): string => (typeof dim === 'string' ? dim : '');

function containerOf({ type }: ValueInfoProto): ContainerOutput | undefined {
  const element = type?._tag === 'Container' ? elementType(type.of.elemType) : undefined;
  return type?._tag === 'Container' && element !== undefined
    ? { container: type.container, dtype: element.dtype }
    : undefined;
}
