export * from './catalogue.ts';
export * from './findingType.ts';
export * from './texts.ts';
