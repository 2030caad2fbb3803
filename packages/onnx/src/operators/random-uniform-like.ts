/** `RandomUniformLike`: random numbers in the shape of a tensor. */
import { drawing, UNIFORM } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const randomUniformLike: OnnxImporter = drawing(UNIFORM, true);
