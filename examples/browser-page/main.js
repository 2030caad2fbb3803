// Optimizes the program in the text field whenever it changes; shows errors with their location.
import { isLeft, optimize, parseModule, printModule, renderDiagnostics, runPass } from 'batonjs';

const program = document.querySelector('#program');
const optimized = document.querySelector('#optimized');

program.value = `#[version = "0.0.5"]
def @main(%x: Tensor[(3), float32]) {
  let %scale = 1f + 1f;
  nn.relu(%x) * %scale + zeros_like(%x)
}`;

function show() {
  const parsed = parseModule(program.value);
  const result = isLeft(parsed) ? parsed : runPass(optimize({ level: 3 }))(parsed.right);
  optimized.textContent = isLeft(result)
    ? renderDiagnostics(result.left)
    : printModule(result.right.module, { showTypes: false });
}

program.addEventListener('input', show);
show();
