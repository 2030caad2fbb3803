/** `ArgMax`: the place of the greatest element. */
import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const argMax: OnnxImporter = argReduction('ArgMax', 'argmax');
