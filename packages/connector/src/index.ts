/** The parts of Clew for security-operations platforms: actions for analysts. */
export { doesPathExist, type PathInfo, type PathItem } from './actions/doesPathExist.ts';
export { messageOf } from './actions/faults.ts';
export { type AssetItem, type FetchAssetsOptions, fetchAssets } from './actions/fetchAssets.ts';
export { findFinding } from './actions/findFinding.ts';
export { getObjectId, type ObjectItem } from './actions/getObjectId.ts';
export { InputError, type NodePair } from './actions/inputs.ts';
export { builtInPhrase, type PhraseOf, phrasesOf } from './actions/phrases.ts';
export { type PingInfo, ping } from './actions/ping.ts';
export type { ActionResult, ItemResult } from './actions/results.ts';
export { ANALYZED_MEANWHILE, whatIf } from './actions/whatIf.ts';
export type { ConnectorLog } from './connector/connectorLog.ts';
export { type OpenConnector, openConnector } from './connector/open.ts';
export { runConnector } from './connector/run.ts';
export type { RunOptions } from './connector/runParts.ts';
export type { RunReport } from './connector/runReport.ts';
export {
  type ConnectorSettings,
  readSettings,
  SettingsError,
} from './connector/settings.ts';
export { type TicketTestReport, testTickets } from './connector/ticketTrial.ts';
export { type TestReport, testConnector } from './connector/trial.ts';
export type { Alert, AlertEvent } from './findings/alerts.ts';
export type { HostPlatform, Outcome } from './platforms/platform.ts';
export { DestinationSettings } from './platforms/settings.ts';
export { type Investigation, investigate, type Verdict } from './playbook/investigate.ts';
export { schemaFaults } from './schemaFaults.ts';
export type { Health } from './state/connectorState.ts';
export { StateError } from './state/sqlEngine.ts';
export { isWorkSystem } from './tickets/workSystem.ts';
