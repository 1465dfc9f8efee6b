import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { expect, it } from 'vitest';
import { certificateAuthorities } from '../adcs/certificateAuthorities.ts';
import { AnalysisContext } from '../analysisContext.ts';
import { analyze, defaultOptions } from '../analyze.ts';
import { hostsOfAuthorities } from './authorityHosts.ts';

const SID = 'S-1-5-21-1';

function contextOf(authority: object, more: readonly object[] = []) {
  const world = graphOf({
    nodes: [
      { id: SID, kinds: [NodeKind.Base, NodeKind.Domain], props: { domainsid: SID, collected: true } },
      { id: 'ROOT', kinds: [NodeKind.Base, NodeKind.RootCA] },
      { id: 'STORE', kinds: [NodeKind.Base, NodeKind.NTAuthStore], props: { certthumbprints: ['T'] } },
      {
        ...{ id: 'CA', kinds: [NodeKind.Base, NodeKind.EnterpriseCA] },
        props: { domainsid: SID, certthumbprint: 'T', ...authority },
      },
      {
        ...{ id: `${SID}-1000`, kinds: [NodeKind.Base, NodeKind.Computer], name: 'CA01.CORP.LOCAL' },
        props: { domainsid: SID, enabled: true },
      },
      ...(more as []),
    ],
    edges: [
      ['CA', EdgeKind.IssuedSignedBy, 'ROOT'],
      ['CA', EdgeKind.TrustedForNTAuth, 'STORE'],
      ['STORE', EdgeKind.NTAuthStoreFor, SID],
      ['ROOT', EdgeKind.RootCAFor, SID],
    ],
  });
  const { graph, properties, edgeProperties, ids } = world;
  return {
    context: new AnalysisContext({ graph, properties, edgeProperties, options: defaultOptions() }),
    ids,
  };
}

it('ties an authority whose host is not named by id to the computer with its DNS name', () => {
  const hosts = (authority: object) => {
    const { context, ids } = contextOf(authority);
    return hostsOfAuthorities(context).map(({ start, end }) => ids([start, end]));
  };
  expect(hosts({ hostunresolved: true, dnshostname: 'ca01.corp.local' })).toEqual([[`${SID}-1000`, 'CA']]);
  expect(hosts({ hostunresolved: true, dnshostname: ' CA01.corp.local.' })).toEqual([[`${SID}-1000`, 'CA']]);
  expect(hosts({ hostunresolved: true, dnshostname: 'other.corp.local' })).toEqual([]);
  expect(hosts({ hostunresolved: true })).toEqual([]);
  expect(hosts({ dnshostname: 'ca01.corp.local' })).toEqual([]);
});

it('ties none where several computers have that name', () => {
  const twin = (rid: number) => ({
    ...{ id: `${SID}-${rid}`, kinds: [NodeKind.Base, NodeKind.Computer], name: 'ca01.corp.local.' },
    props: { domainsid: SID, enabled: false },
  });
  const unresolved = { hostunresolved: true, dnshostname: 'ca01.corp.local' };
  for (const twins of [[twin(1001)], [twin(999), twin(1001)]])
    expect(hostsOfAuthorities(contextOf(unresolved, twins).context)).toEqual([]);
});

it('leaves an authority active whose host is unknown, but none without a word about it', () => {
  const active = (authority: object) => {
    const { context } = contextOf(authority);
    let count = -1;
    const look = {
      ...{ name: 'look', produces: [], reads: { shared: [certificateAuthorities] } },
      derive: (seen: AnalysisContext) => {
        count = seen.use(certificateAuthorities).active.length;
      },
      compose: () => ({ nodes: [], edges: [] }),
    };
    analyze(context, [look as never]);
    return count;
  };
  expect(active({ hostunresolved: true, dnshostname: 'other.corp.local' })).toBe(1);
  expect(active({})).toBe(0);
});
