/** Tests what a user with one of two environments learns from the warnings of queries: nothing about names of the other. */
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const [OWN, OTHER] = ['S-1-5-21-1-1-1', 'S-1-5-21-2-2-2'];
let service: ServiceUnderTest;

const node = (id: string, kind: string, environment: string, more: object = {}) => ({
  ...{ id, kinds: [kind] },
  properties: { name: `${kind}@${id}`, domainsid: environment, collected: true, ...more },
});

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  const nodes = [
    node(OWN, 'Domain', OWN),
    node(`${OWN}-1101`, 'User', OWN, { shared: true }),
    node(`${OWN}-1102`, 'User', OWN),
    node(OTHER, 'Domain', OTHER),
    node(`${OTHER}-1101`, 'User', OTHER, { secretproject: 'x', shared: true }),
    node(`${OTHER}-1102`, 'CertTemplate', OTHER, { schemaversions: 2 }),
  ];
  await service.upload({ graph: { nodes, edges: [] } });
  await service.settled();
  await service.addUser('LIMITED', 'User', [OWN]);
}, 200_000);
afterAll(() => service.stop());

async function warningsOf(user: string | undefined, query: string): Promise<string[]> {
  const body = { query, rows: true };
  const { status, json } = await (user === undefined
    ? service.call('POST', 'graphs/cypher', body)
    : service.as(user, 'POST', 'graphs/cypher', body));
  expect([status, status === 200 ? '' : json]).toEqual([200, '']);
  expect(json.data.rows).toEqual([]);
  return json.data.warnings;
}

const ofProperty = (key: string) => `MATCH (n:User) WHERE n.${key} = 'no such value' RETURN n`;
const ofLabel = (label: string) => `MATCH (n:${label}) WHERE n.name = 'no such name' RETURN n`;
/** Warnings about two names can then be compared. */
const without = (name: string, warnings: readonly string[]) =>
  warnings.map((text) => text.replaceAll(name, 'NAME'));

it('a property that only hidden objects have looks like one that no object has', async () => {
  expect(JSON.stringify(await warningsOf(undefined, ofProperty('secretproject')))).not.toContain('no object');
  const hidden = await warningsOf('LIMITED', ofProperty('secretproject'));
  expect(hidden).toContain('no object has the property secretproject');
  const absent = await warningsOf('LIMITED', ofProperty('absentproject'));
  expect(without('secretproject', hidden)).toEqual(without('absentproject', absent));
  expect(JSON.stringify(await warningsOf('LIMITED', ofProperty('shared')))).not.toContain('no object');
});

it('a property of hidden objects is not suggested', async () => {
  const all = await warningsOf(undefined, ofProperty('secretprojekt'));
  expect(all).toContain('no object has the property secretprojekt: did you mean secretproject?');
  expect(await warningsOf('LIMITED', ofProperty('secretprojekt'))).toContain(
    'no object has the property secretprojekt',
  );
});

it('a label that only hidden objects have looks like one that no object has, and is not suggested', async () => {
  expect(JSON.stringify(await warningsOf(undefined, ofLabel('CertTemplate')))).not.toContain('label');
  const hidden = await warningsOf('LIMITED', ofLabel('CertTemplate'));
  expect(hidden).toContain('no node has the label CertTemplate');
  const absent = await warningsOf('LIMITED', ofLabel('RootCA'));
  expect(without('CertTemplate', hidden)).toEqual(without('RootCA', absent));
  expect(await warningsOf(undefined, ofLabel('CertTemplat'))).toContain(
    'no node has the label CertTemplat: did you mean CertTemplate?',
  );
  expect(await warningsOf('LIMITED', ofLabel('CertTemplat'))).toContain('no node has the label CertTemplat');
  expect(await warningsOf('LIMITED', ofLabel('Usr'))).toContain(
    'no node has the label Usr: did you mean User?',
  );
});
