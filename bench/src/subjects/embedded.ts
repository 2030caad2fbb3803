/** The networks that ship with Baton: what `pnpm bench` reports on by default. */
import { type IRModule, mobilenetV2, resnet18 } from 'baton';
import { isLeft, right } from 'fp-ts/lib/Either.js';
import { seededInputs } from './inputs.ts';
import type { Subject } from './subject.ts';

const embedded = (name: string, build: () => IRModule): Subject => ({
  name,
  load: async () => {
    const module = build();
    const inputs = seededInputs(module, name);
    return isLeft(inputs) ? inputs : right({ module, inputs: inputs.right, weightsMs: 0 });
  },
  expected: undefined,
});

/** ResNet-18 and MobileNet v2 at the size of their papers. */
export const embeddedSubjects: ReadonlyArray<Subject> = [
  embedded('resnet18', () => resnet18()),
  embedded('mobilenet_v2', () => mobilenetV2()),
];
