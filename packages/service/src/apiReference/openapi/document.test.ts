import { routes } from '@clew/api';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly {
    readonly name?: string;
    readonly in?: string;
    readonly required?: boolean;
  }[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly unknown[];
  readonly requestBody?: unknown;
}

const options = { version: '1.2.3', edition: 'enterprise' } as const;
const document = openApiDocument(routes, options) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

describe('the OpenAPI document', () => {
  test('describes every route at every path', () => {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])])
        expect(document.paths[path]?.[route.method.toLowerCase()]?.operationId).toMatch(
          new RegExp(`^${route.operationId}(_\\d)?$`),
        );
  });

  test('names each operation once, also with aliases', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has no reference that leads nowhere', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) expect(document).toHaveProperty(reference.split('/'));
  });

  test('describes operation 3 of the specification to the letter', () => {
    const operation = document.paths['/api/v2/aiacas/{object_id}/controllers'].get;
    expect(operation.parameters).toEqual(
      expect.arrayContaining([
        { $ref: '#/components/parameters/Prefer' },
        expect.objectContaining({ name: 'object_id', in: 'path', required: true }),
        expect.objectContaining({
          name: 'skip',
          required: false,
          schema: { type: 'integer', minimum: 0, default: 0 },
        }),
        expect.objectContaining({
          name: 'limit',
          required: false,
          schema: { type: 'integer', minimum: 0, default: 10 },
        }),
        expect.objectContaining({ name: 'type', required: false }),
        expect.objectContaining({ name: 'sort_by', required: false }),
      ]),
    );
    expect(Object.keys(operation.responses)).toEqual(['200', '400', '401', '403', '429', '500']);
  });

  test('says what is open to all and what takes a body', () => {
    expect(document.paths['/api/v2/login'].post.security).toEqual([]);
    expect(document.paths['/api/v2/self'].get.security).toBeUndefined();
    expect(document.paths['/api/v2/login'].post.requestBody).toBeDefined();
    expect(document.paths['/api/v2/file-upload/start'].post.requestBody).toBeUndefined();
  });

  test('leaves out what the edition does not serve', () => {
    const enterprise = {
      ...routes[0],
      path: '/only',
      operationId: 'Only',
      editions: ['enterprise'] as const,
    };
    const community = openApiDocument([enterprise], { ...options, edition: 'community' });
    expect(community.paths).toEqual({});
    expect(openApiDocument([enterprise], options).paths).toHaveProperty('/only');
  });
});
