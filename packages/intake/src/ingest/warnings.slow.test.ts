/** Repairs and omissions are reported with each file, and the reasons for refused edges. */

import { buildContext, buildGeneration } from '@clew/service/testing';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { emptyStore } from '../../test/ingest/emptyStore.ts';
import { ace, collection, computerRecord, groupRecord, userRecord } from '../../test/ingest/sharpHound.ts';
import { ingestAll, type TestUpload, upload } from '../../test/ingest/uploads.ts';
import { type FileReport, fileWarnings } from './fileReport.ts';
import { completedTasks } from './uploadJobs.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyStore(database));

async function ingest(...files: readonly TestUpload[]) {
  const id = await upload(database, ...files);
  await ingestAll(database);
  return (await completedTasks(database.db, id)).map((task) => ({
    file: task.file_name,
    errors: task.errors,
    warnings: fileWarnings(task.report as FileReport),
  }));
}

const DOMAIN = 'S-1-5-21-1-2-3';

it('groups warnings by reason, with their number and the position of the first', async () => {
  const users = [1, 2, 3].map((n) =>
    userRecord(`${DOMAIN}-${n}`, { Aces: [ace(`${DOMAIN}-512`, n < 3 ? 'Unheard' : 'GenericAll')] }),
  );
  const [graph, groups, tasks] = await ingest(
    {
      name: '1-graph.json',
      content: { graph: { edges: [{ kind: 'AdminTo', start: { value: 'a' }, end: { value: 'b' } }] } },
    },
    {
      name: '2-groups.json',
      content: collection('groups', groupRecord(`${DOMAIN}-9`, { Members: [7, { ObjectIdentifier: '' }] })),
    },
    { name: '3-users.json', content: collection('users', ...users) },
  );
  expect(graph.warnings).toEqual([
    expect.stringMatching(
      /^relationships of kind AdminTo are derived by the analysis; .* \(object 0, at byte \d+\)$/,
    ),
  ]);
  expect(groups.warnings).toEqual([
    expect.stringMatching(
      /^an entry of "Members" is not an object \(object 0, S-1-5-21-1-2-3-9, at byte \d+\)$/,
    ),
    expect.stringMatching(/^entries of "Members" without an ID were skipped \(object 0, /),
  ]);
  expect(tasks).toMatchObject({
    errors: [],
    warnings: [
      expect.stringMatching(
        /^the right "Unheard" is unknown; entries with it were skipped \(2 objects, the first: object 0, S-1-5-21-1-2-3-1, at byte \d+\)$/,
      ),
    ],
  });
});

it('names relationship, matcher and value of an edge whose end is missing or ambiguous', async () => {
  const nodes = [1, 2].map((n) => ({ id: `N${n}`, kinds: ['App'], properties: { name: 'twin', port: 80 } }));
  const edge = (start: object, end: object) => ({ kind: 'Runs', start, end });
  const match = (key: string, value: unknown) => ({
    match_by: 'property',
    property_matchers: [{ key, operator: 'equals', value }],
  });
  const [{ errors, warnings }] = await ingest({
    name: 'graph.json',
    content: {
      graph: {
        nodes,
        edges: [
          edge({ value: 'N1' }, { match_by: 'name', value: 'nobody' }),
          edge(match('port', 80), { value: 'N1' }),
          edge(match('port', 81), { value: 'N2' }),
        ],
      },
    },
  });
  expect(errors).toEqual([
    'object 1: several objects match the properties of an edge: start of Runs with "port" 80',
  ]);
  expect(warnings).toEqual([
    'no object matches the properties of an edge yet; the edge is kept until one arrives: end of Runs with "name" "NOBODY" (2 objects, the first: object 0)',
  ]);
});

it('lists environments of OpenGraph objects that neither the job nor the graph contains', async () => {
  const node = (id: string, environmentid?: string) => ({
    ...{ id, kinds: ['App'], properties: environmentid === undefined ? {} : { environmentid } },
  });
  const graph = (...nodes: readonly object[]) => ({ graph: { nodes } });
  const [first, second] = await ingest(
    { name: '1-apps.json', content: graph(node('A1', 'org1'), node('A2', 'orgg1'), node('A3', 'Orgg1')) },
    { name: '2-org.json', content: graph(node('ORG1', 'ORG1'), node('A2', 'orgg1'), node('A4')) },
  );
  const unknown = (count: number) =>
    `objects have no environment yet, because no object has the id that their environmentid names, "ORGG1": ${count}`;
  expect([first.warnings, second.warnings]).toEqual([[unknown(2)], [unknown(1)]]);
  const [third] = await ingest({ name: '3-apps.json', content: graph(node('A5', 'org1')) });
  expect(third.warnings).toEqual([]);
});

it('lists objects of a known domain that no file describes, until one does', async () => {
  const named = async (id: string) => {
    const { rows } = await database.pool.query(
      `select node.name, node.properties ->> 'domainsid' as domain, environment.object_id as environment
       from node join object_id using (id) left join object_id environment on environment.id = environment_id
       where object_id.object_id = $1`,
      [id],
    );
    return rows[0];
  };
  const stub = `${DOMAIN}-2213`;
  const other = 'S-1-5-21-9-9-9-5';
  const local = `${DOMAIN}-1000-548`;
  const members = [stub, other, local].map((id) => ({ ObjectIdentifier: id, ObjectType: 'Base' }));
  await ingest(
    {
      name: '1-groups.json',
      content: collection('groups', groupRecord(`${DOMAIN}-9`, { Members: members })),
    },
    { name: '2-computers.json', content: collection('computers', computerRecord(`${DOMAIN}-1000`)) },
    {
      name: '3-domains.json',
      content: collection('domains', {
        ObjectIdentifier: DOMAIN,
        Properties: { name: 'corp.local' },
        Aces: [],
      }),
    },
  );
  await buildGeneration(buildContext(database, () => {}));
  expect(await named(stub)).toEqual({ name: `(CORP.LOCAL) ${stub}`, domain: DOMAIN, environment: DOMAIN });
  expect(await named(other)).toMatchObject({ name: null, domain: null });
  // The account of a computer, not of the domain.
  expect(await named(local)).toMatchObject({ name: `LOCAL ACCOUNT 548@COMPUTER ${DOMAIN}-1000` });
  await ingest({ name: 'users.json', content: collection('users', userRecord(stub)) });
  await buildGeneration(buildContext(database, () => {}));
  expect(await named(stub)).toMatchObject({ name: `USER ${stub}` });
});

it('creates no environment for placeholders that collectors write if they found no domain', async () => {
  const user = (id: string, domainsid: string) => userRecord(id, { Properties: { name: id, domainsid } });
  await ingest({
    name: 'users.json',
    content: collection(
      'users',
      user('S-1-5-21-7-7-7-1', 'DOMAIN_SID'),
      user('S-1-5-21-7-7-7-2', 'Not found'),
      user('S-1-5-21-7-7-7-3', 'S-1-5-21-7-7-7'),
    ),
  });
  const { rows } = await database.pool.query(
    `select own.object_id as id, environment.object_id as environment
     from node join object_id own using (id) left join object_id environment on environment.id = environment_id
     where own.object_id like 'S-1-5-21-7-7-7-%' order by 1`,
  );
  expect(rows.map(({ environment }) => environment)).toEqual([null, null, 'S-1-5-21-7-7-7']);
});
