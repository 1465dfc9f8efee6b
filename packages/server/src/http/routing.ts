/** Converts contracts to router paths, and finds the methods of each path. */
import type { RouteContract } from '@clew/api';
import type { HandlerTable } from '@clew/common';

/** `/a/{id}` is `/a/:id` in the router. */
export function routerPaths({ path, aliases = [] }: RouteContract): readonly string[] {
  return [path, ...aliases].map((one) => one.replace(/\{(\w+)\}/g, ':$1'));
}

/** @returns the allowed methods for the path of an unmatched request; none for an unknown path */
export function createMethodFinder(
  contracts: readonly Pick<RouteContract, 'method' | 'path' | 'aliases'>[],
): (path: string) => readonly string[] {
  const patterns = contracts.flatMap((contract) =>
    [contract.path, ...(contract.aliases ?? [])].map((path) => ({
      pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
      methods: contract.method === 'GET' ? ['GET', 'HEAD'] : [contract.method],
    })),
  );
  return (path) => [
    ...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods)),
  ];
}

/** @throws Error if an operation has no handler, or a handler no operation: a table is missing */
export function checkHandlers(contracts: readonly RouteContract[], handlers: HandlerTable): void {
  const operations = new Set(contracts.map(({ operationId }) => operationId));
  const faults = [
    ...[...operations].filter((id) => !Object.hasOwn(handlers, id)).map((id) => `${id} has no handler`),
    ...Object.keys(handlers)
      .filter((id) => !operations.has(id))
      .map((id) => `handler ${id} has no route`),
  ];
  if (faults.length > 0) throw new Error(`routes and handlers differ: ${faults.join('; ')}`);
}
