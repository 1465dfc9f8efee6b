export { findBinaries, installedPostgresVersion, type PostgresBinaries } from './binaries.ts';
export {
  type ClusterPlan,
  clusterArgument,
  DATABASE_USER,
  makeCluster,
  type SocketDirectory,
} from './cluster.ts';
export { DirectoryInUseError, type DirectoryLock, lockDirectory } from './directoryLock.ts';
export {
  connectionToRunning,
  type EmbeddedLog,
  type EmbeddedOptions,
  EmbeddedPostgres,
} from './embeddedPostgres.ts';
export { stopLeftovers } from './leftovers.ts';
export { databaseProcessOwner, type ProcessOwner } from './processOwner.ts';
export { type EmbeddedTuning, serverArguments } from './settings.ts';
export { StartError } from './startError.ts';
