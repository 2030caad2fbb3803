/** `HammingWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const hammingWindow: OnnxImporter = cosineWindow('HammingWindow', [25 / 46, 21 / 46]);
