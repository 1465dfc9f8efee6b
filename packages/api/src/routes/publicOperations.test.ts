import { expect, test } from 'vitest';
import { PUBLIC_OPERATIONS } from '../../test/publicOperations.ts';
import { routes } from './index.ts';
import { PLANNED_OPERATIONS } from './planned.ts';

/** Parameters of a path may have different names. */
const place = (method: string, path: string) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;

test('routes on public paths have their public operation ids', () => {
  const ids = new Map(
    PUBLIC_OPERATIONS.map((line) => {
      const [method, path, id] = line.split(' ') as [string, string, string];
      return [place(method, path), id] as const;
    }),
  );
  const served = routes.filter(({ method, path }) => ids.has(place(method, path)));
  expect(served.length).toBeGreaterThan(150);
  const others = served.filter(
    ({ method, path, operationId }) => ids.get(place(method, path)) !== operationId,
  );
  expect(others.map(({ method, path, operationId }) => `${method} ${path} ${operationId}`)).toEqual([]);
});

test('every public operation is either served or planned', () => {
  const served = new Set(
    routes.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((one) => place(method, one))),
  );
  const planned = new Set(PLANNED_OPERATIONS.map(({ method, path }) => place(method, path)));
  const places = PUBLIC_OPERATIONS.map((line) => place(...(line.split(' ') as [string, string])));
  expect(places.filter((one) => !served.has(one) && !planned.has(one))).toEqual([]);
  expect([...planned].filter((one) => served.has(one))).toEqual([]);
});

/** Operations with ids in their paths for which the public description has no 400. */
const WITHOUT_400 = [
  'GET /api/v2/saml/providers/{saml_provider_id}',
  'DELETE /api/v2/saml/providers/{saml_provider_id}',
  'PATCH /api/v2/sso-providers/{sso_provider_id}',
  'DELETE /api/v2/sso-providers/{sso_provider_id}',
  'GET /api/v2/sso-providers/{sso_provider_id}/signing-certificate',
  'GET /api/v2/asset-group-tags/{asset_group_tag_id}/members/counts',
  'GET /api/v2/asset-group-tags/{asset_group_tag_id}/selectors/{asset_group_tag_selector_id}/members/counts',
  'DELETE /api/v2/clients/{client_id}',
  'PUT /api/v2/clients/{client_id}/token',
  'GET /api/v2/jobs/{job_id}/log',
  'GET /api/v2/tasks/{task_id}/log',
];

test.each(WITHOUT_400)('a malformed id is not found, because its description has no 400: %s', (line) => {
  const route = routes.find(({ method, path }) => line === `${method} ${path}`);
  const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  expect(route?.parameterErrors).toEqual(Object.fromEntries(names.map((name) => [name, 'resourceNotFound'])));
});
