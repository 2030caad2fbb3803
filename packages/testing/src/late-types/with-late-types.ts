/** Programs in which operators are applied before the types of their arguments are known. */
import { isRight } from '@baton/base';
import { emptyTypeTable, type Func, type IRModule, inferTypes, irModule } from '@baton/ir';
import { type Choices, makeChoices } from '../generate/random.ts';
import { outlined } from './outline.ts';
import { type Sizes, stripped } from './strip.ts';

/** The shares of annotations to drop, tried in order until inference accepts the program. */
const SHARES = [0.6, 0.35, 0.15];

/**
 * A program with the results of a well-typed one and fewer annotations: sizes are free until it
 * runs, and calls of operators go through functions that get their most general types, with
 * aliases, in tuples and references, as arguments. It is inferred; if inference accepts no such
 * program, the module itself is returned.
 *
 * **Complexity** of inference, a few times.
 */
export function withLateTypes(m: IRModule, seed: number): IRModule {
  const random = makeChoices(seed);
  for (const share of SHARES) {
    const functions = looser(m, share, random);
    const inferred = inferTypes(irModule({ ...m, functions, types: emptyTypeTable() }));
    if (isRight(inferred)) return inferred.right;
  }
  return m;
}

function looser(m: IRModule, share: number, random: Choices): ReadonlyMap<string, Func> {
  const sizes = random.weighted<Sizes>([
    [4, 'stated'],
    [3, 'unknown'],
    [2, 'named'],
  ]);
  const through = outlined(m.functions, m.ops, { share: random.chance(0.8) ? share : 0 }, random);
  // A name is a size of its own, which contradicts annotations with numbers.
  const left = sizes === 'named' ? 1 : random.pick([0, 0.5, 1]);
  return stripped(through, { share: left, sizes }, random);
}
