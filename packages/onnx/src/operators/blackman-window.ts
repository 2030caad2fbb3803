/** `BlackmanWindow`. */
import { cosineWindow } from '../families/cosine-window.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const blackmanWindow: OnnxImporter = cosineWindow('BlackmanWindow', [0.42, 0.5, 0.08]);
