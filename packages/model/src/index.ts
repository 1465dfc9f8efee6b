export * from './aspects.ts';
export * from './edgeFlags.ts';
export * from './edgeKinds.ts';
export * from './facts.ts';
export * from './nodeKinds.ts';
export * from './permissions.ts';
export * from './rulesMode.ts';
export * from './zones/defaultSelectors.ts';
