export { LARGE_DEFAULT_GROUPS } from './catalogue/largeDefaultGroups.ts';
export * from './catalogue.ts';
export * from './findingType.ts';
export * from './texts.ts';
