export * from './testing/memoryGraph.ts';
