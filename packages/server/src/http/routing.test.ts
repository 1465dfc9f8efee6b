import { routes } from '@clew/api';
import type { AnyHandler } from '@clew/common';
import { describe, expect, test } from 'vitest';
import { checkHandlers, createMethodFinder, routerPaths } from './routing.ts';

const handler: AnyHandler = async () => ({ status: 200 });
const contracts = routes.slice(0, 2);
const [first, second] = contracts.map(({ operationId }) => operationId);

describe('the table of handlers', () => {
  test('must match the table of routes', () => {
    expect(() => checkHandlers(contracts, { [first]: handler, [second]: handler })).not.toThrow();
    expect(() => checkHandlers(contracts, { [first]: handler })).toThrow(`${second} has no handler`);
    expect(() => checkHandlers(contracts, { [first]: handler, [second]: handler, Other: handler })).toThrow(
      'handler Other has no route',
    );
  });
});

describe('paths', () => {
  const contract = { ...routes[0], method: 'GET', path: '/a/{id}/b.c', aliases: ['/x/{id}'] } as const;

  test('are converted for the router', () => {
    expect(routerPaths(contract)).toEqual(['/a/:id/b.c', '/x/:id']);
  });

  test.each([
    ['/a/1/b.c', ['GET', 'HEAD', 'DELETE']],
    ['/x/1', ['GET', 'HEAD']],
    ['/a/1/bxc', []],
    ['/a//b.c', []],
    ['/a/1/2/b.c', []],
    ['/a/1/b.c/', []],
  ])('%s has the methods %j', (path, methods) => {
    const deletion = { ...contract, method: 'DELETE', aliases: [] } as const;
    expect(createMethodFinder([contract, deletion])(path)).toEqual(methods);
  });
});
