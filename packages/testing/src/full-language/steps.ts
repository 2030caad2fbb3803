/** The steps of programs of the full language. */
import { type Expr, type TensorType, type Type, typeEqual } from '@baton/ir';
import { between } from '@baton/ops';
import type { Builder } from '../generate/builder.ts';
import type { Weighted } from '../generate/random.ts';
import { settle } from '../generate/settle.ts';
import { tensorValue } from '../generate/value.ts';
import type { Step } from '../steps.ts';
import { type Globals, globalCall } from './globals.ts';
import { someType, type TermSite } from './site.ts';

const FUEL = 3;

const TERM_CALLS = 2;

/** The assumed bounds of a term's numbers, before they are limited. */
const UNKNOWN = between(-(2 ** 30), 2 ** 30);

/** A step of the full language; `globals` takes the functions that it needs. */
export function languageStep(site: TermSite, globals: Globals): Step {
  const steps: ReadonlyArray<Weighted<Step>> = [
    [5, tensorStep(site)],
    [3, localStep(site)],
    [2, globalStep(globals)],
  ];
  return (b) => {
    b.spend(TERM_CALLS);
    b.random.weighted(steps)(b);
  };
}

/** A tensor by way of any construct of the language. */
const tensorStep =
  (site: TermSite): Step =>
  (b) => {
    const type = tensorTypeFor(b);
    keepTensor(b, site.term(type, b.locals(), FUEL), type);
  };

function tensorTypeFor(b: Builder): TensorType {
  const tensors = b.visible().filter((v) => v._tag === 'Tensor' && v.shape.length <= 3);
  const chosen = tensors.length === 0 ? b.operand({ rank: [0, 3] }) : b.random.pick(tensors);
  return chosen._tag === 'Tensor' ? chosen.type : b.operand().type;
}

/** A term may have effects: it is evaluated at its position. */
function keepTensor(b: Builder, term: Expr, type: TensorType): void {
  const v = b.bindExpr(term, type, true);
  b.keep(settle(b, tensorValue(v, type, type.dtype === 'bool' ? between(0, 1, 0) : UNKNOWN)));
}

/** A variable of another type than a tensor, for later terms. */
const localStep =
  (site: TermSite): Step =>
  (b) => {
    const type = someLocalType(site);
    b.locals().push(b.bindExpr(site.term(type, b.locals(), FUEL - 1), type, true));
  };

function someLocalType(site: TermSite): Type {
  const isKnown = (type: Type): boolean =>
    site.b.locals().some((v) => v.typeAnnotation && typeEqual(v.typeAnnotation, type));
  const type = someType(site, 2);
  return type._tag === 'TensorType' || isKnown(type) ? someType(site, 2) : type;
}

const globalStep =
  (globals: Globals): Step =>
  (b) => {
    const { expr, type } = globalCall(b, globals);
    if (type._tag === 'TensorType') keepTensor(b, expr, type);
  };
