/** Smaller programs like a given one, for shrinking a failing program. */
import { isLeft } from '@baton/base';
import { smallerPrograms } from '@baton/equivalence';
import { type IRModule, inferTypes, type Type, wellFormed } from '@baton/ir';
import { staticTensor } from '@baton/ops';

/**
 * Well-typed modules that are smaller than `m` in one respect, in the order in which the reducer of
 * `@baton/equivalence` tries them: parts of the program first, then the program without a part.
 *
 * **Complexity** each candidate is linear in the program.
 */
export function* smallerModules(m: IRModule): Generator<IRModule> {
  for (const candidate of smallerPrograms(m, 'main')) {
    const next = valid(candidate);
    if (next !== undefined) yield next;
  }
}

/** The module with types, if the generator might have made it. */
function valid(m: IRModule): IRModule | undefined {
  if (wellFormed(m).length > 0) return undefined;
  const main = m.functions.get('main');
  if (!main?.params.every((param) => isResult(param.typeAnnotation))) return undefined;
  const inferred = inferTypes(m);
  if (isLeft(inferred)) return undefined;
  return isResult(inferred.right.functions.get('main')?.retType) ? inferred.right : undefined;
}

const isResult = (type: Type | undefined): boolean =>
  type !== undefined &&
  (type._tag === 'TupleType' ? type.fields : [type]).every((t) => staticTensor(t) !== undefined);
