/** What tests of other packages share with those of the service. */
export { type CollectorToken, SimulatedCollector } from './collectors/testing/simulatedCollector.ts';
