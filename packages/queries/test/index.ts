/** Test helpers: graphs of generations, forests and tenants, definitions of lists. */

export { generationOf, SwappableGenerations } from './generations.ts';
export { listDefinitions } from './listDefinitions.ts';
