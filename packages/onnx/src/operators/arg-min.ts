/** `ArgMin`: the place of the least element. */
import { argReduction } from '../families/arg-reduction.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const argMin: OnnxImporter = argReduction('ArgMin', 'argmin');
