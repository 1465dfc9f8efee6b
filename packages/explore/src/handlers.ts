/** Handlers with which users explore the graph, for the service. */

export { cypherHandlers } from './cypher/cypherHandlers.ts';
export { syncExtensionQueries } from './cypher/extensionQueries.ts';
export { zipFiles } from './cypher/savedQueryFiles.ts';
export { savedQueryHandlers } from './cypher/savedQueryHandlers.ts';
export { watchHandlers } from './cypher/watches/watchHandlers.ts';
export { explainHandlers } from './explain/explainHandlers.ts';
export { exploreHandlers } from './graphs/exploreHandlers.ts';
export { createQueryServices } from './graphs/queryServices.ts';
export { analysisHandlers } from './requests/analysisHandlers.ts';
export { configHandlers } from './requests/configHandlers.ts';
