/** `RandomUniform`: random numbers in a stated shape. */
import { drawing, UNIFORM } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const randomUniform: OnnxImporter = drawing(UNIFORM, false);
