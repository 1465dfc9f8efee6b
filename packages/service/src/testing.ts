/** Helpers that tests of other packages share with those of the service. */

export { type OidcPeer, startOidcPeer } from '@clew/identity/testing';
export { startTestDatabase } from '@clew/store/testing';
export { type CollectedGraph, collectedGraph } from './testing/collectedGraph.ts';
export {
  changeRecords,
  type EditableFile,
  type RecordChange,
  recordChangeOf,
} from './testing/repairCollection.ts';
export { type CollectorToken, SimulatedCollector } from './testing/simulatedCollector.ts';
