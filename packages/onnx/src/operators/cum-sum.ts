/** `CumSum`: the sum of all elements up to each place. */
import { scan } from '../families/scan.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const cumSum: OnnxImporter = scan('CumSum', 'cumsum');
