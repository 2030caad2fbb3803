/** Channel shuffles, a reshape, a transpose and a reshape: two that cancel go, one is a kernel. */
import { checkPass } from '@baton/equivalence';
import { orThrow } from '@baton/ir';
import { measureModule, standardOps } from '@baton/ops';
import { runPass } from '@baton/pass-manager';
import { passes } from '@baton/passes';
import { kernelCount, movement, saturate } from '@baton/rewrites';
import { parseModule } from '@baton/text';
import { describe, expect, it } from 'vitest';

/** The channels of an image, cut into groups whose members take turns. */
const shuffled = (x: string, groups: number): string =>
  `reshape(transpose(reshape(${x}, newshape=[1, ${groups}, ${6 / groups}, 4, 4]), axes=[0, 2, 1, 3, 4]), newshape=[1, 6, 4, 4])`;

const programOf = (body: string) =>
  orThrow(
    parseModule(`#[version = "0.0.5"]\ndef @main(%x: Tensor[(1, 6, 4, 4), float32]) { ${body} }`, {
      ops: standardOps,
    }),
  );

describe('channel shuffles', () => {
  it.each([
    ['that cancel are gone', shuffled(shuffled('%x', 2), 3), 0],
    ['in a row are one', shuffled(shuffled(shuffled('%x', 2), 3), 2), 3],
  ])('%s', (_, body, nodes) => {
    const m = programOf(body);
    const { module, equivalence } = orThrow(
      checkPass(saturate(movement, { cost: kernelCount }), m),
    );
    expect(measureModule(module).nodes).toBe(nodes);
    expect(equivalence.verdict).toBe('equal');
  });

  it('are one kernel, or part of the convolution before them', () => {
    const one = orThrow(runPass(passes.fuseOps({ level: 3 }))(programOf(shuffled('%x', 2)))).module;
    expect(measureModule(one).kernels).toBe(1);
    const weight = 'Constant(0.5, (6, 6, 1, 1), float32)';
    const body = shuffled(`nn.relu(nn.conv2d(%x, ${weight}, kernel_size=[1, 1]))`, 2);
    const pass = passes.fuseOps({ level: 3, movements: true });
    const { module, equivalence } = orThrow(checkPass(pass, programOf(body)));
    expect(measureModule(module).kernels).toBe(1);
    expect(equivalence.verdict).toBe('equal');
  });
});
