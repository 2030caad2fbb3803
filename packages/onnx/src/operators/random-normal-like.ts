/** `RandomNormalLike`: random numbers in the shape of a tensor. */
import { drawing, NORMAL } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const randomNormalLike: OnnxImporter = drawing(NORMAL, true);
