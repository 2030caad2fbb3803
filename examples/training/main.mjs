// A network written in Relay text learns "exclusive or" by gradient descent. The same network in
// plain JavaScript, with its derivatives written out by hand, has the same loss at every step.
import { orThrow, parseModule, tensor, toData, wasm } from 'batonjs';

const text = `#[version = "0.0.5"]
def @loss(%w: Tensor[(8, 2), float64], %b: Tensor[(8), float64], %v: Tensor[(1, 8), float64],
    %x: Tensor[(4, 2), float64], %y: Tensor[(4, 1), float64]) {
  let %hidden = tanh(nn.bias_add(nn.dense(%x, %w), %b));
  let %error = nn.dense(%hidden, %v) - %y;
  mean(%error * %error)
}
def @main(%w: Tensor[(8, 2), float64], %b: Tensor[(8), float64], %v: Tensor[(1, 8), float64],
    %x: Tensor[(4, 2), float64], %y: Tensor[(4, 1), float64], %rate: float64) {
  let %found = gradient(@loss)(%w, %b, %v, %x, %y);
  let %slope = %found.1;
  (%found.0, %w - %rate * %slope.0, %b - %rate * %slope.1, %v - %rate * %slope.2)
}`;

const STEPS = 400;
const RATE = 0.1;
const UNITS = 8;
const inputs = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const wanted = [0, 1, 1, 0];

/** The initial weights, the same for both. */
const first = (count, scale) =>
  Array.from({ length: count }, (_, i) => scale * Math.sin(12.9898 * (i + 1)));

/** The losses of the program. */
function trainProgram() {
  // The step with its gradient is compiled to WebAssembly as a whole.
  const step = orThrow(wasm.prepare(orThrow(parseModule(text))));
  const of = (numbers, shape) => tensor(numbers, shape, 'float64');
  const [x, y, rate] = [of(inputs.flat(), [4, 2]), of(wanted, [4, 1]), of([RATE], [])];
  let weights = [of(first(16, 1), [8, 2]), of(first(8, 0.5), [8]), of(first(8, 1), [1, 8])];
  return Array.from({ length: STEPS }, () => {
    const { fields } = orThrow(step.run([...weights, x, y, rate]));
    weights = fields.slice(1);
    return toData(fields[0]);
  });
}

/** The losses of the same network in plain JavaScript. */
function trainByHand() {
  const [w, b, v] = [first(16, 1), first(8, 0.5), first(8, 1)];
  return Array.from({ length: STEPS }, () => {
    const [dw, db, dv] = [w, b, v].map((list) => list.map(() => 0));
    let loss = 0;
    inputs.forEach(([p, q], i) => {
      const hidden = b.map((shift, k) => Math.tanh(w[2 * k] * p + w[2 * k + 1] * q + shift));
      const error = hidden.reduce((sum, h, k) => sum + h * v[k], 0) - wanted[i];
      loss += error ** 2 / 4;
      for (let k = 0; k < UNITS; k++) {
        const slope = (error / 2) * v[k] * (1 - hidden[k] ** 2);
        dv[k] += (error / 2) * hidden[k];
        db[k] += slope;
        dw[2 * k] += slope * p;
        dw[2 * k + 1] += slope * q;
      }
    });
    for (const [list, slopes] of [
      [w, dw],
      [b, db],
      [v, dv],
    ]) {
      for (const k of list.keys()) list[k] -= RATE * slopes[k];
    }
    return loss;
  });
}

const [program, byHand] = [trainProgram(), trainByHand()];
for (let i = 0; i < STEPS; i += 100) console.log(`step ${i}: loss ${program[i].toPrecision(6)}`);
const last = program[STEPS - 1];
console.log(`step ${STEPS - 1}: loss ${last.toPrecision(6)}, below 0.01: ${last < 0.01}`);
const apart = Math.max(...program.map((loss, i) => Math.abs(loss - byHand[i])));
console.log(`as far as by hand at every step: ${apart < 1e-9}`);
