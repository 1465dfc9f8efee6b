/**
 * The nodes that a caller may see. Users may be limited to some environments: lists omit other nodes, and graphs show them as placeholders
 * so that paths stay connected. Rule: `docs/reference/api.md#environments`.
 */

import { type ApiError, apiError, type Principal } from '@clew/common';
import { getOrMake, NO_NODE, objectIdOf } from '@clew/graph';
import type { QueryData } from '@clew/queries';

export interface Visibility {
  /** Nodes of the environments that the caller may see; absent for all. */
  readonly environments?: ReadonlySet<number>;
}

export function visibilityOf(data: QueryData, principal: Principal): Visibility {
  if (principal.kind !== 'user' || principal.environments === null) return {};
  return visibilityIn(data, principal.environments);
}

/** @param ids object ids of environments */
export function visibilityIn(data: QueryData, ids: ReadonlySet<string>): Visibility {
  return {
    environments: new Set(
      environmentsOf(data).filter((environment) => ids.has(objectIdOf(data.graph, environment))),
    ),
  };
}

/** A node without a known environment is visible to users who may see all of them. */
export function isVisible(data: QueryData, { environments }: Visibility, node: number): boolean {
  return environments === undefined || environments.has(data.graph.environmentOf[node]);
}

/**
 * Returns the answer for a missing object. Users limited to some environments get the same answer as for an object of another environment,
 * so that existence is not revealed.
 */
export function missingFrom(
  { environments }: Visibility,
  code: 'nodeNotFound' | 'entityNotFound' | 'resourceNotFound' = 'nodeNotFound',
): ApiError {
  return apiError(environments === undefined ? code : 'environmentForbidden');
}

/** @throws ApiError 403 */
export function requireVisible(data: QueryData, visibility: Visibility, node: number): void {
  if (!isVisible(data, visibility, node)) throw apiError('environmentForbidden');
}

export function onlyVisible(data: QueryData, visibility: Visibility, nodes: Uint32Array): Uint32Array {
  if (visibility.environments === undefined) return nodes;
  return nodes.filter((node) => isVisible(data, visibility, node));
}

const environmentsByData = new WeakMap<QueryData, readonly number[]>();

/** @returns the nodes that are environments of others; computed once in a pass over all nodes */
function environmentsOf(data: QueryData): readonly number[] {
  return getOrMake(environmentsByData, data, () => {
    const found = new Set<number>(data.graph.environmentOf);
    found.delete(NO_NODE);
    return [...found];
  });
}
