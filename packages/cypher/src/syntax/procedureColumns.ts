/** The columns of the procedures that queries can call, by lower-case name. */

const PATHS = ['path', 'weight'];

export const PROCEDURE_COLUMNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['apoc.algo.dijkstra', PATHS],
  ['apoc.algo.dijkstrawithdefaultweight', PATHS],
  [
    'gds.shortestpath.dijkstra.stream',
    ['index', 'sourceNode', 'targetNode', 'totalCost', 'nodeIds', 'costs', 'path'],
  ],
]);
