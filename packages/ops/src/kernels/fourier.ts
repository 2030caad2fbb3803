/** Discrete Fourier transforms. */

export interface Complex {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

export type Transform = (re: Float64Array, im: Float64Array) => Complex;

/**
 * The transform of vectors of `length` numbers, or its inverse, which divides by the length.
 *
 * **Complexity** O(length · log length) for each vector: powers of two are halved, other lengths
 * are convolutions of these.
 *
 * **Source** Cooley and Tukey, 1965; Bluestein, 1970.
 */
export function fourier(length: number, inverse: boolean): Transform {
  const forward = length > 0 && (length & (length - 1)) === 0 ? halving(length) : chirp(length);
  if (!inverse) return forward;
  // The inverse is the transform with both parts swapped, before and after.
  return (re, im) => {
    const turned = forward(im, re);
    const scale = (part: Float64Array): Float64Array => part.map((x) => x / length);
    return { re: scale(turned.im), im: scale(turned.re) };
  };
}

/** For lengths that are powers of two. */
function halving(length: number): Transform {
  const { re: cosines, im: sines } = roots(length, length);
  return (givenRe, givenIm) => {
    const [re, im] = [inBitOrder(givenRe), inBitOrder(givenIm)];
    for (let half = 1; half < length; half *= 2) {
      const step = length / (2 * half);
      for (let start = 0; start < length; start += 2 * half) {
        for (let i = 0; i < half; i++) {
          const [low, high] = [start + i, start + i + half];
          const [c, s] = [cosines[i * step] as number, sines[i * step] as number];
          const [a, b] = [re[high] as number, im[high] as number];
          const [x, y] = [a * c - b * s, a * s + b * c];
          re[high] = (re[low] as number) - x;
          im[high] = (im[low] as number) - y;
          re[low] = (re[low] as number) + x;
          im[low] = (im[low] as number) + y;
        }
      }
    }
    return { re, im };
  };
}

/** For any length, as a convolution whose length is a power of two. */
function chirp(length: number): Transform {
  let size = 1;
  while (size < 2 * length) size *= 2;
  const transform = halving(size);
  const back = fourier(size, true);
  // exp(−πi·k²/n): squares are reduced modulo 2n, so that the angles stay exact.
  const squares = Array.from({ length }, (_, k) => (k * k) % (2 * length));
  const unit = roots(2 * length, 2 * length);
  const chirpRe = Float64Array.from(squares, (k) => unit.re[k] as number);
  const chirpIm = Float64Array.from(squares, (k) => unit.im[k] as number);
  const [filterRe, filterIm] = [new Float64Array(size), new Float64Array(size)];
  for (let k = 0; k < length; k++) {
    for (const place of [k, (size - k) % size]) {
      filterRe[place] = chirpRe[k] as number;
      filterIm[place] = -(chirpIm[k] as number);
    }
  }
  const filter = transform(filterRe, filterIm);
  return (re, im) => {
    const turned = times({ re, im }, { re: chirpRe, im: chirpIm }, length, size);
    const product = times(transform(turned.re, turned.im), filter, size, size);
    const found = back(product.re, product.im);
    return times(found, { re: chirpRe, im: chirpIm }, length, length);
  };
}

/** The first `count` complex products, in vectors of `size`. */
function times(a: Complex, b: Complex, count: number, size: number): Complex {
  const [re, im] = [new Float64Array(size), new Float64Array(size)];
  for (let i = 0; i < count; i++) {
    const [x, y] = [a.re[i] as number, a.im[i] as number];
    const [c, s] = [b.re[i] as number, b.im[i] as number];
    re[i] = x * c - y * s;
    im[i] = x * s + y * c;
  }
  return { re, im };
}

/** The first roots of unity, clockwise: exp(−2πi·k/n). */
function roots(n: number, count: number): Complex {
  const angle = (k: number): number => (-2 * Math.PI * k) / n;
  return {
    re: Float64Array.from({ length: count }, (_, k) => Math.cos(angle(k))),
    im: Float64Array.from({ length: count }, (_, k) => Math.sin(angle(k))),
  };
}

/** The numbers in bit-reversed order. */
function inBitOrder(numbers: Float64Array): Float64Array {
  const { length } = numbers;
  const result = new Float64Array(length);
  let place = 0;
  for (let i = 0; i < length; i++) {
    result[place] = numbers[i] as number;
    let bit = length >> 1;
    while (bit > 0 && (place & bit) !== 0) {
      place ^= bit;
      bit >>= 1;
    }
    place |= bit;
  }
  return result;
}
