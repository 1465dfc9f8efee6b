/** The contract for pages reads answers in the same way as the whole contract. */
import { fileURLToPath } from 'node:url';
import { routes } from '@clew/api';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { contract, contractModule } from '../bundling/contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: schemas of any shape.
type Json = any;

const source = contractModule(routes);
const moduleOf = (text: string): Promise<Json> =>
  import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
const { routes: made } = (await moduleOf(source)) as { routes: Json[] };

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value);

/** The parts of a schema that decide whether an answer is valid. */
function read(schema: Json): Json {
  if (schema === null) return null;
  const { type, anyOf, properties, patternProperties, required = [], items } = schema;
  const each = (all: Json): Json =>
    all && Object.fromEntries(Object.entries(all).map(([name, one]) => [name, read(one)]));
  const values: unknown[] = schema.enum ?? ('const' in schema ? [schema.const] : []);
  return {
    ...{ type, anyOf: anyOf?.map(read), required, items: items && read(items) },
    ...{ properties: each(properties), patternProperties: each(patternProperties) },
    values: [...new Set(values.map(typeOf))].sort(),
  };
}

it('has each operation with its address and the shapes of its answers', () => {
  expect(made).toHaveLength(routes.length);
  for (const [at, { operationId, method, path, query, responses }] of routes.entries()) {
    expect(made[at]).toMatchObject({ operationId, method, path });
    expect([operationId, made[at].query?.properties.skip !== undefined]).toEqual([
      operationId,
      query?.properties.skip !== undefined,
    ]);
    for (const [status, schema] of Object.entries(responses))
      expect([operationId, status, read(made[at].responses[status])]).toEqual([
        operationId,
        status,
        read(schema),
      ]);
  }
});

it('has no texts and no bounds, and each shape once', () => {
  expect(/"(?:description|summary)":"|"(?:minimum|maxLength)":\d/.exec(source)).toBeNull();
  const shapes = source.split('\n').flatMap((line) => /^const s\d+=(.*);$/.exec(line)?.[1] ?? []);
  expect(new Set(shapes).size).toBe(shapes.length);
});

it('runs all modules with schemas without TypeBox, for the constants that pages read', async () => {
  const entry = fileURLToPath(import.meta.resolve('@clew/api'));
  const built = await build({
    ...{ configFile: false, logLevel: 'error', plugins: [contract()] },
    build: { write: false, minify: false, lib: { entry, formats: ['es'] } },
  });
  const [{ output }] = built as unknown as [{ output: readonly { readonly code: string }[] }];
  expect(output).toHaveLength(1);
  const { REPORT_SCHEDULES } = await moduleOf(output[0].code);
  expect(REPORT_SCHEDULES).toContain('weekly');
});
