/** `FastGelu`: the approximation of `Gelu` by tanh, of data or of a sum. */
import { tanhGeluOf } from '../../families/gelu.ts';
import { MICROSOFT } from '../../operator-api/domains.ts';
import type { OnnxImporter } from '../../operator-api/importer.ts';

export const fastGelu: OnnxImporter = {
  domain: MICROSOFT,
  opType: 'FastGelu',
  versions: [1],
  inputs: [1, 2],
  kernelSince: 1,
  convert: (context) => {
    const { call, input, optional } = context;
    const bias = optional(1);
    return tanhGeluOf(context, bias ? call('add', [input(0), bias]) : input(0));
  },
};
