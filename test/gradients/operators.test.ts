/** Gradients of operators on random calls, against central differences of the same calls. */
import { invariant } from '@baton/base';
import { typeOf } from '@baton/ir';
import { hasFloats, hasGradient, numericsColumn, standardOps } from '@baton/ops';
import { checkGradient, type GradientCheckOptions, singleCall } from '@baton/testing';
import { describe, expect, test } from 'vitest';

interface Found {
  agrees: number;
  readonly reasons: Set<string>;
  readonly differs: string[];
}

/** Checks calls of an operator until enough are compared, or this number has been tried. */
function check(name: string, wanted: number, options: GradientCheckOptions): Found {
  const found: Found = { agrees: 0, reasons: new Set(), differs: [] };
  for (let seed = 1; seed <= 12 * wanted && found.agrees < wanted; seed++) {
    const m = singleCall(standardOps, name, seed);
    const main = m?.functions.get('main');
    if (m === undefined || main === undefined || !hasFloats(typeOf(m, main.body))) continue;
    const outcome = checkGradient(m, { ...options, seed, directions: 1 });
    if (outcome._tag === 'Agrees') found.agrees++;
    else if (outcome._tag === 'Nothing') found.reasons.add(outcome.reason);
    else found.differs.push(`seed ${seed}: ${outcome.found}`);
  }
  return found;
}

/** The operators of which some sampled call has floats to differentiate. */
const OF_FLOATS = standardOps.names.filter((name) => {
  for (let seed = 1; seed <= 8; seed++) {
    const m = singleCall(standardOps, name, seed);
    const main = m?.functions.get('main');
    if (m === undefined || main === undefined) return false;
    const floats = main.params.filter((v) => hasFloats(typeOf(m, v)));
    if (floats.length > 0 && hasFloats(typeOf(m, main.body))) return true;
  }
  return false;
});

/** The operators of which Relay has gradients, and which Baton has. */
const OF_RELAY = `log log2 log10 tan cos cosh sin sinh acos acosh asin asinh atan atanh exp sqrt
  sigmoid tanh erf abs negative copy clip nn.relu cast cast_like zeros ones zeros_like ones_like
  dyn.zeros dyn.ones add subtract multiply divide collapse_sum_like collapse_sum_to where less_equal
  not_equal max sum mean variance reshape dyn.reshape reshape_like contrib_reverse_reshape transpose
  squeeze expand_dims stack concatenate take gather_nd strided_slice one_hot arange shape_of
  nn.batch_flatten nn.bias_add nn.dense nn.matmul nn.batch_matmul nn.conv2d nn.max_pool2d
  nn.avg_pool2d nn.global_avg_pool2d nn.softmax nn.log_softmax nn.cross_entropy
  nn.cross_entropy_with_logits`.split(/\s+/);

test('every operator with a gradient in Relay has one', () => {
  // A shape is made of integers, through which nothing flows.
  const missing = OF_RELAY.filter((name) => !hasGradient(standardOps, name));
  expect(missing).toEqual(['shape_of']);
});

const DIFFERENTIABLE = OF_FLOATS.filter((name) => hasGradient(standardOps, name));

describe.each([
  ['higher_order', 1],
  ['first_order', 2],
] as const)('%s', (mode, calls) => {
  test.each(DIFFERENTIABLE)('the gradient of %s agrees with differences', (name) => {
    const { agrees, differs } = check(name, calls, { mode });
    expect(differs).toEqual([]);
    expect(agrees).toBeGreaterThan(0);
  });
});

const SMOOTH = DIFFERENTIABLE.filter((name) => {
  const numerics = standardOps.read(numericsColumn, name);
  invariant(numerics !== undefined, 'an operator states its numerics');
  return numerics === 'smooth';
});

test.each(SMOOTH)('the second derivative of %s agrees with differences', (name) => {
  const options = { order: 2, step: 2 ** -13, tolerance: 1e-3 } as const;
  expect(check(name, 1, options).differs).toEqual([]);
});
