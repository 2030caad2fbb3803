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
import type { TypedAttrs } from './attrs/schema.ts';
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
import type { OperatorFacts } from './facts.ts';
import { formColumn } from './form/form.ts';
import { kernelOfForm } from './form/kernel.ts';
import { cellColumn, gradientColumn } from './gradient/column.ts';
import { type Kernel, type TypedKernel, untypedKernel } from './kernel.ts';
import { numericsColumn } from './numerics.ts';
import { onIntegersColumn } from './on-integers/column.ts';
import { onnxColumn } from './onnx-form.ts';
import { layoutColumn, type RelayoutRule } from './relayout/relayout.ts';
import { alike, keepsAxis } from './relayout/rules.ts';
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
 * The complete definition of one operator. Fields without a default are required; `'none'` states
 * an absence, so the compiler lists missing facts.
 */
export interface OpDefinition<A, I extends string = string>
  extends OperatorFacts<NoInfer<A>, NoInfer<I> | NamesOf<A>> {
  readonly name: string;
  readonly doc: string;
  readonly source: string;
  readonly inputs: ReadonlyArray<I | OpInput>;
  readonly attrs: TypedAttrs<A>;
  readonly relation: TypedRelation<NoInfer<A>>;
  /** The name of the relation in constraints. Default: the operator's. */
  readonly relationName?: string;
  /** `'form'` computes the operator from its form, a map or a view. */
  readonly kernel: TypedKernel<NoInfer<A>> | 'form' | 'none';
  readonly cost: TypedFlops<NoInfer<A>>;
  readonly fusion: FusionPattern;
  readonly kind: OpKind;
  /** How a per-channel scale passes through: see `scale-axis/`. */
  readonly scaleAxis: ScaleAxis | 'none';
  /** Default: total. */
  readonly effect?: Effect;
  /** Default: false. */
  readonly nonComputational?: boolean;
  /** How the text of a call differs for TVM. */
  readonly relayText?: RelayText;
  readonly examples: ReadonlyArray<Example<NoInfer<A>>>;
}

type NamesOf<A> = Extract<keyof NoInfer<A>, string> | 'attrs';

/** Some fields of a definition: those that a family shares, or that its members state. */
export type Facts<K extends keyof OpDefinition<unknown>> = Pick<OpDefinition<unknown>, K>;

/** The fields that become columns unchanged. */
const FACTS: {
  readonly [F in keyof OpDefinition<Attrs>]?: Column<NonNullable<OpDefinition<Attrs>[F]>>;
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
export function defineOp<A, const I extends string = string>(
  definition: OpDefinition<A, I>,
): OpInfo {
  const { cost, scaleAxis } = definition;
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
  put(facets, boundsColumn, boundsOf(definition));
  put(facets, precisionColumn, precisionOf(definition));
  const { sampled: pattern, common: isCommon } = definition;
  if (pattern !== undefined || isCommon !== undefined) {
    put(facets, samplingColumn, { ...(pattern && { pattern }), ...(isCommon && { isCommon }) });
  }
  const rule = relayoutOf(definition);
  const attributes = definition.layoutAttributes;
  if (rule !== undefined || attributes !== undefined) {
    put(facets, layoutColumn, { ...(rule && { rule }), ...(attributes && { attributes }) });
  }
  if (scaleAxis !== 'none') put(facets, scaleAxisColumn, scaleAxis);
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

function kernelOf<A>({ kernel, form }: OpDefinition<A>): Kernel | 'none' {
  if (kernel === 'none') return kernel;
  if (kernel !== 'form') return untypedKernel(kernel);
  const run = form && kernelOfForm(form);
  invariant(run !== undefined, 'the form of the operator has a kernel');
  return run;
}

const boundsOf = <A>({ domain, bounds, range }: OpDefinition<A>): Bounds => ({
  ...(range === undefined ? {} : { range }),
  ...(domain === 'any' ? {} : { domain }),
  ...(bounds === undefined
    ? {}
    : { facts: (facts, site) => bounds(facts, { ...site, attrs: site.attrs as A }) }),
});

function relayoutOf<A>({ relayout, form }: OpDefinition<A>): RelayoutRule | undefined {
  if (relayout !== undefined || form?._tag !== 'Map') return relayout;
  return form.vectorAlong === undefined ? alike : keepsAxis;
}

function precisionOf<A>({ precision, kind, numerics, effect }: OpDefinition<A>): PrecisionRule {
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
