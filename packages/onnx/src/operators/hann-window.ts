/** `HannWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const hannWindow: OnnxImporter = cosineWindow('HannWindow', [0.5, 0.5]);
