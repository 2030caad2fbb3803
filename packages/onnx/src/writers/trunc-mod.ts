/** `trunc_mod`: the remainder with the sign of the left side. */
import { formula } from '../forms/formula.ts';
import { int } from '../node/attribute-values.ts';
import type { OnnxWriter } from '../node/writer.ts';

export const truncMod: OnnxWriter = formula('trunc_mod', ({ node }, a, b) =>
  node('Mod', [a, b], { fmod: int(1) }),
);
