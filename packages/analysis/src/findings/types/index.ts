export * from './catalog.ts';
export * from './declaredTypes.ts';
export * from './findingType.ts';
export { type Technique, techniquesOf } from './techniques.ts';
export * from './texts.ts';
