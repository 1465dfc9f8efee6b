/** Definitions as their authors publish them install, over real HTTP: what is read otherwise than it stands there is a warning. */
import { readFileSync } from 'node:fs';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PUBLISHED_DEFINITIONS } from '../../test/openGraph/publishedDefinitions.ts';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
}, 60_000);
afterAll(() => service.stop());

const placesOf = (warnings: readonly string[]): string[] =>
  warnings.map((text) => text.slice(0, text.indexOf(': ')));

const install = (definition: object, query = '') => service.call('PUT', `extensions${query}`, definition);

async function shownNames(names: readonly string[]): Promise<Record<string, string>> {
  const shown: [string, string][] = [];
  for (const name of names) {
    const { rows } = await service.database.pool.query(
      `select kind ->> 'display_name' as shown from extension,
              jsonb_array_elements(definition::jsonb -> 'node_kinds') kind where kind ->> 'name' = $1`,
      [name],
    );
    shown.push([name, rows[0].shown]);
  }
  return Object.fromEntries(shown);
}

test('the file of a report can be installed, and its kind is shown by its name', async () => {
  const path = new URL('../../test/openGraph/definitionWithEmptyDisplayName.json', import.meta.url);
  const { status, json } = await install(JSON.parse(readFileSync(path, 'utf8')));
  expect([status, json.data.warnings]).toEqual([
    201,
    ['/node_kinds/0/display_name: is missing, and interpreted as "Host"'],
  ]);
  expect(await shownNames(['ZEB_Host'])).toEqual({ ZEB_Host: 'Host' });
});

test.each(PUBLISHED_DEFINITIONS)('$form', async ({ definition, warnings, shown }) => {
  const dryRun = await install(definition, '?dry_run=true');
  expect([dryRun.status, dryRun.json.errors]).toEqual([200, undefined]);
  expect(placesOf(dryRun.json.data.warnings).sort()).toEqual([...warnings].sort());
  const made = await install(definition);
  expect([made.status, made.json.errors]).toEqual([201, undefined]);
  expect(placesOf(made.json.data.warnings).sort()).toEqual([...warnings].sort());
  expect(made.json.data).toMatchObject({
    version: definition.schema.version,
    namespace: definition.schema.namespace.replace(/_$/, ''),
  });
  expect(await shownNames(Object.keys(shown))).toEqual(shown);
  // Installed again, it is read in the same way.
  expect((await install(definition)).status).toBe(200);
  expect((await service.call('DELETE', `extensions/${made.json.data.id}`)).status).toBe(204);
});

test('nothing of a definition is installed if something would break', async () => {
  const [{ definition }] = PUBLISHED_DEFINITIONS;
  for (const fault of [
    { node_kinds: [{ name: 'Other_Book', display_name: 'Book' }] },
    { schema: { ...definition.schema, version: '' } },
    { environments: [{ environment_kind: 'LEDGER_Nothing', source_kind: 'LEDGER', principal_kinds: [] }] },
    { privilege_zone_rules: [{ name: 'All', cypher: 'MATCH (n' }] },
  ])
    expect((await install({ ...definition, ...fault })).status).toBe(400);
  const { extensions } = await service.data('GET', 'extensions');
  expect(extensions.map((one: { namespace: string }) => one.namespace)).not.toContain('LEDGER');
});

test('a saved search in another dialect does not prevent the installation', async () => {
  const [{ definition }] = PUBLISHED_DEFINITIONS;
  const saved_searches = [
    { name: 'Clerks', query: 'MATCH (n:LEDGER_Clerk) RETURN n' },
    { name: 'Odd', query: 'MATCH (n:LEDGER_Clerk) FOREACH (x IN [] | SET n.a = x) RETURN n' },
  ];
  const { status, json } = await install({ ...definition, saved_searches });
  expect([status, placesOf(json.data.warnings)]).toEqual([
    201,
    ['/node_kinds/0/display_name', '/node_kinds/1/display_name', '/saved_searches/1/query'],
  ]);
  const saved = await service.call('GET', 'saved-queries?scope=all');
  expect(saved.json.data.map((one: { name: string }) => one.name)).toEqual(
    expect.arrayContaining(['Clerks', 'Odd']),
  );
});
