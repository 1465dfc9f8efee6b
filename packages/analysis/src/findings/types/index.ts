export * from './catalogue.ts';
export * from './findingType.ts';
export { type Technique, techniquesOf } from './techniques.ts';
export * from './texts.ts';
