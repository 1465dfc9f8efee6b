/** Thrown for content that cannot become a graph: unsorted nodes, edges to missing nodes, or a duplicate store id. */
export class GraphBuildError extends Error {
  override readonly name = 'GraphBuildError';
}
