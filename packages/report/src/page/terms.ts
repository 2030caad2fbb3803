/** Explanations of the report's terms, shown on hover and in a list at the end of the page. */
import { h } from './dom.ts';

/** Each term with its explanation. Smaller is better for every figure. */
const TERMS: ReadonlyMap<string, string> = new Map([
  [
    'nodes',
    'Calls of operators in the program, before fusion. A bias that only a convolution or a product uses counts with it, as ONNX counts a Conv with its bias.',
  ],
  [
    'kernels',
    'The calls that remain after fusion, which merges calls that a backend runs as one. The original program is fused in the same way.',
  ],
  [
    'FLOPs',
    'Floating-point operations of one run, by the cost model of each operator. A multiply-add counts as two.',
  ],
  ['bytes moved', 'What the kernels read and write in one run: their arguments and results.'],
  ['parameters', 'The bytes of all constants in the program, each tensor once.'],
  [
    'time to optimize',
    'The passes of the level, without fusion: the median of several runs, warmed up, in a separate process.',
  ],
  [
    'executor time',
    'One run of the fused program: the median of several samples, warmed up, each variant in a separate process, all variants interleaved. `pnpm bench` runs compiled code, in WebAssembly; the interpreter computes the calls of a kernel one by one, so its time shows the cost of calls, not the gain of fusion.',
  ],
  [
    'noise',
    'The range from the least to the greatest sample. Two times count as different only if their ranges do not overlap.',
  ],
  [
    'verdict',
    'Whether the optimized program computes the same: on the same inputs to the rounding of its dtype, and, if that was affordable, in four regimes.',
  ],
  [
    'levels',
    'How much the passes may do, from 0 to 3. Each level does what the one below does, and more.',
  ],
  [
    'searches',
    'Equality saturation on the networks on which Tensat and TASO are compared: the seconds of a search, and how much less the resulting program costs. The figures of Tensat and TASO are those of Tensat’s paper, on a GPU.',
  ],
  ['by kernels', 'The cost is approximately the number of kernels after fusion.'],
  [
    'by roofline',
    'The cost is the estimated time of computing or of moving bytes, whichever is longer, on one core.',
  ],
  [
    'by measured',
    'The cost is the time of each call on this machine, run separately. Calls that were not measured are estimated by the roofline, scaled to the measured ones.',
  ],
  [
    'cases',
    'How often each case of a pass applied. “x: yes” and “x: no” answer a question that the pass asks before it rewrites; “kept: x” is a reason why it did not rewrite.',
  ],
  [
    'stateless scale',
    'Whether the factor of a multiplication can be evaluated elsewhere, because it has no effects.',
  ],
  [
    'constant scale',
    'Whether the factor is a constant, which can be folded into a weight at once.',
  ],
  [
    'positive scale',
    'Whether each element of the factor is positive: only such a factor passes through a rectifier or a maximum.',
  ],
  [
    'scale along the axes',
    'Whether the factor varies only along the channels, which are an axis of the weight, too.',
  ],
  [
    'product takes it',
    'Whether a convolution or product can fold a factor into its weight, given its layout and its groups.',
  ],
  ['single use', 'Whether nothing else uses the value: another user would see the factor as well.'],
  ['axes kept', 'Whether the channels of an operator’s input are still an axis of its result.'],
  ['users agree', 'Whether every user of a value can absorb the factor, along the same axes.'],
]);

export const explanation = (word: string): string | undefined => TERMS.get(word);

export const term = (word: string, text = word): HTMLElement => {
  const title = explanation(word);
  return title === undefined
    ? h('span', {}, text)
    : h('span', { class: 'term', title, tabindex: 0 }, text);
};

export function termSection(): HTMLElement {
  return h(
    'section',
    { class: 'terms', id: 'terms' },
    h('h3', {}, 'What the words mean'),
    h('dl', {}, ...[...TERMS].flatMap(([word, text]) => [h('dt', {}, word), h('dd', {}, text)])),
  );
}
