/** `mod`: the remainder with the sign of the left side. */
import { formula } from '../forms/formula.ts';
import { int } from '../operator-api/attribute-values.ts';
import type { OnnxExporter } from '../operator-api/exporter.ts';

export const mod: OnnxExporter = formula('mod', ({ node }, a, b) =>
  node('Mod', [a, b], { fmod: int(1) }),
);
