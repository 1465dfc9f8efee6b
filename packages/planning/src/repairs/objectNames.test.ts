/** Names in texts: only names that several containers, units or policies of one domain share are replaced. */
import { AnalysisContext, defaultOptions, type EdgeRef } from '@clew/analysis';
import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind, type NodeKindName } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { policyNames } from '../explain/packageTexts.ts';
import type { AnalyzedWorld } from '../simulation/simulate.ts';
import { kitObject } from './kitFacts.ts';
import { distinctName } from './objectNames.ts';
import { addPolicyUnit } from './policyMembers.ts';
import { repairText } from './repairTexts.ts';

const SID = 'S-1-5-21-1-2-3';
const OTHER = 'S-1-5-21-4-5-6';
const guid = (at: number): string => `${at}0000000-AAAA-BBBB-CCCC-DDDDDDDDDDDD`;
const HOSTS = Array.from({ length: 12 }, (_, at) => `${SID}-${2000 + at}`);

const TIER0 = 'OU=COMPUTERS,OU=TIER0,DC=CORP';
const POLICY = 'CN={31B2F340-016D-11D2-945F-00C04FB984F9},CN=POLICIES,CN=SYSTEM,DC=CORP';

type Row = readonly [id: string, kind: NodeKindName, name: string, place?: string, environment?: string];
const ROWS: readonly Row[] = [
  [SID, 'Domain', 'CORP'],
  [OTHER, 'Domain', 'OTHER'],
  [guid(1), 'Container', 'COMPUTERS@CORP', 'CN=COMPUTERS,DC=CORP'],
  [guid(2), 'OU', 'COMPUTERS@CORP', TIER0],
  [guid(3), 'OU', 'COMPUTERS@CORP'],
  [guid(4), 'OU', 'SERVERS@CORP', 'OU=SERVERS,DC=CORP'],
  [guid(5), 'OU', 'SERVERS@CORP', 'OU=SERVERS,DC=OTHER', OTHER],
  [guid(6), 'GPO', 'LOGON@CORP', POLICY],
  [guid(7), 'GPO', 'LOGON@CORP', POLICY.replace('31B2', '31B3')],
  [`${SID}-1104`, 'User', 'ANN@CORP', 'CN=ANN,DC=CORP'],
  [`${SID}-1105`, 'User', 'ANN@CORP', 'CN=ANN,OU=TIER0,DC=CORP'],
  ...HOSTS.flatMap((id, at): Row[] => [
    [id, 'Computer', `HOST${at}.CORP`],
    [`${id}-544`, 'ADLocalGroup', `ADMINISTRATORS@HOST${at}.CORP`],
  ]),
];

const test = graphOf({
  nodes: ROWS.map(([id, kind, name, place, environment = SID]) => ({
    ...{ id, name, environment, kinds: [NodeKind.Base, NodeKind[kind]] },
    props: { domainsid: environment, ...(place !== undefined && { distinguishedname: place }) },
  })),
  edges: HOSTS.flatMap((host) => [
    [`${SID}-1104`, EdgeKind.MemberOfLocalGroup, `${host}-544`],
    [`${host}-544`, EdgeKind.LocalToComputer, host],
  ]),
});
for (const host of HOSTS)
  addPolicyUnit(test.edgeProperties, test.node(`${SID}-1104`), test.node(`${host}-544`), guid(2));
const context = new AnalysisContext({ ...test, options: defaultOptions() });
const shown = (id: string): string => distinctName(context, test.node(id));

describe('a name in a text', () => {
  it('is the distinguished name if containers or units of the domain share the name, or else has the id', () => {
    expect([1, 2, 3].map(guid).map(shown)).toEqual([
      ...['CN=COMPUTERS,DC=CORP', TIER0],
      `COMPUTERS@CORP (${guid(3)})`,
    ]);
    expect(kitObject(context, test.node(guid(2))).name).toBe(TIER0);
  });

  it('has the distinguished name after it if policies share it', () => {
    expect(shown(guid(6))).toBe(`LOGON@CORP (${POLICY})`);
  });

  it('stays as it is if it is unique in its domain, and for accounts', () => {
    expect([guid(4), guid(5)].map(shown)).toEqual(['SERVERS@CORP', 'SERVERS@CORP']);
    expect(shown(`${SID}-1104`)).toBe('ANN@CORP');
  });
});

it('says in a change of policies which unit and which computers it affects', () => {
  const removed = HOSTS.map(
    (host): EdgeRef => ({
      ...{ start: test.node(`${SID}-1104`), kind: EdgeKind.MemberOfLocalGroup },
      end: test.node(`${host}-544`),
    }),
  );
  const policy = policyNames({ context } as AnalyzedWorld, {
    ...{ id: 'one', kind: 'remove-policy-member', object: test.node(guid(2)), edgeKinds: [] },
    ...{ principal: test.node(`${SID}-1104`), change: { removed, properties: [] } },
  });
  const names = { object: shown(guid(2)), principal: 'ANN@CORP', objectKind: 'OU', relations: [] };
  const { title, change } = repairText('remove-policy-member', {
    ...{ ...names, policy, isInherited: false, inheritedFrom: '' },
  });
  expect(title).toBe(`Remove ANN@CORP from Administrators of 12 computers in the group policy of ${TIER0}`);
  expect(change).toMatch(/The change affects HOST0\.CORP, HOST1\.CORP, .*, HOST9\.CORP and 2 more\.$/);
});
