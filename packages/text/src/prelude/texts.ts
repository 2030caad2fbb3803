/**
 * The library of the language, as text:
 * [language §10](https://batonjs.github.io/baton/spec/language#10).
 */

/** The files that a module may import. */
export type StdFile = 'prelude.rly' | 'nat.rly' | 'gradient.rly' | 'core.rly';

const PRELUDE = `#[version = "0.0.5"]

type List[A] { Cons(A, List[A]), Nil }
type Option[A] { Some(A), None }
type Tree[A] { Rose(A, List[Tree[A]]) }

def @id[A](%x: A) -> A { %x }

def @compose[A, B, C](%f: fn (B) -> C, %g: fn (A) -> B) -> fn (A) -> C {
  fn (%x: A) -> C { %f(%g(%x)) }
}

def @flip[A, B, C](%f: fn (A, B) -> C) -> fn (B, A) -> C {
  fn (%b: B, %a: A) -> C { %f(%a, %b) }
}

def @hd[A](%xs: List[A]) -> A {
  match? (%xs) { Cons(%x, _) => %x }
}

def @tl[A](%xs: List[A]) -> List[A] {
  match? (%xs) { Cons(_, %rest) => %rest }
}

def @nth[A](%xs: List[A], %n: int32) -> A {
  if (%n == 0) { @hd(%xs) } else { @nth(@tl(%xs), %n - 1) }
}

def @length[A](%xs: List[A]) -> int32 {
  match (%xs) {
    Cons(_, %rest) => 1 + @length(%rest),
    Nil => 0,
  }
}

def @update[A](%xs: List[A], %n: int32, %v: A) -> List[A] {
  if (%n == 0) {
    Cons(%v, @tl(%xs))
  } else {
    Cons(@hd(%xs), @update(@tl(%xs), %n - 1, %v))
  }
}

def @map[A, B](%f: fn (A) -> B, %xs: List[A]) -> List[B] {
  match (%xs) {
    Cons(%x, %rest) => Cons(%f(%x), @map(%f, %rest)),
    Nil => Nil,
  }
}

def @foldl[A, B](%f: fn (A, B) -> A, %acc: A, %xs: List[B]) -> A {
  match (%xs) {
    Cons(%x, %rest) => @foldl(%f, %f(%acc, %x), %rest),
    Nil => %acc,
  }
}

def @foldr[A, B](%f: fn (A, B) -> B, %acc: B, %xs: List[A]) -> B {
  match (%xs) {
    Cons(%x, %rest) => %f(%x, @foldr(%f, %acc, %rest)),
    Nil => %acc,
  }
}

def @foldr1[A](%f: fn (A, A) -> A, %xs: List[A]) -> A {
  match? (%xs) {
    Cons(%x, Nil) => %x,
    Cons(%x, %rest) => %f(%x, @foldr1(%f, %rest)),
  }
}

def @sum(%xs: List[int32]) -> int32 {
  @foldl(fn (%acc: int32, %x: int32) -> int32 { %acc + %x }, 0, %xs)
}

def @concat[A](%xs: List[A], %ys: List[A]) -> List[A] {
  match (%xs) {
    Cons(%x, %rest) => Cons(%x, @concat(%rest, %ys)),
    Nil => %ys,
  }
}

def @filter[A](%f: fn (A) -> bool, %xs: List[A]) -> List[A] {
  match (%xs) {
    Cons(%x, %rest) => if (%f(%x)) {
      Cons(%x, @filter(%f, %rest))
    } else {
      @filter(%f, %rest)
    },
    Nil => Nil,
  }
}

def @zip[A, B](%xs: List[A], %ys: List[B]) -> List[(A, B)] {
  match (%xs) {
    Cons(%x, %xs1) => match (%ys) {
      Cons(%y, %ys1) => Cons((%x, %y), @zip(%xs1, %ys1)),
      Nil => Nil,
    },
    Nil => Nil,
  }
}

def @rev[A](%xs: List[A]) -> List[A] {
  @foldl(fn (%acc: List[A], %x: A) -> List[A] { Cons(%x, %acc) }, Nil, %xs)
}

def @map_accumr[A, B, C](%f: fn (A, B) -> (A, C), %init: A, %xs: List[B]) -> (A, List[C]) {
  let %step = fn (%x: B, %acc: (A, List[C])) -> (A, List[C]) {
    let %r = %f(%acc.0, %x);
    (%r.0, Cons(%r.1, %acc.1))
  };
  @foldr(%step, (%init, Nil), %xs)
}

def @map_accuml[A, B, C](%f: fn (A, B) -> (A, C), %init: A, %xs: List[B]) -> (A, List[C]) {
  let %step = fn (%acc: (A, List[C]), %x: B) -> (A, List[C]) {
    let %r = %f(%acc.0, %x);
    (%r.0, Cons(%r.1, %acc.1))
  };
  @foldl(%step, (%init, Nil), %xs)
}

def @unfoldr[A, B](%f: fn (A) -> Option[(A, B)], %seed: A) -> List[B] {
  match (%f(%seed)) {
    Some(%p) => Cons(%p.1, @unfoldr(%f, %p.0)),
    None => Nil,
  }
}

def @unfoldl[A, B](%f: fn (A) -> Option[(A, B)], %seed: A) -> List[B] {
  @rev(@unfoldr(%f, %seed))
}

def @tmap[A, B](%f: fn (A) -> B, %t: Tree[A]) -> Tree[B] {
  match (%t) {
    Rose(%v, %sub) => Rose(%f(%v), @map(fn (%u: Tree[A]) -> Tree[B] { @tmap(%f, %u) }, %sub)),
  }
}

def @size[A](%t: Tree[A]) -> int32 {
  match (%t) {
    Rose(_, %sub) => 1 + @sum(@map(fn (%u: Tree[A]) -> int32 { @size(%u) }, %sub)),
  }
}

def @iterate[A](%f: fn (A) -> A, %n: int32) -> fn (A) -> A {
  if (%n == 0) {
    fn (%x: A) -> A { %x }
  } else {
    @compose(%f, @iterate(%f, %n - 1))
  }
}
`;

const NAT = `#[version = "0.0.5"]

type nat { zero, succ(nat) }

def @nat_double(%n: nat) -> nat {
  match (%n) {
    zero => zero,
    succ(%m) => succ(succ(@nat_double(%m))),
  }
}

def @nat_add(%x: nat, %y: nat) -> nat {
  match (%x) {
    zero => %y,
    succ(%m) => succ(@nat_add(%m, %y)),
  }
}

def @nat_nth[A](%xs: List[A], %n: nat) -> A {
  match (%n) {
    zero => @hd(%xs),
    succ(%m) => @nat_nth(@tl(%xs), %m),
  }
}

def @nat_update[A](%xs: List[A], %n: nat, %v: A) -> List[A] {
  match (%n) {
    zero => Cons(%v, @tl(%xs)),
    succ(%m) => Cons(@hd(%xs), @nat_update(@tl(%xs), %m, %v)),
  }
}

def @nat_iterate[A](%f: fn (A) -> A, %n: nat) -> fn (A) -> A {
  match (%n) {
    zero => fn (%x: A) -> A { %x },
    succ(%m) => @compose(%f, @nat_iterate(%f, %m)),
  }
}
`;

const GRADIENT = `#[version = "0.0.5"]

type GradCell[T] { Raw(T), One(fn () -> T), Zero(fn () -> T) }

def @FromGradCell[T](%g: GradCell[T]) -> T {
  match (%g) {
    Raw(%x) => %x,
    One(%x) => %x(),
    Zero(%x) => %x(),
  }
}

def @MultiplyGradCell[T](%f: fn (T, T) -> T, %l: GradCell[T], %r: GradCell[T]) -> GradCell[T] {
  match (%l) {
    Raw(%x) => match (%r) {
      Raw(%y) => Raw(%f(%x, %y)),
      One(_) => %l,
      Zero(_) => %r,
    },
    One(_) => %r,
    Zero(_) => %l,
  }
}

def @AddGradCell[T](%f: fn (T, T) -> T, %l: GradCell[T], %r: GradCell[T]) -> GradCell[T] {
  match (%l) {
    Raw(%x) => match (%r) {
      Raw(%y) => Raw(%f(%x, %y)),
      One(%y) => Raw(%f(%x, %y())),
      Zero(_) => %l,
    },
    One(%x) => match (%r) {
      Raw(%y) => Raw(%f(%x(), %y)),
      One(%y) => Raw(%f(%x(), %y())),
      Zero(_) => %l,
    },
    Zero(_) => %r,
  }
}
`;

const CORE = `#[version = "0.0.5"]

extern type Storage
`;

export interface StdText {
  readonly text: string;
  /** The files whose definitions it uses. */
  readonly needs: ReadonlyArray<StdFile>;
}

export const STD_TEXTS: { readonly [F in StdFile]: StdText } = {
  'prelude.rly': { text: PRELUDE, needs: [] },
  'nat.rly': { text: NAT, needs: ['prelude.rly'] },
  'gradient.rly': { text: GRADIENT, needs: [] },
  'core.rly': { text: CORE, needs: [] },
};
