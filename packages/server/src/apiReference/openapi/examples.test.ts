/** Tests that every operation has an example that matches the contract. */
import { type RouteContract, routes } from '@clew/api';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';
import { readExamples, WITHOUT_EXAMPLE } from './examples.ts';

const examples = readExamples();
const contracts: readonly RouteContract[] = routes.filter(
  ({ operationId }) => !WITHOUT_EXAMPLE.has(operationId),
);

describe('examples', () => {
  test('exist for every operation, and for no other (npm run examples writes them)', () => {
    expect(Object.keys(examples).sort()).toEqual(contracts.map(({ operationId }) => operationId).sort());
  });

  test('of answers and bodies match the contract', () => {
    const wrong = contracts.flatMap(({ operationId, responses, body }) => {
      const example = examples[operationId];
      const schema = responses[example.status];
      const faults: string[] = [];
      if (schema === undefined) faults.push(`${operationId} has no status ${example.status}`);
      if (schema !== null && example.answer !== undefined && !Value.Check(schema, example.answer))
        faults.push(`${operationId} answer ${JSON.stringify(Value.Errors(schema, example.answer)[0])}`);
      if (body !== undefined && example.body !== undefined && !Value.Check(body, example.body))
        faults.push(`${operationId} body`);
      return faults;
    });
    expect(wrong).toEqual([]);
  });

  test('contain no secret', () => {
    // A text that begins with `eyJ` is the header of a token, unless it is part of another text.
    expect(JSON.stringify(examples)).not.toMatch(/eyJ\w+\.eyJ|Correct-Horse/);
    expect(examples.Login.answer).toMatchObject({ data: { session_token: '...' } });
    expect(examples.CreateAuthToken.answer).toMatchObject({ data: { key: '...' } });
  });

  test('contain no text made from a missing value', () => {
    expect(JSON.stringify(examples).match(/.{20}(?:\bundefined\b|\bNaN\b|\[object )/)).toBeNull();
  });

  test('are in the document, in both dialects', () => {
    for (const openapi of ['3.0', '3.1'] as const) {
      const { paths } = openApiDocument(routes, {
        version: '1',
        edition: 'enterprise',
        openapi,
        examples,
      }) as {
        // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
        readonly paths: any;
      };
      const { get } = paths['/api/v2/search'];
      const { query, answer } = examples.Search;
      expect(get.parameters).toContainEqual(expect.objectContaining({ name: 'q', example: query?.q }));
      expect(get.responses[200].content['application/json'].example).toEqual(answer);
      const { post } = paths['/api/v2/custom-nodes'];
      expect(post.requestBody.content['application/json'].example).toEqual(examples.CreateCustomNodes.body);
    }
  });
});
