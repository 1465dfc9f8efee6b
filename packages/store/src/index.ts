export { StartError } from '@clew/embedded';
export { AdvisoryLock } from './advisoryLocks.ts';
export { BackupError } from './backup/backupError.ts';
export { renewInstallation } from './backup/installation.ts';
export { fileHead, isSealed, verifyBackup } from './backup/readBackup.ts';
export { migrationsOf, restoreBackup } from './backup/restoreBackup.ts';
export { type WrittenBackup, writeBackup } from './backup/writeBackup.ts';
export { writeBackupBeside } from './backup/writeBackupBeside.ts';
export { isConnectionError } from './connectionErrors.ts';
export { copyIn, createStaged, type Halves, halvesOfTime, indexStaged } from './copy/copyIn.ts';
export { CopyRow, copyOut } from './copy/copyOut.ts';
export {
  columnList,
  type Row,
  type StagedColumn,
  StagedRows,
  type StagedTable,
  stagedTable,
} from './copy/stagedTable.ts';
export { STORE_SET } from './copy/storeSet.ts';
export { cursorRows, type Statement } from './cursor.ts';
export { KindLimitError, type KindTableName, numberKinds, type RunStatement } from './customKinds.ts';
export {
  connectDatabase,
  type Database,
  type DatabaseLog,
  type Db,
  externalConnection,
  type OpenOptions,
  openDatabase,
  openDatabaseBeside,
  type PoolOptions,
  withConnectionSettings,
} from './database.ts';
export { dataFault } from './dataFaults.ts';
export {
  HYGIENE,
  OWNED,
  SYSTEM_ACTOR,
  TIER_ZERO,
  ZoneType,
  zoneKindName,
} from './defaultZones.ts';
export { MAX_OBJECT_ID_BYTES, ObjectIdDictionary, objectIdFault } from './dictionary.ts';
export { EDGE_PROPERTY_ROWS, WITHOUT_NESTED_LOOPS } from './edgePropertyRows.ts';
export { type EdgePropertySource, type StoredEdge, storedEdgeProperties } from './edgePropertySource.ts';
export { Listener, type ListenerOptions } from './listener.ts';
export { type MigrateOptions, migrate } from './migrate.ts';
export { namedObjectIds } from './namedObjectIds.ts';
export {
  detailsOf,
  HIDDEN_VALUE,
  type NodeDetails,
  type NodePropertySource,
  shownPropertyValue,
  storedProperties,
  withoutSecrets,
} from './nodeProperties.ts';
export { RequestWork } from './requestWork.ts';
export type { Schema } from './schema.ts';
export { ServerClient } from './serverClient.ts';
export {
  type ConnectionConfig,
  type ServerAddress,
  splitServers,
} from './servers.ts';
export { observeStatements, type StatementObserver } from './statementObserver.ts';
export { type Statements, statementsOn } from './statements.ts';
export { type StorableJson, storableJson, storableText } from './storableJson.ts';
export { type SurroundingsFault, surroundingsFault } from './surroundings.ts';
export type * from './tables/assistantTables.ts';
export type * from './tables/checkTables.ts';
export type * from './tables/collectorTables.ts';
export type * from './tables/columnTypes.ts';
export type * from './tables/drawingTables.ts';
export type * from './tables/extensionTables.ts';
export * from './tables/findingTables.ts';
export type * from './tables/graphTables.ts';
export type * from './tables/identityTables.ts';
export type * from './tables/inboxTables.ts';
export type * from './tables/planTables.ts';
export type * from './tables/qualityTables.ts';
export type * from './tables/queryTables.ts';
export type * from './tables/reportTables.ts';
export type * from './tables/singleSignOnTables.ts';
export type * from './tables/sourceTables.ts';
export type * from './tables/uploadTables.ts';
export type * from './tables/viewTables.ts';
export type * from './tables/webhookTables.ts';
export { inSnapshot, inTransaction } from './transactions.ts';
export { typeParsers } from './typeParsers.ts';
export { expectOwnTables } from './upgradeLocks.ts';
export { type UpgradeScope, upgradeScope } from './upgradeScope.ts';
export { type TableState, type UpgradeWatch, watchUpgrades } from './upgradeWatch.ts';
export {
  factsChanged,
  GENERATION_CHANNEL,
  readingChanged,
  type TaskName,
  WAKE_CHANNEL,
  wake,
  wakeOn,
  zonesChanged,
} from './wake.ts';
