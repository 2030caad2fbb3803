/** The facts about operators that rewrites, comparisons, generators and other formats ask for. */
import type { BoundsRule, Domain } from './bounds/bounds.ts';
import type { CallPattern } from './call-pattern.ts';
import type { Numerics } from './numerics.ts';
import type { OnnxForm } from './onnx-form.ts';
import type { RewritingFacts } from './rewriting.ts';

/** What an operator states besides what it computes; a family leaves it to its members. */
export interface OperatorFacts<A> extends RewritingFacts {
  readonly numerics: Numerics;
  /** Where it is finite and moderate. */
  readonly domain: Domain;
  /** What bounds the numbers of its result. Default: the arguments of its dtype, and 0. */
  readonly bounds?: BoundsRule<A>;
  /** What random calls look like. Default: as the form of the operator says, or its examples. */
  readonly sampled?: CallPattern;
  /** Whether models are full of it. Default: false. */
  readonly common?: boolean;
  /** How it is written in ONNX, where one node is one call. */
  readonly onnx?: OnnxForm;
}
