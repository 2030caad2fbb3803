/** `FlexAttention`: attention whose scores and weights go through graphs of the node. */

import type { Expr } from '@baton/ir';
import { isFloat } from '@baton/tensor';
import { wrongResultCount } from '../diagnostics.ts';
import { sharedHeads } from '../shared/attention.ts';
import { ofType } from '../shared/element-types.ts';
import { matrixProduct } from '../shared/matrix-product.ts';
import { namedType } from '../shared/quantization.ts';
import { operatorName } from './coverage.ts';
import {
  deliver,
  type Frame,
  graphFrame,
  graphOf,
  inputsOf,
  type Site,
  toolsOf,
} from './frames.ts';

/** The frame of the graph that changes the scores, or what follows it. */
export function enterFlexAttention(site: Site): Frame | undefined {
  const inputs = inputsOf(site);
  const [query, key, value] = inputs ?? [];
  const { context, checked } = toolsOf(site, inputs ?? []);
  const { call } = context;
  if (query === undefined || key === undefined || value === undefined) {
    if (inputs !== undefined) checked(() => context.fail('ONNX_INPUTS', 'expected three inputs'));
    return deliver(site, undefined);
  }
  const dtype = context.dtypeOf(query);
  const weighted = (weights: Expr | undefined): undefined => {
    const result =
      weights &&
      checked(() =>
        matrixProduct(context, ofType(context, weights, dtype), sharedHeads(context, value, query)),
      );
    return deliver(site, result && [result]);
  };
  const normalized = (scores: Expr | undefined): Frame | undefined => {
    const weights = scores && checked(() => call('nn.softmax', [scores], { axis: -1 }));
    return weights ? changed(site, 'prob_mod', weights, weighted) : weighted(undefined);
  };
  const scores = checked(() => {
    const precision = namedType(
      context,
      'softmax_precision',
      dtype === 'float64' ? dtype : 'float32',
    );
    const size = context.dimsOf(query)[3];
    const scale = context.attributes.float('scale', 1 / Math.sqrt(Number(size)));
    if (precision === undefined) return undefined;
    if (!isFloat(precision)) {
      return context.fail('ONNX_ATTRIBUTE', `expected a type of floats, found ${precision}`);
    }
    if (Number.isNaN(scale)) return context.unknown('expected a known size of the heads');
    const turned = call('transpose', [sharedHeads(context, key, query)], { axes: [0, 1, 3, 2] });
    const product = matrixProduct(context, query, turned);
    return product && ofType(context, call('multiply', [product, scale]), precision);
  });
  return scores ? changed(site, 'score_mod', scores, normalized) : deliver(site, undefined);
}

/** What follows the value once the graph of an attribute has changed it, if the node has one. */
function changed(
  site: Site,
  name: string,
  value: Expr,
  next: (value: Expr | undefined) => Frame | undefined,
): Frame | undefined {
  if (!site.node.attributes.some((attribute) => attribute.name === name)) return next(value);
  const graph = graphOf(site, name);
  if (graph === undefined) return next(undefined);
  return graphFrame(site, graph, [value], (results) => {
    if (results?.length === 0) {
      site.run.problems.add(wrongResultCount(operatorName(site.node), 1, 0, site.span));
    }
    return next(results?.[0]);
  });
}
