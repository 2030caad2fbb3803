/** Facts about operators that rewrites, comparisons, generators and other formats read. */
import type { BoundsRule, Domain, ResultRange } from './bounds/bounds.ts';
import type { SampledPattern } from './call-pattern.ts';
import type { Definition } from './definition/column.ts';
import type { Form } from './form/form.ts';
import type { CellRole, Gradient } from './gradient/column.ts';
import type { Numerics } from './numerics.ts';
import type { OnIntegers } from './on-integers/column.ts';
import type { OnnxForm } from './onnx-form.ts';
import type { RewritingFacts } from './rewriting.ts';

/**
 * The facts of an operator besides its computation; a family leaves them to its members. `N` are
 * the names of its inputs and attributes.
 */
export interface OperatorFacts<A, N extends string = never> extends RewritingFacts {
  /** Default: by the form, or by the kind of work. */
  readonly numerics?: Numerics;
  /** Default: any. */
  readonly domain?: Domain;
  /**
   * The bounds of its result's elements. Default: by the form, or those of the arguments of its
   * dtype, and 0.
   */
  readonly bounds?: BoundsRule<A>;
  /** The values that its result can hold, whatever the arguments. Default: any. */
  readonly range?: ResultRange;
  /** The operator in simpler operators. Default: none. */
  readonly definition?: Definition<A, N>;
  /** Default: from its definition, its scalar expression or its reshape, else none. */
  readonly gradient?: Gradient<A>;
  /** Its role if zeros and ones are not computed until they are needed. Default: none. */
  readonly cell?: CellRole;
  /** Where each element of its result comes from. Default: unknown. */
  readonly form?: Form<A>;
  /** How it computes on quantized integers. Default: by the form, or it cannot. */
  readonly onIntegers?: OnIntegers<A>;
  /**
   * The operator whose random calls those of this one look like, or windows over images. Default: by
   * its own name, its form, or its examples.
   */
  readonly sampled?: SampledPattern;
  /** Whether models use it often. Default: false. */
  readonly common?: boolean;
  /** Its form in ONNX, if one node is one call. */
  readonly onnx?: OnnxForm;
}
