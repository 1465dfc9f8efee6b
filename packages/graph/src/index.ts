export * from './attackGraph.ts';
export * from './textColumn.ts';
