export * from './generation.ts';
export * from './generationHolder.ts';
export * from './kindCounter.ts';
export * from './nodeMarks.ts';
