/** Programs whose inputs have open sizes, made of programs with known sizes. */
import { isLeft, mulberry32, type Random } from '@baton/base';
import {
  anyDim,
  type Dim,
  dimOf,
  type Expr,
  func,
  type IRModule,
  inferTypes,
  isStaticDim,
  letIn,
  substitute,
  type TypeVar,
  tensorType,
  typeVar,
  type Var,
  variable,
  withFunctions,
} from '@baton/ir';

/**
 * The program with names for some sizes of its inputs: one name for equal sizes, or one for each
 * axis, as exporters write them; `undefined` if the program needs the sizes, or has no inputs.
 */
export function withOpenSizes(m: IRModule, seed: number): IRModule | undefined {
  const random = mulberry32(seed);
  const main = m.functions.get('main');
  if (main === undefined || main.typeParams.length > 0) return undefined;
  const areShared = random() < 0.5;
  const names = areShared ? sharedNames(random) : ownNames(random);
  const opened = main.params.map((param) => openParam(param, names.dimOf));
  if (names.variables.length === 0) return undefined;
  const renaming = new Map<Var, Expr>(
    main.params.map((param, i) => [param, opened[i]?.param ?? param]),
  );
  const wide = new Map<Var, Expr>(main.params.map((param, i) => [param, opened[i]?.wide ?? param]));
  for (const part of areShared ? [renaming] : [renaming, wide]) {
    const body = substitute(main.body, part);
    const params = opened.map(({ param }) => param);
    const open = func(params, body, { typeParams: names.variables, attrs: main.attrs });
    const module = withFunctions(m, new Map([...m.functions, ['main', open]]));
    if (!isLeft(inferTypes(module))) return module;
  }
  return undefined;
}

interface OpenParam {
  readonly param: Var;
  /** The parameter without names, as the import makes it where names must not clash. */
  readonly wide: Expr;
}

function openParam(param: Var, dimOf: (size: number) => Dim): OpenParam {
  const type = param.typeAnnotation;
  if (type?._tag !== 'TensorType' || '_tag' in type.shape) return { param, wide: param };
  const shape = type.shape.map((dim) => (isStaticDim(dim) ? dimOf(dim) : dim));
  const open = variable(param.nameHint, tensorType(shape, type.dtype), param.span);
  const dims = shape.map((dim) => (isStaticDim(dim) ? dim : anyDim));
  const name = variable('wide', tensorType(dims, type.dtype));
  return { param: open, wide: letIn(name, open, name) };
}

interface Names {
  readonly variables: TypeVar[];
  readonly dimOf: (size: number) => Dim;
}

const SHARE = 0.5;

function sharedNames(random: Random): Names {
  const bySize = new Map<number, Dim>();
  const variables: TypeVar[] = [];
  return {
    variables,
    dimOf: (size) => {
      const known = bySize.get(size);
      const made = known ?? (random() < SHARE ? named(variables) : size);
      bySize.set(size, made);
      return made;
    },
  };
}

function ownNames(random: Random): Names {
  const variables: TypeVar[] = [];
  return { variables, dimOf: (size) => (random() < SHARE ? named(variables) : size) };
}

function named(variables: TypeVar[]): Dim {
  const made = typeVar(`n${variables.length}`, 'ShapeVar');
  variables.push(made);
  return dimOf(made);
}
