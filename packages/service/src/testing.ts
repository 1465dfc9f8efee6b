/** What tests of other packages share with those of the service. */

export { startTestDatabase } from '@clew/store/testing';
export { type OidcPeer, startOidcPeer } from './identity/sso/testing/oidcPeer.ts';
export {
  changeRecords,
  type EditableFile,
  type RecordChange,
  recordChangeOf,
} from './testing/repairCollection.ts';
export { type CollectorToken, SimulatedCollector } from './testing/simulatedCollector.ts';
