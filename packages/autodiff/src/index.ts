/** The public names of `@baton/autodiff`. */
export { expandGradients, gradientsAsGraphs, hasGradients } from './expand.ts';
export { firstOrderGradient } from './first-order.ts';
export { type HigherOrder, higherOrder } from './higher-order.ts';
export { mapTensors } from './tensors.ts';
