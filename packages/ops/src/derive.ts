/**
 * The fields of a definition that follow from the operator's form and from its kind of work. A
 * definition states only what differs, and says why.
 */
import type { Attrs, OpInput, Type } from '@baton/ir';
import type { BoundsRule } from './bounds/bounds.ts';
import { boundsOfScalar } from './bounds/nodes.ts';
import {
  anyOf,
  discrete,
  interpolated,
  normalized,
  scattered,
  sumOfMany,
  sumOfProducts,
} from './bounds/rules.ts';
import type { SampledPattern } from './call-pattern.ts';
import type { FusionPattern, OpKind } from './columns.ts';
import {
  noFlops,
  perInputElement,
  perResultElement,
  perUpdate,
  type TypedFlops,
  timesInput,
} from './cost.ts';
import type { ContractForm, Form, OwnPadding } from './form/form.ts';
import { sameForm } from './form/views.ts';
import type { GradientRule } from './gradient/column.ts';
import type { Numerics } from './numerics.ts';
import type { OnIntegers } from './on-integers/column.ts';
import {
  joinedOnIntegers,
  meanOfWindowsOnIntegers,
  paddingOnIntegers,
  sameOnIntegers,
} from './on-integers/rules.ts';
import type { LayoutAttributes, RelayoutRule } from './relayout/relayout.ts';
import { alike, convolved, keepsAxis, likeFirst, onImages, reduced } from './relayout/rules.ts';
import type { Foldable, Precision, Quantizing } from './rewriting.ts';
import { arityOf, isTruth, numericsOf } from './scalar/expr.ts';
import { avgPoolScale, concatenateScale, maxPoolScale } from './scale-axis/maps.ts';
import type { ScaleAxis } from './scale-axis/scale-axis.ts';
import { dimsOf } from './scale-axis/shape.ts';

export interface Derived {
  readonly kind: OpKind;
  readonly fusion: FusionPattern;
  // The attributes are those of the form: the definition's.
  readonly cost: TypedFlops<Attrs>;
  readonly numerics: Numerics;
  readonly bounds?: BoundsRule<unknown>;
  readonly precision?: Precision;
  readonly relayout?: RelayoutRule;
  readonly scaleAxis?: ScaleAxis;
  readonly gradient?: GradientRule<unknown>;
  readonly onIntegers?: OnIntegers<unknown>;
  readonly sampled?: SampledPattern;
  readonly common?: true;
  readonly foldable?: Foldable;
}

/** The stated fields that others follow from. */
export interface Basis {
  readonly form?: Form;
  readonly kind?: OpKind;
  readonly inputs: ReadonlyArray<string | OpInput>;
  readonly layoutAttributes?: LayoutAttributes;
  readonly quantizing?: Quantizing;
}

/** The names of inputs by default. */
export type UsualInput =
  | 'data'
  | 'x'
  | 'lhs'
  | 'rhs'
  | 'weight'
  | 'indices'
  | 'updates'
  | 'pad_value';

/** The inputs of most operators of a form; without one, `data`. */
export function usualInputs(form: Form | undefined): ReadonlyArray<UsualInput> {
  switch (form?._tag) {
    case 'Map':
      return form.numbers === undefined && arityOf(form.expr) === 2 ? ['lhs', 'rhs'] : ['x'];
    case 'Convert':
      return ['x'];
    case 'Gather':
      return ['data', 'indices'];
    case 'Scatter':
      return ['data', 'indices', 'updates'];
    case 'Pad':
      return ['data', 'pad_value'];
    case 'Contract':
      return ['data', 'weight'];
    default:
      return ['data'];
  }
}

export function derived(basis: Basis): Derived {
  const { form, kind: stated, inputs, layoutAttributes, quantizing } = basis;
  const ofTheForm = form === undefined ? {} : ofForm(form, stated);
  const kind = stated ?? ofTheForm.kind ?? 'other';
  return {
    fusion: kind === 'elementwise' && inputs.length < 2 ? 'elemwise' : FUSION[kind],
    ...OF_KIND[kind],
    ...ofTheForm,
    kind,
    ...(quantizing && MOST_USED.has(quantizing) && { common: true }),
    ...(quantizing === 'mark' && { foldable: 'annotation' }),
    ...(form && layoutAttributes && { relayout: form._tag === 'Contract' ? convolved : onImages }),
  };
}

/** The roles of the operators that most networks consist of. */
const MOST_USED: ReadonlySet<Quantizing> = new Set([
  'convolution',
  'layer',
  'sum',
  'factor',
  'joined',
  'rectifier',
]);

const FUSION: { readonly [K in OpKind]: FusionPattern } = {
  elementwise: 'broadcast',
  movement: 'injective',
  normalization: 'opaque',
  other: 'opaque',
  product: 'out_elemwise_fusable',
  reduction: 'out_elemwise_fusable',
};

const OF_KIND: { readonly [K in OpKind]: Pick<Derived, 'cost' | 'numerics' | 'bounds'> } = {
  elementwise: { cost: perResultElement, numerics: 'exact' },
  movement: { cost: noFlops, numerics: 'exact' },
  normalization: { cost: timesInput(8), numerics: 'smooth', bounds: normalized },
  other: { cost: noFlops, numerics: 'exact' },
  product: { cost: noFlops, numerics: 'exact', bounds: sumOfProducts },
  reduction: { cost: perInputElement, numerics: 'exact' },
};

function ofForm(form: Form, stated: OpKind | undefined): Partial<Derived> {
  switch (form._tag) {
    case 'Map': {
      const bounds = isTruth(form.expr) ? discrete : boundsOfScalar(form.expr);
      return {
        kind: 'elementwise',
        numerics: numericsOf(form.expr),
        relayout: form.vectorAlong === undefined ? alike : keepsAxis,
        ...(bounds && { bounds }),
      };
    }
    case 'Convert':
      return {
        kind: 'elementwise',
        fusion: 'elemwise',
        cost: noFlops,
        numerics: 'discontinuous',
        bounds: anyOf,
        relayout: likeFirst,
      };
    case 'Reduce':
      return {
        kind: 'reduction',
        fusion: 'comm_reduce',
        relayout: reduced,
        ...(form.isMean === true && { numerics: 'smooth' }),
      };
    case 'Window':
      return { kind: 'reduction', ...OF_WINDOWS[form.ownPadding] };
    case 'View':
      if (stated === 'reduction') return SUM_TO_A_SHAPE;
      return {
        kind: 'movement',
        cost: noFlops,
        ...(form.repeats === true && stated === undefined && { fusion: 'broadcast' }),
        ...(form === sameForm && { relayout: likeFirst, gradient: ({ g }) => [g] }),
        // Marks, which state another kind, are views as well.
        ...(stated === undefined && { onIntegers: sameOnIntegers }),
      };
    case 'Gather':
      return { kind: 'movement', onIntegers: sameOnIntegers };
    case 'Scatter':
      return { kind: 'other', cost: perUpdate, bounds: scattered };
    case 'Scan':
      return {
        kind: 'other',
        cost: perInputElement,
        precision: 'never',
        relayout: keepsAxis,
        sampled: 'cumsum',
      };
    case 'Pad':
      return { kind: 'movement', onIntegers: paddingOnIntegers };
    case 'Concat':
      if (form.isNew === true) return { kind: 'movement' };
      return {
        kind: 'movement',
        relayout: keepsAxis,
        scaleAxis: concatenateScale,
        onIntegers: joinedOnIntegers,
      };
    case 'Contract':
      return { kind: 'product', cost: productsOf(form) };
    case 'Interpolate':
      return { kind: 'movement', numerics: 'smooth', precision: 'follow', bounds: interpolated };
    case 'Softmax':
      return {
        kind: 'normalization',
        fusion: 'out_elemwise_fusable',
        cost: timesInput(4),
        relayout: keepsAxis,
        sampled: 'nn.softmax',
      };
    case 'Steps':
      return { kind: 'elementwise', numerics: 'discontinuous' };
  }
}

/** Calls whose result has the argument's shape are views. */
const SUM_TO_A_SHAPE: Partial<Derived> = {
  fusion: 'comm_reduce',
  precision: 'never',
  bounds: sumOfMany,
};

const MEANS: Partial<Derived> = {
  numerics: 'smooth',
  bounds: interpolated,
  precision: 'follow',
  scaleAxis: avgPoolScale,
  onIntegers: meanOfWindowsOnIntegers,
};

const OF_WINDOWS: { readonly [P in OwnPadding]: Partial<Derived> } = {
  maximum: { scaleAxis: maxPoolScale, onIntegers: sameOnIntegers },
  mean: MEANS,
  convolution: {},
};

/** One operation for each operand in each iteration of the loops; unknown sizes count as 1. */
const productsOf =
  ({ contraction, zeroPoints }: ContractForm): TypedFlops<Attrs> =>
  (args, result, attrs) => {
    const all = args.flatMap(shapesOf);
    const shapes = zeroPoints === undefined ? all : all.slice(0, zeroPoints.data);
    const loops = contraction(attrs, shapes, shapesOf(result)[0] ?? []);
    return [...(loops?.sizes.values() ?? [])].reduce(
      (count, size) => count * size,
      loops?.operands.length ?? 0,
    );
  };

const shapesOf = (type: Type): ReadonlyArray<ReadonlyArray<number>> =>
  (type._tag === 'TupleType' ? type.fields : [type]).map((field) =>
    (dimsOf(field) ?? []).map((dim) => (typeof dim === 'number' ? dim : 1)),
  );
