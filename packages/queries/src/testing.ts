/** Test helpers: graphs of generations, forests and tenants, definitions of lists. */
export * from './testing/forests.ts';
export * from './testing/generations.ts';
export * from './testing/listDefinitions.ts';
export * from './testing/tenants.ts';
