export * from './errors.ts';
export * from './route.ts';
