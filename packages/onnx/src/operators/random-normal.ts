/** `RandomNormal`: random numbers in a stated shape. */
import { drawing, NORMAL } from '../families/random.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const randomNormal: OnnxImporter = drawing(NORMAL, false);
