/** Content that cannot become a graph: nodes out of order, edges to nowhere, a store id used twice. */
export class GraphBuildError extends Error {
  override readonly name = 'GraphBuildError';
}
