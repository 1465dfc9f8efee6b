/** Handlers with which users explore the graph, for the service. */

export { syncExtensionQueries } from './cypher/extensionQueries.ts';
export { openExplore } from './openExplore.ts';
