/** Rounding of products to integers of 8 bits, with the bounds of runs. */
export {
  type Bounds,
  boundsOver,
  observing,
  operandsIn,
  type QuantizedProductsOptions,
  withQuantizedProducts,
} from '@baton/passes';
