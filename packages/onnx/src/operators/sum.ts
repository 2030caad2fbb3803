/** `Sum`: the sum of tensors that broadcast. */
import { variadic } from '../families/elementwise.ts';
import type { OnnxImporter } from '../operator-api/importer.ts';

export const sum: OnnxImporter = variadic({ opType: 'Sum', since: 6, op: 'add' });
