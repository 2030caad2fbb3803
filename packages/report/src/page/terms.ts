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
    'What is left to run after fusion, in which calls that a backend runs as one become one. The program as it came is fused in the same way.',
  ],
  [
    'FLOPs',
    'Floating-point operations of one run, by the cost model of each operator. A multiply-add counts as two.',
  ],
  ['bytes moved', 'What the kernels read and write in one run: their arguments and results.'],
  ['parameters', 'The bytes of all constants in the program, each tensor once.'],
  [
    'time to optimize',
    'The passes of the level, without fusion: the median of several runs, warmed up, in a process of its own.',
  ],
  [
    'executor time',
    'One run of the fused program: the median of several samples, warmed up, each variant in a process of its own, all variants in turn. `pnpm bench` runs compiled code, in WebAssembly; the interpreter computes the calls of a kernel one by one, so its time shows what calls cost, not what fusion gains.',
  ],
  [
    'noise',
    'The range from the least to the greatest sample. Two times are told apart only where their ranges do not overlap.',
  ],
  [
    'verdict',
    'Whether the optimized program computes the same: on the same inputs to the rounding of its dtype, and, where that was affordable, in four regimes.',
  ],
  [
    'levels',
    'How much the passes may do, from 0 to 3. Each level does what the one below does, and more.',
  ],
  [
    'searches',
    'Equality saturation on the networks of the table by which Tensat and TASO are compared: the seconds of a search, and how much less the found program costs. The figures of the others are those of Tensat’s paper, on a GPU.',
  ],
  ['by kernels', 'The cost is the number of kernels after fusion, nearly.'],
  [
    'by roofline',
    'The cost is the longer of computing and moving bytes, on one core, by estimate.',
  ],
  [
    'by measured',
    'The cost is the time that each call took on this machine, run by itself. What was not measured is estimated by the roofline, scaled to the measured calls.',
  ],
  [
    'cases',
    'How often each case of a pass applied. “x: yes” and “x: no” answer a question that the pass asks before it rewrites; “kept: x” is a reason why it left something alone.',
  ],
  [
    'stateless scale',
    'Whether the factor of a multiplication can be evaluated somewhere else: it has no effects.',
  ],
  ['constant scale', 'Whether the factor is a constant, which a weight can take in at once.'],
  [
    'positive scale',
    'Whether each element of the factor is above 0: only such a factor passes a rectifier or a maximum.',
  ],
  [
    'scale along the axes',
    'Whether the factor varies along the channels alone, which are what a weight has too.',
  ],
  [
    'product takes it',
    'Whether a convolution or product can take a factor into its weight, by its layout and its groups.',
  ],
  ['single use', 'Whether nothing else uses the value: another user would see the factor as well.'],
  ['axes kept', 'Whether the channels of an operator’s input are still an axis of its result.'],
  ['users agree', 'Whether every user of a value can take the factor, along the same axes.'],
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
