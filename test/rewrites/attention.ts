/** Attention as PyTorch programs spell it: the patterns of Inductor, in its order. */
import {
  type Attrs,
  constant,
  type Expr,
  func,
  type IRModule,
  irModule,
  tensorType,
  tuple,
  tupleGetItem,
  variable,
} from '@baton/ir';
import { callOp, standardOps } from '@baton/ops';
import { scalar } from '@baton/tensor';

const op = (name: string, args: ReadonlyArray<Expr>, attrs: Attrs = {}): Expr =>
  callOp(standardOps, name, args, attrs);

/** Sizes: batch, heads, queries and keys, elements of a head. */
const [B, H, S, D] = [2, 2, 3, 4];

const number = (value: number): Expr => constant(scalar(value, 'float32'));
const swap = (x: Expr): Expr => op('transpose', [x], { axes: [0, 1, 3, 2] });
const permute = (x: Expr): Expr => op('transpose', [x], { axes: [0, 2, 1, 3] });
const view = (x: Expr, ...newshape: ReadonlyArray<number>): Expr =>
  op('reshape', [x], { newshape });
const softmax = (x: Expr, axis = -1): Expr => op('nn.softmax', [x], { axis });
const dropout = (x: Expr): Expr => tupleGetItem(op('nn.dropout', [x], { rate: 0.1 }), 0);
const add = (x: Expr, y: Expr): Expr => op('add', [x, y]);
const div = (x: Expr, by = Math.sqrt(D)): Expr => op('divide', [x, number(by)]);
const mul = (x: Expr, by: number): Expr => op('multiply', [x, number(by)]);
const cast = (x: Expr, dtype = 'float32'): Expr => op('cast', [x], { dtype });

/** A product of matrices with two axes of batches, as importers write it. */
const matmul = (x: Expr, y: Expr, rows: number, inner: number, columns: number): Expr =>
  view(
    op('nn.batch_matmul', [view(x, B * H, rows, inner), view(y, B * H, inner, columns)]),
    B,
    H,
    rows,
    columns,
  );

const scores = (q: Expr, k: Expr): Expr => matmul(q, k, S, D, S);
const mean = (p: Expr, v: Expr): Expr => matmul(p, v, S, S, D);
const bmm = (x: Expr, y: Expr): Expr => op('nn.batch_matmul', [x, y]);

/** The scores, and what hides those whose mask is 0. */
const filled = (x: Expr, mask: Expr): Expr => {
  const hidden = op('equal', [mask, number(0)]);
  const all = op('broadcast_to', [view(hidden, B, 1, 1, S)], { shape: [B, H, S, S] });
  return op('where', [all, number(-Infinity), x]);
};

/** The scores where a mask allows them, else the least number. */
const causal = (x: Expr, allowed: Expr): Expr =>
  op('where', [allowed, x, number(-3.4028234663852886e38)]);

/** The parameters of a spelling. */
interface Given {
  readonly q: Expr;
  readonly k: Expr;
  readonly v: Expr;
  /** Is added to the scores. */
  readonly mask: Expr;
  /** 1 for each key that counts. */
  readonly keys: Expr;
  /** Whether a query sees a key. */
  readonly allowed: Expr;
}

type Spelling = (given: Given) => Expr;

/** Spellings by the number of Inductor's pattern; those from 7 on take heads after queries. */
export const SPELLINGS: ReadonlyArray<Spelling> = [
  ({ q, k, v }) => mean(softmax(div(scores(q, swap(k)))), v),
  ({ q, k, v }) => mean(softmax(mul(scores(q, swap(k)), 0.5)), v),
  ({ q, k, v }) => mean(dropout(softmax(div(scores(q, swap(k))))), v),
  ({ q, k, v }) => mean(dropout(softmax(mul(scores(q, swap(k)), 0.5))), v),
  ({ q, k, v, mask }) => mean(softmax(add(div(scores(q, swap(k))), mask)), v),
  ({ q, k, v, mask }) => mean(dropout(softmax(add(div(scores(q, swap(k))), mask))), v),
  ({ q, k, v }) =>
    mean(cast(dropout(softmax(cast(div(scores(permute(q), swap(permute(k)))))))), permute(v)),
  ({ q, k, v }) => mean(cast(softmax(cast(div(scores(permute(q), swap(permute(k))))))), permute(v)),
  ({ q, k, v }) =>
    mean(cast(dropout(softmax(cast(scores(div(permute(q)), swap(permute(k))))))), permute(v)),
  ({ q, k, v }) => mean(cast(softmax(cast(scores(div(permute(q)), swap(permute(k)))))), permute(v)),
  ({ q, k, v }) => mean(softmax(div(scores(permute(q), swap(permute(k))))), permute(v)),
  ({ q, k, v }) => mean(dropout(softmax(div(scores(permute(q), swap(permute(k)))))), permute(v)),
  ({ q, k, v }) => {
    const [a, b, c] = [q, k, v].map((x) => view(x, B * H, S, D)) as [Expr, Expr, Expr];
    return bmm(dropout(softmax(bmm(a, op('transpose', [b], { axes: [0, 2, 1] })))), c);
  },
  ({ q, k, v, mask }) =>
    mean(softmax(add(div(scores(permute(q), swap(permute(k)))), mask)), permute(v)),
  ({ q, k, v, keys }) =>
    mean(softmax(filled(div(scores(permute(q), swap(permute(k)))), keys)), permute(v)),
  ({ q, k, v, mask }) =>
    mean(cast(dropout(softmax(add(div(scores(permute(q), swap(permute(k)))), mask)))), permute(v)),
  ({ q, k, v, keys }) =>
    mean(dropout(softmax(filled(div(scores(permute(q), swap(permute(k)))), keys))), permute(v)),
  ({ q, k, v, allowed }) => {
    const [key, value] = [permute(k), permute(v)];
    const seen = causal(div(scores(permute(q), swap(key))), allowed);
    return tuple([mean(dropout(softmax(seen)), value), key, value]);
  },
  ({ q, k, v, mask, allowed }) =>
    mean(dropout(cast(softmax(add(causal(div(scores(q, swap(k))), allowed), mask)))), v),
  ({ q, k, v, keys }) =>
    mean(dropout(softmax(filled(scores(div(permute(q)), swap(permute(k))), keys))), permute(v)),
  ({ q, k, v, mask }) =>
    mean(cast(softmax(cast(rewound(add(scores(permute(q), swap(permute(k))), mask))))), permute(v)),
  ({ q, k, v, mask }) => {
    const [key, value] = [permute(k), permute(v)];
    const masked = rewound(add(scores(permute(q), swap(key)), mask));
    return tuple([mean(cast(softmax(cast(masked))), value), key, value]);
  },
  ({ q, k, v }) => {
    const [key, value] = [permute(k), permute(v)];
    return tuple([
      mean(cast(softmax(rewound(cast(scores(permute(q), swap(key)))))), value),
      key,
      value,
    ]);
  },
  ({ q, k, v, mask }) => {
    const [a, b, c] = [q, k, v].map((x) => view(x, B * H, S, D)) as [Expr, Expr, Expr];
    const given = bmm(a, op('transpose', [b], { axes: [0, 2, 1] }));
    const masked = view(add(view(given, B, H, S, S), mask), B * H, S, S);
    return view(bmm(softmax(masked), c), B, H, S, D);
  },
];

/** Scores in another shape and back, which in-place additions leave. */
const rewound = (x: Expr): Expr => view(view(x, B * H, S, S), B, H, S, S);

/** The pattern from which on heads follow queries in the arguments of a spelling. */
const isPermuted = (number_: number): boolean => number_ >= 7 && ![13, 19, 24].includes(number_);

/** The module of a spelling by its number, from 1 on. */
export function spelled(number_: number): IRModule {
  const sizes = isPermuted(number_) ? [B, S, H, D] : [B, H, S, D];
  const [q, k, v] = ['q', 'k', 'v'].map((name) => variable(name, tensorType(sizes, 'float32'))) as [
    Expr,
    Expr,
    Expr,
  ];
  const mask = variable('mask', tensorType([B, 1, 1, S], 'float32'));
  const keys = variable('keys', tensorType([B, S], 'float32'));
  const allowed = variable('allowed', tensorType([1, 1, S, S], 'bool'));
  const body = (SPELLINGS[number_ - 1] as Spelling)({ q, k, v, mask, keys, allowed });
  const params = [q, k, v, mask, keys, allowed].filter((p) => p._tag === 'Var');
  return irModule({ ops: standardOps, functions: new Map([['main', func(params, body)]]) });
}
