/** Helpers shared with tests of other packages. */

export { AnswerBuilder } from '../src/cypher/answer.ts';
export { attackPropertyGraph } from '../src/cypher/attackPropertyGraph.ts';
export { NameIndex } from '../src/cypher/nameIndex.ts';
export { PropertyColumns } from '../src/cypher/propertyColumns.ts';
export { exploreHandlers } from '../src/graphs/exploreHandlers.ts';
export { exportPieces } from '../src/graphs/export/exportGraph.ts';
export { environmentHandlers } from '../src/graphs/handlers/environmentHandlers.ts';
export { parseEdgeKindFilter } from '../src/graphs/paths/edgeKindFilter.ts';
export { createQueryServices } from '../src/graphs/queryServices.ts';
export { appearanceOf } from '../src/graphs/render/appearance.ts';
export { waitingRequest, withdrawRequest } from '../src/requests/requests.ts';
export { type QueryServer, startQueryServer } from './graphs/queryServer.ts';
