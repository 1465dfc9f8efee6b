export * from './catalog.ts';
export * from './declaredTypes.ts';
export * from './findingType.ts';
export { techniquesOf } from './techniques.ts';
export * from './texts.ts';
