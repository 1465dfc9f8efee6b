import { PERMISSIONS } from '@clew/model';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../errors.ts';
import { routes } from './index.ts';

const permissionNames = new Set<string>(PERMISSIONS.map(({ fullName }) => fullName));

describe('the table of routes', () => {
  test('names each operation once', () => {
    const ids = routes.map((route) => route.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('gives each method and path to one operation', () => {
    const places = routes.flatMap((route) =>
      [route.path, ...(route.aliases ?? [])].map((path) => `${route.method} ${path}`),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  test.each(routes.map((route) => [route.operationId, route] as const))(
    '%s describes the parameters of its path, known permissions and a success',
    (_, route) => {
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(Object.keys(route.params?.properties ?? {})).toEqual(inPath);
      for (const permission of typeof route.access === 'string' ? [] : route.access)
        expect(permissionNames).toContain(permission);
      expect(Object.keys(route.responses).every((status) => /^2\d\d$/.test(status))).toBe(true);
      expect(route.body !== undefined).toBe(route.bodyKind === 'json');
      if (route.access !== 'none') expect(route.errors).toContain(401);
    },
  );
});

describe('the catalogue of errors', () => {
  test.each(Object.entries(errorCatalogue))('%s has the context of its status', (_, { status, context }) => {
    expect(context).toBe(status === 401 ? 'login' : status === 429 ? 'middleware' : 'clients');
  });
});
