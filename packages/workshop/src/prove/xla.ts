/** The rules of XLA's simplifier that TensorRight states, under its file names and places. */

import { orThrow, type Result } from '@baton/base';
import type { Rule, RuleSet, Term } from '@baton/rewrites';
import { rule, ruleSet } from '@baton/rewrites';
import { type DType, fromNumbers, readNumber, shapeSize, type Tensor } from '@baton/tensor';

/** A rule of XLA in Relay's operators, or the reason why they do not say it. */
type Stated = Result<Rule> | string;

const REAL = { needs: ['reassoc', 'nsz', 'nnan', 'ninf'] } as const;

const list = (value: unknown): ReadonlyArray<number> =>
  Array.isArray(value) ? value.map(Number) : typeof value === 'number' ? [value] : [];
const pairs = (value: unknown): ReadonlyArray<readonly [number, number]> =>
  Array.isArray(value) ? value.map((pair) => [Number(pair[0]), Number(pair[1])] as const) : [];
const sizes = ({ dims }: Term): ReadonlyArray<number> => (dims ?? []).map(Number);
const rank = (x: Term): number => sizes(x).length;
/** An axis counted from the front. */
const front = (axis: unknown, x: Term): number => (Number(axis) + rank(x)) % rank(x);
const axes = (value: unknown, x: Term): ReadonlyArray<number> =>
  value === null ? [...sizes(x).keys()] : list(value).map((axis) => front(axis, x));
const order = (value: unknown, x: Term): ReadonlyArray<number> =>
  value === null ? [...sizes(x).keys()].reverse() : axes(value, x);
const isScalar = (x: Term): boolean => x.dims?.length === 0;
/** A tensor of the type of a term, filled with a number. */
const filled = (like: Term, value: number): Tensor =>
  fromNumbers(new Array(shapeSize(sizes(like))).fill(value), sizes(like), like.dtype as DType);
const first = ({ constant }: Term): number =>
  constant === undefined ? Number.NaN : Number(readNumber(constant, 0));
const areScalars = (...terms: ReadonlyArray<Term>): boolean =>
  terms.every((term) => isScalar(term) && term.constant !== undefined && term.dtype === 'float32');
const same = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean =>
  String(a) === String(b);
/** Whether a slice of one axis is a part of the axis: bounds from the front. */
const isPart = (begin: unknown, end: unknown, size: number): boolean =>
  list(begin).length === 1 &&
  Number(list(begin)[0]) >= 0 &&
  Number(list(end)[0]) >= Number(list(begin)[0]) &&
  Number(list(end)[0]) <= size;

const DYNAMIC = 'the start is a value, and no operator of Relay here takes one';
const IOTA = 'the length of `arange` is a value, which types do not know';

const elements: Readonly<Record<string, Stated>> = {
  'add 1': rule('add 1', '(?x + ?c) + ?d', '?x + (?c + ?d)', REAL),
  'add 2': rule('add 2', '?x + 0', '?x', { needs: ['nsz'] }),
  'add 3': rule('add 3', '0 + ?x', '?x', { needs: ['nsz'] }),
  'add 4': rule('add 4', '?c + ?x', '?x + ?c'),
  'clamp 1': rule('clamp 1', 'clip(clip(?x, attrs=?a), attrs=?a)', 'clip(?x, attrs=?a)', {
    when: ({ a }) => Number(a.a_min) <= Number(a.a_max),
  }),
  'clamp 2': rule('clamp 2', 'maximum(?c, minimum(?x, ?d))', 'clip(?x, a_min=?a, a_max=?b)', {
    when: ({ c, d }) => areScalars(c, d) && first(c) <= first(d),
    let: { a: ({ c }) => first(c), b: ({ d }) => first(d) },
    needs: ['nsz'],
  }),
  'clamp 3': rule('clamp 3', 'minimum(?c, maximum(?x, ?d))', 'clip(?x, a_min=?a, a_max=?b)', {
    when: ({ c, d }) => areScalars(c, d),
    let: { a: ({ d }) => first(d), b: ({ c }) => first(c) },
    needs: ['nsz'],
  }),
  'compare 1': rule('compare 1', 'greater(?x, ?x)', '?f', {
    let: { f: ({ result }) => filled(result, 0) },
  }),
  'compare 2': rule('compare 2', 'less(?x, ?x)', '?f', {
    let: { f: ({ result }) => filled(result, 0) },
  }),
  'compare 3': rule('compare 3', 'not_equal(?x, ?x)', '?f', {
    let: { f: ({ result }) => filled(result, 0) },
    needs: ['nnan'],
  }),
  'compare 4': rule('compare 4', 'greater_equal(?x, ?x)', '?t', {
    let: { t: ({ result }) => filled(result, 1) },
    needs: ['nnan'],
  }),
  'compare 5': rule('compare 5', 'less_equal(?x, ?x)', '?t', {
    let: { t: ({ result }) => filled(result, 1) },
    needs: ['nnan'],
  }),
  'compare 6': rule('compare 6', 'equal(?x, ?x)', '?t', {
    let: { t: ({ result }) => filled(result, 1) },
    needs: ['nnan'],
  }),
  'divmod 1': rule('divmod 1', '?x / 1', '?x'),
  'divmod 2': rule('divmod 2', '?x / ?c', '?x * (1 / ?c)', {
    when: ({ c }) => c.dtype?.includes('float') === true,
    needs: ['arcp', 'nnan', 'ninf'],
  }),
  'divmod 3': rule('divmod 3', '(?a / ?b) / (?c / ?d)', '(?a * ?d) / (?b * ?c)', {
    when: ({ a }) => a.dtype?.includes('float') === true,
    ...REAL,
  }),
  'divmod 4': rule('divmod 4', '?a / (?b / ?c)', '(?a * ?c) / ?b', {
    when: ({ a }) => a.dtype?.includes('float') === true,
    ...REAL,
  }),
  'divmod 5': rule('divmod 5', 'mod(mod(?x, ?y), ?y)', 'mod(?x, ?y)'),
  'divmod 6': IOTA,
  'divmod 7': IOTA,
  'divmod 8': rule('divmod 8', 'mod(?x + ?c, ?c)', 'mod(?x, ?c)', REAL),
  'logical 1': rule('logical 1', 'logical_or(?x, 1)', '?t', {
    let: { t: ({ result }) => filled(result, 1) },
  }),
  'logical 2': rule('logical 2', 'logical_or(1, ?x)', '?t', {
    let: { t: ({ result }) => filled(result, 1) },
  }),
  'logical 3': rule('logical 3', 'logical_or(?x, 0)', '?x'),
  'logical 4': rule('logical 4', 'logical_or(0, ?x)', '?x'),
  'logical 5': rule('logical 5', 'logical_and(?x, 1)', '?x'),
  'logical 6': rule('logical 6', 'logical_and(1, ?x)', '?x'),
  'logical 7': rule('logical 7', 'logical_and(?x, 0)', '?f', {
    let: { f: ({ result }) => filled(result, 0) },
  }),
  'logical 8': rule('logical 8', 'logical_and(0, ?x)', '?f', {
    let: { f: ({ result }) => filled(result, 0) },
  }),
  'logical 9': rule(
    'logical 9',
    'logical_and(less(?x, ?c), greater(?d, ?x))',
    'less(?x, minimum(?c, ?d))',
  ),
  'logical 10': rule('logical 10', 'greater(maximum(?x, ?y), ?y)', 'greater(?x, ?y)'),
  'logical 11': rule('logical 11', 'greater(maximum(?x, ?y), ?x)', 'greater(?y, ?x)'),
  'max 1': rule('max 1', 'maximum(?x, ?c)', '?x', {
    when: ({ c }) =>
      isScalar(c) && c.constant !== undefined && first(c) === Number.NEGATIVE_INFINITY,
  }),
  'max 2': rule('max 2', 'minimum(?x, ?c)', '?x', {
    when: ({ c }) =>
      isScalar(c) && c.constant !== undefined && first(c) === Number.POSITIVE_INFINITY,
  }),
  'mul 1': rule('mul 1', '?x * 1', '?x'),
  'mul 2': rule('mul 2', '1 * ?x', '?x'),
  'mul 3': rule('mul 3', '?x * 0', '?o', {
    let: { o: ({ result }) => filled(result, 0) },
    needs: ['nsz', 'nnan', 'ninf'],
  }),
  'mul 4': rule('mul 4', '0 * ?x', '?o', {
    let: { o: ({ result }) => filled(result, 0) },
    needs: ['nsz', 'nnan', 'ninf'],
  }),
  'mul 5': rule('mul 5', '(?x * ?c) * (?y * ?d)', '(?x * ?y) * (?c * ?d)', REAL),
  'mul 6': rule('mul 6', '(?x * ?c) * ?d', '?x * (?c * ?d)', REAL),
  'mul 7': rule('mul 7', '(?x * ?c) * ?y', '(?y * ?c) * ?x', REAL),
  'mul 8': rule('mul 8', '?x * ?z + ?y * ?z', '(?x + ?y) * ?z', REAL),
  'mul 9': rule('mul 9', 'abs(?x) * abs(?x)', '?x * ?x'),
  'mul 10': rule('mul 10', 'exp(?x) * exp(?y)', 'exp(?x + ?y)', {
    needs: ['reassoc', 'afn', 'nnan', 'ninf'],
  }),
  'not 1': rule('not 1', 'logical_not(logical_not(?x))', '?x'),
  'not 2': rule('not 2', 'negative(negative(?x))', '?x'),
  'select 1': rule('select 1', 'where(?p, ?x, ?x)', '?x'),
  'select 2': rule('select 2', 'where(1, ?x, ?y)', '?x'),
  'select 3': rule('select 3', 'where(0, ?x, ?y)', '?y'),
  'select 4': rule('select 4', 'where(logical_not(?p), ?x, ?y)', 'where(?p, ?y, ?x)'),
  'sub 1': rule('sub 1', '?x - 0', '?x'),
  'sub 2': rule('sub 2', '?x - ?c', '?x + negative(?c)'),
  'sub 3': rule('sub 3', '?x - ?x', '?o', {
    let: { o: ({ result }) => filled(result, 0) },
    needs: ['nnan', 'ninf'],
  }),
};

const movements: Readonly<Record<string, Stated>> = {
  'broadcast 1': rule(
    'broadcast 1',
    'broadcast_to(?x, shape=?s) + broadcast_to(?y, shape=?s)',
    'broadcast_to(?x + ?y, shape=?s)',
  ),
  'broadcast 2': rule(
    'broadcast 2',
    'broadcast_to(?x, shape=?s) * broadcast_to(?y, shape=?s)',
    'broadcast_to(?x * ?y, shape=?s)',
  ),
  'broadcast 3': rule(
    'broadcast 3',
    'transpose(broadcast_to(?x, shape=?s), axes=?p)',
    'broadcast_to(?x, shape=?t)',
    {
      when: ({ x }) => isScalar(x),
      let: { t: ({ result }) => sizes(result) },
    },
  ),
  'broadcast 4': rule(
    'broadcast 4',
    'reverse(broadcast_to(?x, shape=?s), axis=?i)',
    'broadcast_to(?x, shape=?s)',
    {
      when: ({ x }) => isScalar(x),
    },
  ),
  'broadcast 5': rule(
    'broadcast 5',
    'strided_slice(broadcast_to(?x, shape=?s), begin=?b, end=?e)',
    'broadcast_to(?x, shape=?t)',
    {
      when: ({ x }) => isScalar(x),
      let: { t: ({ result }) => sizes(result) },
    },
  ),
  'broadcast 6': DYNAMIC,
  'broadcast 7': IOTA,
  'broadcast 8': rule(
    'broadcast 8',
    'broadcast_to(broadcast_to(?x, shape=?s), shape=?t)',
    'broadcast_to(?x, shape=?t)',
  ),
  'relabel 1': rule(
    'relabel 1',
    'transpose(transpose(?x, axes=?a), axes=?b)',
    'transpose(?x, axes=?c)',
    {
      let: { c: ({ a, b, x }) => order(b, x).map((axis) => order(a, x)[axis] ?? 0) },
    },
  ),
  'relabel 2': rule('relabel 2', 'transpose(?x, axes=?a)', '?x', {
    when: ({ a, x }) => order(a, x).every((axis, i) => axis === i),
  }),
  'reverse 1': rule('reverse 1', 'reverse(?x, axis=?i)', '?x', {
    when: ({ i, x }) => axes(i, x).every((axis) => sizes(x)[axis] === 1),
  }),
  'reverse 2': rule('reverse 2', 'reverse(reverse(?x, axis=?i), axis=?i)', '?x'),
  'reverse 3': rule('reverse 3', 'reverse(reverse(?x, axis=?i), axis=?j)', 'reverse(?x, axis=?k)', {
    let: {
      k: ({ i, j, x }) => {
        const [inner, outer] = [axes(i, x), axes(j, x)];
        return [
          ...inner.filter((axis) => !outer.includes(axis)),
          ...outer.filter((axis) => !inner.includes(axis)),
        ];
      },
    },
  }),
  'reverse 4': rule('reverse 4', 'reverse(?x + ?c, axis=?i)', 'reverse(?x, axis=?i) + ?c', {
    when: ({ c, x }) => isScalar(c) && !isScalar(x),
  }),
  'pad 1': rule('pad 1', 'nn.pad(?x, ?v, pad_width=?p)', '?x', {
    when: ({ p }) => pairs(p).every(([low, high]) => low === 0 && high === 0),
  }),
  'pad 2': rule('pad 2', 'nn.dilate(?x, attrs=?a)', '?x', {
    when: ({ x, a }) => sizes(x).every((size, i) => size === 1 || list(a.strides)[i] === 1),
  }),
  'pad 3': rule(
    'pad 3',
    'nn.pad(broadcast_to(?x, shape=?s), ?v, pad_width=?p)',
    'broadcast_to(nn.pad(?x, ?v, pad_width=?q), shape=?t)',
    {
      when: ({ x, s, p }) => {
        const outer = list(s).length - rank(x);
        return (
          same(list(s).slice(outer), sizes(x)) &&
          pairs(p)
            .slice(0, outer)
            .every(([low, high]) => low === 0 && high === 0)
        );
      },
      let: {
        q: ({ x, p }) =>
          pairs(p)
            .slice(-rank(x) || pairs(p).length)
            .map((pair) => [...pair]),
        t: ({ result }) => sizes(result),
      },
    },
  ),
  'pad 4': rule(
    'pad 4',
    'nn.pad(?x, ?v, pad_width=?p)',
    'strided_slice(nn.pad(?x, ?v, pad_width=?q), begin=?b, end=?e)',
    {
      when: ({ p }) => pairs(p).some(([low, high]) => low < 0 || high < 0),
      let: {
        q: ({ p }) => pairs(p).map(([low, high]) => [Math.max(low, 0), Math.max(high, 0)]),
        b: ({ p }) => pairs(p).map(([low]) => Math.max(-low, 0)),
        e: ({ p, x }) =>
          pairs(p).map(([low, high], i) => Math.max(low, 0) + (sizes(x)[i] ?? 0) + high),
      },
    },
  ),
};

const parts: Readonly<Record<string, Stated>> = {
  'concat 1': 'one operator joins two tensors and lists of them: both sides are the same call',
  'concat 2': rule(
    'concat 2',
    'concatenate((?a, concatenate((?b, ?c), axis=?i)), axis=?i)',
    'concatenate((concatenate((?a, ?b), axis=?i), ?c), axis=?i)',
  ),
  'concat 3': rule(
    'concat 3',
    'concatenate((?a, ?b, ?c), axis=?i)',
    'concatenate((?a, concatenate((?b, ?c), axis=?i)), axis=?i)',
  ),
  'concat 4': rule(
    'concat 4',
    'concatenate((strided_slice(?x, begin=?b, end=?m, axes=?w), strided_slice(?x, begin=?m, end=?e, axes=?w)), axis=?i)',
    'strided_slice(?x, begin=?b, end=?e, axes=?w)',
    {
      when: ({ b, m, e, w, i, x }) =>
        same(axes(w, x), [front(i, x)]) &&
        isPart(b, m, sizes(x)[front(i, x)] ?? 0) &&
        isPart(m, e, sizes(x)[front(i, x)] ?? 0),
    },
  ),
  'concat 5': rule(
    'concat 5',
    'concatenate((broadcast_to(?v, shape=?s), ?x), axis=?i)',
    'nn.pad(?x, ?v, pad_width=?p)',
    {
      when: ({ v }) => isScalar(v),
      let: {
        p: ({ x, i, s }) =>
          sizes(x).map((_, k) => (k === front(i, x) ? [list(s)[k] ?? 0, 0] : [0, 0])),
      },
    },
  ),
  'concat 6': rule(
    'concat 6',
    'concatenate((?x, broadcast_to(?v, shape=?s)), axis=?i)',
    'nn.pad(?x, ?v, pad_width=?p)',
    {
      when: ({ v }) => isScalar(v),
      let: {
        p: ({ x, i, s }) =>
          sizes(x).map((_, k) => (k === front(i, x) ? [0, list(s)[k] ?? 0] : [0, 0])),
      },
    },
  ),
  'concat 7': rule(
    'concat 7',
    'concatenate((?a, concatenate((?b, ?c), axis=?i)), axis=?i)',
    'concatenate((?a, ?b, ?c), axis=?i)',
  ),
  'slice 1': rule('slice 1', 'strided_slice(?x, begin=?b, end=?e)', '?x', {
    when: ({ b, e, x }) =>
      list(b).every((at) => at === 0) && same(list(e), sizes(x)) && list(b).length === rank(x),
  }),
  'slice 2': rule('slice 2', 'strided_slice(?c, begin=?b, end=?e)', '?d', {
    when: ({ c }) =>
      c.constant !== undefined &&
      c.dtype === 'float32' &&
      !sizes(c).includes(0) &&
      [...c.constant.data].every((v) => v === c.constant?.data[0]),
    let: { d: ({ c, result }) => filled(result, first(c)) },
  }),
  'slice 3': rule(
    'slice 3',
    'strided_slice(broadcast_to(?x, shape=?s), begin=?b, end=?e)',
    'broadcast_to(strided_slice(?x, begin=?c, end=?f), shape=?t)',
    {
      when: ({ x, s, b, e }) =>
        same(list(s).slice(list(s).length - rank(x)), sizes(x)) &&
        list(b).length === list(s).length &&
        list(e).length === list(s).length &&
        rank(x) > 0,
      let: {
        c: ({ b, x }) => list(b).slice(-rank(x)),
        f: ({ e, x }) => list(e).slice(-rank(x)),
        t: ({ result }) => sizes(result),
      },
    },
  ),
  'slice 4': rule(
    'slice 4',
    'strided_slice(nn.pad(?x, ?v, pad_width=?p), begin=?b, end=?e)',
    '?x',
    {
      when: ({ x, p, b, e }) =>
        same(
          list(b),
          pairs(p).map(([low]) => low),
        ) &&
        list(b).every((low) => low >= 0) &&
        same(
          list(e),
          sizes(x).map((size, i) => size + (pairs(p)[i]?.[0] ?? 0)),
        ),
    },
  ),
  'slice 5': rule(
    'slice 5',
    'strided_slice(nn.pad(?x, ?v, pad_width=?p), begin=?b, end=?e, axes=[0])',
    'broadcast_to(?v, shape=?t)',
    {
      when: ({ x, p, b, e }) => {
        const [low = 0] = pairs(p)[0] ?? [];
        return low >= 0 && (isPart(b, e, low) || Number(list(b)[0]) >= low + (sizes(x)[0] ?? 0));
      },
      let: { t: ({ result }) => sizes(result) },
    },
  ),
  'slice 6': rule(
    'slice 6',
    'strided_slice(nn.pad(?x, ?v, pad_width=?p), begin=?b, end=?e)',
    'strided_slice(?x, begin=?c, end=?f)',
    {
      when: ({ x, p, b, e }) =>
        list(b).length === rank(x) &&
        list(e).length === rank(x) &&
        sizes(x).every((size, i) => {
          const low = pairs(p)[i]?.[0] ?? 0;
          return (
            low >= 0 &&
            (list(b)[i] ?? 0) >= low &&
            (list(e)[i] ?? 0) >= (list(b)[i] ?? 0) &&
            (list(e)[i] ?? 0) <= low + size
          );
        }),
      let: {
        c: ({ b, p }) => list(b).map((at, i) => at - (pairs(p)[i]?.[0] ?? 0)),
        f: ({ e, p }) => list(e).map((at, i) => at - (pairs(p)[i]?.[0] ?? 0)),
      },
    },
  ),
  'slice 7': rule(
    'slice 7',
    'strided_slice(strided_slice(?x, begin=?b, end=?e, axes=[0]), begin=?c, end=?f, axes=[0])',
    'strided_slice(?x, begin=?g, end=?h, axes=[0])',
    {
      when: ({ x, b, e, c, f }) =>
        isPart(b, e, sizes(x)[0] ?? 0) && isPart(c, f, Number(list(e)[0]) - Number(list(b)[0])),
      let: {
        g: ({ b, c }) => [Number(list(b)[0]) + Number(list(c)[0])],
        h: ({ b, f }) => [Number(list(b)[0]) + Number(list(f)[0])],
      },
    },
  ),
  'slice 8': rule(
    'slice 8',
    'strided_slice(concatenate((?a, ?b), axis=?i), begin=?s, end=?e, axes=?w)',
    '?b',
    {
      when: ({ a, b, i, s, e, w }) => {
        const axis = front(i, a);
        const size = sizes(a)[axis] ?? 0;
        return (
          same(axes(w, a), [axis]) &&
          same(list(s), [size]) &&
          same(list(e), [size + (sizes(b)[axis] ?? 0)])
        );
      },
    },
  ),
  'slice 9': rule(
    'slice 9',
    'strided_slice(broadcast_to(?x, shape=?s), begin=?b, end=?e, axes=[0])',
    'broadcast_to(?x, shape=?t)',
    {
      when: ({ x, s }) => list(s).length > rank(x),
      let: { t: ({ result }) => sizes(result) },
    },
  ),
  'slice 10': rule(
    'slice 10',
    'strided_slice(concatenate((?a, ?b), axis=?i), begin=?s, end=?e, axes=?w)',
    'strided_slice(?a, begin=?s, end=?e, axes=?w)',
    {
      when: ({ a, i, s, e, w }) =>
        same(axes(w, a), [front(i, a)]) && isPart(s, e, sizes(a)[front(i, a)] ?? 0),
    },
  ),
  'slice 11': rule(
    'slice 11',
    'strided_slice(concatenate((?a, ?b), axis=?i), begin=?s, end=?e, axes=?w)',
    'strided_slice(?b, begin=?t, end=?f, axes=?w)',
    {
      when: ({ a, i, s, e, w }) =>
        same(axes(w, a), [front(i, a)]) &&
        Number(list(s)[0]) >= (sizes(a)[front(i, a)] ?? 0) &&
        Number(list(e)[0]) >= Number(list(s)[0]),
      let: {
        t: ({ a, i, s }) => [Number(list(s)[0]) - (sizes(a)[front(i, a)] ?? 0)],
        f: ({ a, i, e }) => [Number(list(e)[0]) - (sizes(a)[front(i, a)] ?? 0)],
      },
    },
  ),
  'slice 12': rule(
    'slice 12',
    'strided_slice(concatenate((?a, ?b, ?c), axis=?i), begin=?s, end=?e, axes=?w)',
    'strided_slice(concatenate((?b, ?c), axis=?i), begin=?t, end=?f, axes=?w)',
    {
      when: ({ a, i, s, e, w }) =>
        same(axes(w, a), [front(i, a)]) &&
        Number(list(s)[0]) >= (sizes(a)[front(i, a)] ?? 0) &&
        Number(list(e)[0]) >= Number(list(s)[0]),
      let: {
        t: ({ a, i, s }) => [Number(list(s)[0]) - (sizes(a)[front(i, a)] ?? 0)],
        f: ({ a, i, e }) => [Number(list(e)[0]) - (sizes(a)[front(i, a)] ?? 0)],
      },
    },
  ),
  'slice 13': rule(
    'slice 13',
    'strided_slice(reverse(?x, axis=0), begin=?b, end=?e, axes=[0])',
    'reverse(strided_slice(?x, begin=?c, end=?f, axes=[0]), axis=0)',
    {
      when: ({ x, b, e }) => isPart(b, e, sizes(x)[0] ?? 0),
      let: {
        c: ({ x, e }) => [(sizes(x)[0] ?? 0) - Number(list(e)[0])],
        f: ({ x, b }) => [(sizes(x)[0] ?? 0) - Number(list(b)[0])],
      },
    },
  ),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((at) => [`dyslice ${at}`, at === 6 ? IOTA : DYNAMIC]),
  ),
  ...Object.fromEntries([1, 2, 3, 4].map((at) => [`dyupslice ${at}`, DYNAMIC])),
  'iota 1': IOTA,
};

const contractions: Readonly<Record<string, Stated>> = {
  'reduce 1': rule('reduce 1', 'sum(?x) * sum(?y)', 'sum(expand_dims(?x, axis=1) * ?y)', {
    when: ({ x, y }) => rank(x) === 1 && rank(y) === 1,
    ...REAL,
  }),
  'reduce 2': rule(
    'reduce 2',
    'sum(concatenate((sum(?x, axis=?a, keepdims=True), sum(?y, axis=?a, keepdims=True)), axis=?i), axis=?a)',
    'sum(concatenate((?x, ?y), axis=?i), axis=?a)',
    { when: ({ a, i, x }) => same(axes(a, x), [front(i, x)]), ...REAL },
  ),
  'reduce 3': rule('reduce 3', '?c * sum(?x, attrs=?a)', 'sum(?c * ?x, attrs=?a)', {
    when: ({ c }) => isScalar(c),
    ...REAL,
  }),
  'reduce 4': rule(
    'reduce 4',
    'sum(transpose(?x, axes=?p), axis=?a, keepdims=True)',
    'transpose(sum(?x, axis=?b, keepdims=True), axes=?p)',
    { let: { b: ({ x, p, a }) => axes(a, x).map((axis) => order(p, x)[axis] ?? 0) }, ...REAL },
  ),
  'reduce 5': rule(
    'reduce 5',
    'sum(sum(?x, axis=?a, keepdims=True), axis=?b, keepdims=True)',
    'sum(?x, axis=?c, keepdims=True)',
    { let: { c: ({ x, a, b }) => [...new Set([...axes(a, x), ...axes(b, x)])] }, ...REAL },
  ),
  'reduce 6': rule(
    'reduce 6',
    'sum(nn.batch_matmul(?x, ?y), axis=[0])',
    'nn.matmul(reshape(transpose(?x, axes=[1, 0, 2]), newshape=?s), reshape(?y, newshape=?t))',
    {
      when: ({ x, y }) => sizes(x)[0] === sizes(y)[0],
      let: {
        s: ({ x }) => [sizes(x)[1] ?? 0, (sizes(x)[0] ?? 0) * (sizes(x)[2] ?? 0)],
        t: ({ y }) => [(sizes(y)[0] ?? 0) * (sizes(y)[1] ?? 0), sizes(y)[2] ?? 0],
      },
      ...REAL,
    },
  ),
  'reduce 7': rule('reduce 7', 'sum(?x, axis=?a)', 'reshape(?x, newshape=?s)', {
    when: ({ x, a }) => axes(a, x).every((axis) => sizes(x)[axis] === 1),
    let: { s: ({ result }) => sizes(result) },
    needs: ['nsz', 'reassoc'],
  }),
  'reduce 8': rule('reduce 8', 'sum(transpose(?x, axes=?p), axis=?a)', 'reshape(?x, newshape=?s)', {
    when: ({ x, p, a }) => {
      const gone = axes(a, x).map((axis) => order(p, x)[axis] ?? 0);
      const kept = order(p, x).filter((_, at) => !axes(a, x).includes(at));
      return gone.every((axis) => sizes(x)[axis] === 1) && same(kept, [...kept].sort());
    },
    let: { s: ({ result }) => sizes(result) },
    needs: ['nsz', 'reassoc'],
  }),
  'dot 1': rule(
    'dot 1',
    'nn.matmul(concatenate((?x, ?y), axis=1), concatenate((?c, ?d), axis=0))',
    'nn.matmul(?x, ?c) + nn.matmul(?y, ?d)',
    { when: ({ x, c }) => rank(x) === 2 && sizes(x)[1] === sizes(c)[0], ...REAL },
  ),
  'dot 2': rule(
    'dot 2',
    'nn.matmul(?x, ?y)',
    'transpose(nn.matmul(transpose(?y), transpose(?x)))',
    {
      when: ({ x, y }) => rank(x) === 2 && rank(y) === 2,
      ...REAL,
    },
  ),
  'dot 3': rule(
    'dot 3',
    'nn.matmul(?x, nn.matmul(?y, ?z))',
    'nn.matmul(nn.matmul(?x, ?y), ?z)',
    REAL,
  ),
  'dot 4': rule('dot 4', 'nn.matmul(?x, ?y)', '?x * ?y', {
    when: ({ x, y }) => rank(x) === 2 && rank(y) === 2 && sizes(x)[1] === 1,
    ...REAL,
  }),
  'dot 5': rule('dot 5', 'nn.matmul(?x, ?y)', '?o', {
    when: ({ x, y }) => [...sizes(x), ...sizes(y)].includes(0),
    let: { o: ({ result }) => filled(result, 0) },
  }),
  'dot 6': rule('dot 6', 'nn.matmul(?x, ?y)', 'sum(?x * transpose(?y), axis=[1], keepdims=True)', {
    when: ({ x, y }) => rank(x) === 2 && rank(y) === 2 && sizes(y)[1] === 1,
    ...REAL,
  }),
  'conv 1': rule(
    'conv 1',
    'nn.conv1d(nn.pad(?x, 0f, pad_width=?p), ?w, padding=?q)',
    'nn.conv1d(?x, ?w, padding=?r)',
    {
      when: ({ p }) =>
        pairs(p).every(([low, high], i) =>
          i < 2 ? low === 0 && high === 0 : low >= 0 && high >= 0,
        ),
      let: {
        r: ({ p, q }) => [
          (pairs(p)[2]?.[0] ?? 0) + (list(q)[0] ?? 0),
          (pairs(p)[2]?.[1] ?? 0) + (list(q).at(-1) ?? 0),
        ],
      },
      ...REAL,
    },
  ),
  'conv 2': rule(
    'conv 2',
    'nn.conv1d(?x, nn.dilate(?w, strides=?s))',
    'nn.conv1d(?x, ?w, dilation=?d)',
    {
      when: ({ s }) => list(s)[0] === 1 && list(s)[1] === 1,
      let: { d: ({ s }) => [list(s)[2] ?? 1] },
      ...REAL,
    },
  ),
  'conv 3':
    'data and weight of a convolution of Relay have fixed roles: batch and channels change places',
  'conv 4': rule(
    'conv 4',
    'nn.conv1d(?x, ?w)',
    'expand_dims(nn.matmul(squeeze(?x, axis=[2]), transpose(squeeze(?w, axis=[2]))), axis=2)',
    { when: ({ x, w }) => sizes(x)[2] === 1 && sizes(w)[2] === 1, ...REAL },
  ),
  'generalize 1': 'a convolution of Relay does not dilate its data',
};

const all: ReadonlyArray<readonly [string, Stated]> = Object.entries({
  ...elements,
  ...movements,
  ...parts,
  ...contractions,
});

/** The rules by file and position, such as `add 1`; with the reason if one is not stated. */
export const XLA: ReadonlyArray<{ readonly name: string; readonly reason: string | undefined }> =
  all.map(([name, stated]) => ({ name, reason: typeof stated === 'string' ? stated : undefined }));

/** Those that Relay's operators say, as a set. */
export const xlaSet: RuleSet = orThrow(
  ruleSet('xla', ...all.flatMap(([, stated]) => (typeof stated === 'string' ? [] : [stated]))),
);
