/** The dimensions of a model, under the names that `--dim` takes. */
import { isLeft } from '@baton/base';
import { bareAtom, type Type, type TypeVar, typeText } from '@baton/ir';
import { decodeModel, dimensionName } from '@baton/onnx';
import type { IRModule } from 'batonjs';

/** The names of the open dimensions of a file's inputs, by input and axis. */
export type FileDimensions = ReadonlyMap<string, ReadonlyArray<string | undefined>>;

export function fileDimensions(file: Uint8Array): FileDimensions {
  const model = decodeModel(file);
  const inputs = isLeft(model) ? [] : (model.right.graph?.inputs ?? []);
  return new Map(
    inputs.map(({ name, type }) => {
      const dims = type?._tag === 'Tensor' ? (type.shape ?? []) : [];
      return [name, dims.map((dim, axis) => dimensionName(name, axis, dim))];
    }),
  );
}

/** Prints types with the file's names of dimensions. */
export interface TypeTexts {
  readonly textOf: (type: Type) => string;
  readonly dims: ReadonlyArray<string>;
}

export function typeTexts(m: IRModule, file: FileDimensions): TypeTexts {
  const names = new Map<TypeVar, string>();
  for (const { nameHint, typeAnnotation: type } of m.functions.get('main')?.params ?? []) {
    if (type?._tag !== 'TensorType' || '_tag' in type.shape) continue;
    for (const [axis, dim] of type.shape.entries()) {
      const atom = bareAtom(dim);
      if (atom?._tag !== 'TypeVar' || names.has(atom)) continue;
      names.set(atom, file.get(nameHint)?.[axis] ?? atom.nameHint);
    }
  }
  const typeVar = (v: TypeVar): string => names.get(v) ?? v.nameHint;
  const within = (variables: ReadonlyArray<TypeVar>) =>
    new Map(variables.map((v) => [v, typeVar(v)]));
  return { textOf: (type) => typeText(type, { typeVar, within }), dims: [...names.values()] };
}
