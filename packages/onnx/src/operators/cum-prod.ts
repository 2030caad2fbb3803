/** `CumProd`: the product of all elements up to each place. */
import { scan } from '../families/scan.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const cumProd: OnnxImporter = scan('CumProd', 'cumprod');
