/** Handlers with which users explore the graph, for the service. */

export { syncExtensionQueries } from './cypher/extensionQueries.ts';
export { environmentNamed } from './graphs/environmentNamed.ts';
export { openExplore } from './openExplore.ts';
