/** Test helpers: graphs of generations, forests and tenants, definitions of lists. */

export { generationOf, SwappableGenerations } from './testing/generations.ts';
export { listDefinitions } from './testing/listDefinitions.ts';
