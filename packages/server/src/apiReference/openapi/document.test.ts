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

  test('has no dangling references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1],
    );
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) expect(document).toHaveProperty(reference.split('/'));
  });

  test('describes operation 3 of the specification exactly', () => {
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

  test('marks public operations, and operations with a body', () => {
    expect(document.paths['/api/v2/login'].post.security).toEqual([]);
    expect(document.paths['/api/v2/self'].get.security).toBeUndefined();
    expect(document.paths['/api/v2/login'].post.requestBody).toBeDefined();
    expect(document.paths['/api/v2/file-upload/start'].post.requestBody).toBeUndefined();
  });

  test('omits operations that the edition does not serve', () => {
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

  test('has named schemas, so that generated clients have named types', () => {
    const { schemas } = (document as unknown as { components: { schemas: Record<string, unknown> } })
      .components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['ErrorWrapper', 'FileUploadJob', 'User', 'NullTime', 'UnifiedGraph']),
    );
    const list = document.paths['/api/v2/file-upload'].get.responses[200];
    expect(JSON.stringify(list)).toContain('#/components/schemas/FileUploadJob');
  });

  test('in version 3.0 uses no features of 3.1', () => {
    const seen = new Set<string>();
    // Examples of errors may also contain "type", so only schemas are checked.
    const visit = (value: unknown, key: string): void => {
      if (Array.isArray(value)) for (const item of value) visit(item, key);
      else if (typeof value === 'object' && value !== null) {
        if ('type' in value && value.type === 'null') seen.add(`null at ${key}`);
        for (const [name, part] of Object.entries(value)) {
          if (['const', 'patternProperties', 'prefixItems', '$defs'].includes(name))
            seen.add(`${name} at ${key}`);
          visit(part, `${key}.${name}`);
        }
      }
    };
    visit(document, '');
    expect([...seen]).toEqual([]);
    const newer = openApiDocument(routes, { ...options, openapi: '3.1' });
    expect(JSON.stringify(newer)).toContain('"const":');
  });

  test('writes constants as enumerations, and marks nullable values', () => {
    const operation = document.paths['/api/v2/spec'].get;
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ name: 'format', schema: { type: 'string', enum: ['yaml', 'json'] } }),
    );
    const { schemas } = (document as unknown as { components: { schemas: Record<string, never> } })
      .components;
    expect(schemas.User).toMatchObject({ properties: { first_name: { type: 'string', nullable: true } } });
  });
});
