/** `defineOp`: the record that states everything about an operator. */
import { invariant } from '@baton/base';
import type {
  Attrs,
  Column,
  Effect,
  OpInfo,
  OpInput,
  Relation,
  RelationContext,
  Type,
} from '@baton/ir';
import { type RelayText, relayTextColumn } from '@baton/text';
import { noAttributes, type TypedAttrs } from './attrs/schema.ts';
import { type Bounds, boundsColumn } from './bounds/bounds.ts';
import { samplingColumn } from './call-pattern.ts';
import {
  costColumn,
  type Example,
  examplesColumn,
  type FusionPattern,
  fusionColumn,
  kernelColumn,
  kindColumn,
  type OpKind,
} from './columns.ts';
import { costOf, type TypedFlops } from './cost.ts';
import { definitionColumn } from './definition/column.ts';
import { type Basis, type Derived, derived, type UsualInput, usualInputs } from './derive.ts';
import type { OperatorFacts } from './facts.ts';
import { type Form, formColumn } from './form/form.ts';
import { kernelOfForm } from './form/kernel.ts';
import { cellColumn, gradientColumn } from './gradient/column.ts';
import { type Kernel, type TypedKernel, untypedKernel } from './kernel.ts';
import { type Numerics, numericsColumn } from './numerics.ts';
import { onIntegersColumn } from './on-integers/column.ts';
import { onnxColumn } from './onnx-form.ts';
import { layoutColumn } from './relayout/relayout.ts';
import {
  fasterColumn,
  foldableColumn,
  type PrecisionRule,
  precisionColumn,
  quantizingColumn,
  staticFormColumn,
} from './rewriting.ts';
import { type ScaleAxis, scaleAxisColumn } from './scale-axis/scale-axis.ts';

export type TypedRelation<A> = (
  args: ReadonlyArray<Type>,
  attrs: A,
  context: RelationContext,
) => Type | undefined;

/**
 * A signature that several operators share: their arguments, attributes and types, with examples.
 */
export interface Signature<A, I extends string = string> {
  readonly source: string;
  /** Default: those that are usual for the form. */
  readonly inputs?: ReadonlyArray<I | OpInput>;
  /** Default: none. */
  readonly attrs?: TypedAttrs<A>;
  readonly relation: TypedRelation<NoInfer<A>>;
  /** The name of the relation in constraints. Default: the operator's. */
  readonly relationName?: string;
  /** How the text of a call differs for TVM. */
  readonly relayText?: RelayText;
  readonly examples: ReadonlyArray<Example<NoInfer<A>>>;
}

/**
 * Everything that a definition may state. What has a default follows from the form and the kind of
 * work: see `derive.ts`.
 */
export interface Stated<A, I extends string = UsualInput>
  extends OperatorFacts<NoInfer<A>, NoInfer<I> | NamesOf<A>>,
    Partial<Omit<Signature<A, I>, 'attrs'>> {
  readonly name: string;
  readonly doc: string;
  /** Default for each of its fields. */
  readonly signature?: Signature<A, I>;
  /** Default: none. */
  readonly attrs?: TypedAttrs<A>;
  /**
   * For the calls that the form does not cover; of a map, a conversion or a view, for all calls.
   * `'none'` if the operator is not computed. Default: the form's.
   */
  readonly kernel?: TypedKernel<NoInfer<A>> | 'none';
  readonly kind?: OpKind;
  readonly fusion?: FusionPattern;
  readonly cost?: TypedFlops<NoInfer<A>>;
  /** How a per-channel scale passes through: see `scale-axis/`. Default: by the form, or not. */
  readonly scaleAxis?: ScaleAxis | 'none';
  /** Default: total. */
  readonly effect?: Effect;
  /** Default: false. */
  readonly nonComputational?: boolean;
}

/**
 * The definition of one operator. The compiler requires the types, and what the form and the kind
 * do not decide.
 */
export type OpDefinition<A, I extends string = UsualInput> = Stated<A, I> &
  (
    | { readonly signature: Signature<A, I> }
    | Pick<Signature<A, I>, 'source' | 'relation' | 'examples'>
  ) &
  (
    | { readonly form: Exclude<Form<NoInfer<A>>, { readonly _tag: 'Interpolate' | 'Steps' }> }
    | { readonly kernel: TypedKernel<NoInfer<A>> | 'none' }
  ) &
  (
    | { readonly form: Form<NoInfer<A>> }
    | { readonly kind: 'movement' | 'normalization' | 'product' }
    | { readonly kind: OpKind; readonly numerics: Numerics }
  );

type NamesOf<A> = Extract<keyof NoInfer<A>, string> | 'attrs';

/** The kind and the exactness of operators without a form, and other fields that a family shares. */
export type Formless<K extends keyof Stated<unknown>> = Facts<K> & {
  readonly kind: OpKind;
  readonly numerics: Numerics;
};

/** Some fields of a definition: those that a family shares, or that its members state. */
export type Facts<K extends keyof Stated<unknown>> = Pick<Stated<unknown>, K>;

/** The fields that become columns unchanged. */
const FACTS: {
  readonly [F in keyof Stated<Attrs>]?: Column<NonNullable<Stated<Attrs>[F]>>;
} = {
  fusion: fusionColumn,
  kind: kindColumn,
  numerics: numericsColumn,
  form: formColumn,
  relayText: relayTextColumn,
  foldable: foldableColumn,
  definition: definitionColumn,
  gradient: gradientColumn,
  cell: cellColumn,
  onIntegers: onIntegersColumn,
  faster: fasterColumn,
  quantizing: quantizingColumn,
  staticForm: staticFormColumn,
  onnx: onnxColumn,
  examples: examplesColumn,
};

/** An operator from its definition. */
export function defineOp<A, const I extends string = UsualInput>(
  stated: OpDefinition<A, I>,
): OpInfo {
  const definition = completed(stated);
  const { cost, scaleAxis = 'none' } = definition;
  const facets = new Map<string, unknown>();
  for (const [field, column] of Object.entries(FACTS)) {
    const fact = definition[field as keyof typeof FACTS];
    if (fact !== undefined) put(facets, column as Column<unknown>, fact);
  }
  // The readers of a table pass only attributes that this definition's schema made: `A`.
  const run = kernelOf(definition);
  if (run !== 'none') put(facets, kernelColumn, run);
  put(facets, costColumn, (args, result, attrs) =>
    costOf(args, result, cost(args, result, attrs as A)),
  );
  if (scaleAxis !== 'none') put(facets, scaleAxisColumn, scaleAxis);
  put(facets, boundsColumn, boundsOf(definition));
  put(facets, precisionColumn, precisionOf(definition));
  const { sampled: pattern, common: isCommon } = definition;
  if (pattern !== undefined || isCommon !== undefined) {
    put(facets, samplingColumn, { ...(pattern && { pattern }), ...(isCommon && { isCommon }) });
  }
  const { relayout: rule, layoutAttributes: attributes } = definition;
  if (rule !== undefined || attributes !== undefined) {
    put(facets, layoutColumn, { ...(rule && { rule }), ...(attributes && { attributes }) });
  }
  return {
    name: definition.name,
    doc: definition.doc,
    source: definition.source,
    inputs: definition.inputs.map((input) => (typeof input === 'string' ? { name: input } : input)),
    attrs: definition.attrs,
    relation: definition.relation as Relation,
    ...(definition.relationName === undefined ? {} : { relationName: definition.relationName }),
    effect: definition.effect ?? 'total',
    nonComputational: definition.nonComputational ?? false,
    facets,
  };
}

type Complete<A> = Stated<A, string> &
  Derived &
  Required<Omit<Signature<A>, 'relationName' | 'relayText'>>;

/** The definition with the fields that it leaves to its signature, its form and its kind. */
function completed<A, I extends string>(stated: OpDefinition<A, I>): Complete<A> {
  const inputs = usualInputs(stated.form as Form | undefined);
  const signed = { inputs, attrs: noAttributes, ...stated.signature, ...stated };
  // The compiler has required what is still missing.
  return { ...derived(signed as unknown as Basis), ...signed } as unknown as Complete<A>;
}

function kernelOf<A>({ kernel, form }: Complete<A>): Kernel | 'none' {
  if (kernel === 'none') return kernel;
  const own = kernel && untypedKernel(kernel);
  const run = form === undefined ? own : kernelOfForm(form, own);
  invariant(run !== undefined, 'the operator or its form has a kernel');
  return run;
}

const boundsOf = <A>({ domain = 'any', bounds, range }: Complete<A>): Bounds => ({
  ...(range === undefined ? {} : { range }),
  ...(domain === 'any' ? {} : { domain }),
  ...(bounds === undefined
    ? {}
    : { facts: (facts, site) => bounds(facts, { ...site, attrs: site.attrs as A }) }),
});

function precisionOf<A>({ precision, kind, numerics, effect }: Complete<A>): PrecisionRule {
  if (typeof precision === 'function') return precision;
  const hasEffect = (effect ?? 'total') !== 'total';
  const byNumerics = numerics === 'smooth' || hasEffect ? 'never' : 'follow';
  const stated = precision ?? (kind === 'product' ? 'always' : byNumerics);
  return () => stated;
}

function put<T>(facets: Map<string, unknown>, column: Column<T>, fact: T): void {
  // A column's name is its key; its type is restored by `OpTable.read`.
  facets.set(column.name, fact);
}
