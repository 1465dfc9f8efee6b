export { BinariesError, findBinaries, installedPostgresVersion, type PostgresBinaries } from './binaries.ts';
export {
  type ClusterPlan,
  clusterArgument,
  DATABASE_USER,
  EmbeddedPostgresError,
  makeCluster,
  OutputTail,
  readOrMakePassword,
  type SocketDirectory,
  socketDirectory,
} from './cluster.ts';
export { DirectoryInUseError, type DirectoryLock, LOCK_FILE, lockDirectory } from './directoryLock.ts';
export {
  connectionToRunning,
  type EmbeddedLog,
  type EmbeddedOptions,
  EmbeddedPostgres,
} from './embeddedPostgres.ts';
export {
  identityOf,
  SOCKET_DIRECTORY_PREFIX,
  SOCKET_FILE,
  SOCKET_OWNER_FILE,
  stopLeftovers,
  UnreachableDatabaseError,
} from './leftovers.ts';
export { databaseProcessOwner, type ProcessOwner, ProcessOwnerError } from './processOwner.ts';
export { type EmbeddedTuning, serverArguments } from './settings.ts';
export { StartError } from './startError.ts';
