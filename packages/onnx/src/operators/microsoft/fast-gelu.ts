/** `FastGelu`: the approximation of `Gelu` by tanh, of data or of a sum. */
import { tanhGeluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const fastGelu: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'FastGelu',
  kernelSince: 1,
  convert: (context) => {
    const { call, input, optional } = context;
    const bias = optional(1);
    return tanhGeluOf(context, bias ? call('add', [input(0), bias]) : input(0));
  },
};
