/**
 * Tests one forest in the format of each collector: the relationships are equal except for data that the collector does not read, and every
 * omitted field is reported with the findings that need it.
 */
import { FINDING_TYPES } from '@clew/analysis';
import { COLLECTOR_FIELDS, COLLECTORS, TENANT_FIELDS } from '@clew/model';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTOR_FORMS } from '../test/collectorForests/index.ts';
import { RELATIONSHIPS, relationshipsOf, sourceForest } from '../test/collectorForests/sourceForest.ts';
import { ServiceUnderTest } from '../test/serviceUnderTest.ts';

interface NotSaid {
  readonly fields: readonly string[];
  readonly findings: readonly string[];
}

let service: ServiceUnderTest;
const jobs: number[] = [];
const forests = COLLECTOR_FORMS.map((_, at) => sourceForest(10 + at));

beforeAll(async () => {
  service = await ServiceUnderTest.start({}, { makesPlans: false });
  for (const [at, { write }] of COLLECTOR_FORMS.entries())
    jobs.push(await service.upload(...write(forests[at] as (typeof forests)[number])));
  jobs.push(await service.upload(TENANT));
  await service.settled();
}, 400_000);
afterAll(() => service.stop());

const KINDS = [...new Set(relationshipsOf([]).map((text) => text.split(' ')[1]))];

/** Fields for which a small forest has no object, whatever its collector writes. */
const SCANNED = COLLECTOR_FIELDS.filter(({ said }) => said.slice(1).every((one) => one === 'n')).map(
  ({ field }) => field,
);

async function notSaidOf(environment: string): Promise<NotSaid[]> {
  const { environments } = await service.data('GET', 'posture/summary');
  return environments.find((one: { environment_id: string }) => one.environment_id === environment).not_said;
}

describe.each(COLLECTOR_FORMS.map((form, at) => ({ ...form, at })))(
  '$collector',
  ({ collector, leavesOut, at }) => {
    const forest = forests[at] as (typeof forests)[number];
    const column = COLLECTORS.findIndex(([name]) => name === collector);
    const cellOf = (field: string) => COLLECTOR_FIELDS.find((one) => one.field === field)?.said[column];

    it('has the relationships of the forest except for data that it does not read', async () => {
      const words = new Map(Object.entries(forest.ids).map(([word, id]) => [id, word]));
      const query = `MATCH (a)-[r]->(b) WHERE type(r) IN [${KINDS.map((kind) => `'${kind}'`)}]
      RETURN a.objectid, type(r), b.objectid`;
      const { rows } = await service.data('POST', 'graphs/cypher', { query, rows: true });
      const found = rows.flatMap(([start, kind, end]: [string, string, string]) => {
        const [from, to] = [words.get(start), words.get(end)];
        const isForeign = [from, to].every(
          (word) => word === undefined || ['OTHER', 'FORMER'].includes(word),
        );
        return from === undefined || to === undefined || isForeign ? [] : [`${from} ${kind} ${to}`];
      });
      expect([...new Set(found)].sort()).toEqual(relationshipsOf(leavesOut));
    });

    it('rejects nothing, and creates no object from a name', async () => {
      const [job] = await service.data('GET', `file-upload?id=eq:${jobs[at]}`);
      expect([job.status, job.failed_files]).toEqual([2, 0]);
      const query = `MATCH (n) WHERE n.objectid CONTAINS '${forest.name}' OR n.objectid CONTAINS '${forest.sid}-'
      RETURN n.objectid`;
      const { rows } = await service.data('POST', 'graphs/cypher', { query, rows: true });
      const odd = rows.flat().filter((id: string) => !/^(?:S-1-5-21-|FORM\d+\.EXAMPLE-S-1-)/.test(id));
      expect(odd).toEqual([]);
    });

    it('names every omitted field, with the findings that need it, and no other', async () => {
      const said = await notSaidOf(forest.sid);
      const missing = new Set(said.flatMap(({ fields }) => fields));
      const types = FINDING_TYPES.flatMap((type) =>
        type.kind === 'list' && type.platform === 'ad' ? [type] : [],
      );
      for (const type of types) {
        const left = type.needs.filter((field) => cellOf(field) === 'n');
        if (left.length === 0 || type.seenBy !== undefined) continue;
        const named = said
          .filter(({ findings }) => findings.includes(type.title))
          .flatMap(({ fields }) => fields);
        expect([type.id, left.filter((field) => !named.includes(field))]).toEqual([type.id, []]);
      }
      const needless = [...missing].filter((field) => cellOf(field) !== 'n' && !SCANNED.includes(field));
      expect(needless).toEqual([]);
    });
  },
);

it('has an aspect for each relationship that some collector omits', () => {
  const known = Object.keys(RELATIONSHIPS);
  expect(COLLECTOR_FORMS.flatMap(({ leavesOut }) => leavesOut).filter((one) => !known.includes(one))).toEqual(
    [],
  );
});

const tenantId = 'F0000000-2026-4000-8000-000000000001';
const idOf = (number: number): string =>
  `F0000000-2026-4000-8000-0000000001${String(number).padStart(2, '0')}`;
const GLOBAL_ADMINISTRATOR = '62e90394-69f5-4237-9190-012177145e10';
const item = (kind: string, data: object): object => ({
  kind,
  data: { ...data, tenantId, tenantName: 'Form' },
});

/** The AzureHound format: items with a kind and lists of related objects. */
const TENANT = {
  data: [
    item('AZTenant', { id: tenantId, displayName: 'Form', collected: true }),
    item('AZUser', {
      ...{ id: idOf(1), displayName: 'Ada', userPrincipalName: 'ada@form.example', accountEnabled: true },
      ...{ userType: 'Member', onPremisesSyncEnabled: false },
    }),
    item('AZGroup', { id: idOf(2), displayName: 'Help', securityEnabled: true, isAssignableToRole: false }),
    item('AZGroupMember', { groupId: idOf(2), members: [{ groupId: idOf(2), member: user(1) }] }),
    item('AZApp', { id: idOf(3), appId: idOf(4), displayName: 'App', signInAudience: 'AzureADMyOrg' }),
    item('AZAppOwner', { appId: idOf(4), owners: [{ appId: idOf(4), owner: user(1) }] }),
    item('AZRole', {
      id: GLOBAL_ADMINISTRATOR,
      templateId: GLOBAL_ADMINISTRATOR,
      displayName: 'Global Administrator',
    }),
    item('AZRoleAssignment', {
      roleDefinitionId: GLOBAL_ADMINISTRATOR,
      roleAssignments: [
        { roleDefinitionId: GLOBAL_ADMINISTRATOR, principalId: idOf(1), directoryScopeId: '/' },
      ],
    }),
  ],
  meta: { type: 'azure', version: 5, count: 8 },
};
function user(number: number): object {
  return { '@odata.type': '#microsoft.graph.user', id: idOf(number) };
}

describe('AzureHound', () => {
  it('has the relationships of the tenant', async () => {
    const query = `MATCH (a)-[r]->(b) WHERE a.objectid STARTS WITH '${idOf(1)}' AND
      type(r) IN ['AZMemberOf', 'AZOwns', 'AZHasRole'] RETURN type(r), b.objectid`;
    const { rows } = await service.data('POST', 'graphs/cypher', { query, rows: true });
    expect(rows.map(([kind, id]: [string, string]) => `${kind} ${id}`).sort()).toEqual([
      `AZHasRole ${GLOBAL_ADMINISTRATOR.toUpperCase()}@${tenantId}`,
      `AZMemberOf ${idOf(2)}`,
      `AZOwns ${idOf(4)}`,
    ]);
  });

  it('names the unread parts of tenants only', async () => {
    const fields = (await notSaidOf(tenantId)).flatMap((one) => one.fields);
    expect(fields).toContain('lastsuccessfulsignindatetime');
    for (const said of ['usertype', 'onpremsyncenabled', 'signinaudience', 'isassignabletorole', 'enabled'])
      expect(fields).not.toContain(said);
    expect(fields.filter((field) => !TENANT_FIELDS.some((one) => one === field))).toEqual([]);
  });
});
