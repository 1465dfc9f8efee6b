/** Helpers that tests of other packages share with those of this one. */

export { AnswerBuilder } from './cypher/answer.ts';
export { attackPropertyGraph } from './cypher/attackPropertyGraph.ts';
export { NameIndex } from './cypher/nameIndex.ts';
export { PropertyColumns } from './cypher/propertyColumns.ts';
export { exploreHandlers } from './graphs/exploreHandlers.ts';
export { exportPieces } from './graphs/export/exportGraph.ts';
export { environmentHandlers } from './graphs/handlers/environmentHandlers.ts';
export { parseEdgeKindFilter } from './graphs/paths/edgeKindFilter.ts';
export { createQueryServices } from './graphs/queryServices.ts';
export { appearanceOf } from './graphs/render/appearance.ts';
export { type QueryServer, startQueryServer } from './graphs/testing/queryServer.ts';
export { waitingRequest, withdrawRequest } from './requests/requests.ts';
