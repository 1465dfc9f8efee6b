export * from './binaries.ts';
export * from './cluster.ts';
export * from './directoryLock.ts';
export * from './embeddedPostgres.ts';
export * from './leftovers.ts';
export * from './processOwner.ts';
export * from './settings.ts';
export * from './startError.ts';
