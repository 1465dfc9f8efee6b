import { graphOf } from '@clew/graph/testing';
import { EdgeKind, NodeKind } from '@clew/model';
import { describe, expect, it } from 'vitest';
import { changedSettings, packSettings, settingsOf, unpackSettings } from './settings.ts';

describe('settings', () => {
  it('are those of domains, controllers, templates and authorities, without names and times', () => {
    const world = graphOf({
      nodes: [
        {
          id: 'D',
          kinds: [NodeKind.Domain],
          props: { machineaccountquota: 10, name: 'CORP', whencreated: 5 },
        },
        { id: 'DC', kinds: [NodeKind.Computer], props: { ldapsigning: false, lastlogon: 7 } },
        { id: 'PC', kinds: [NodeKind.Computer], props: { ldapsigning: true } },
        { id: 'T', kinds: [NodeKind.CertTemplate], props: { effectiveekus: ['1.2'] } },
        { id: 'CA', kinds: [NodeKind.EnterpriseCA], props: {} },
        { id: 'U', kinds: [NodeKind.User], props: { enabled: true } },
      ],
      edges: [['DC', EdgeKind.DCFor, 'D']],
    });
    const settings = settingsOf(world.graph, world.properties);
    expect(settings).toEqual({
      D: { machineaccountquota: 10 },
      DC: { ldapsigning: false },
      T: { effectiveekus: ['1.2'] },
      CA: {},
    });
    expect(unpackSettings(packSettings(settings))).toEqual(settings);
  });

  it('changed where a value is another, came or went; not where the object did', () => {
    const before = { A: { x: 1, y: [1], gone: true }, B: { z: 1 }, D: { same: ['a'] } };
    const after = { A: { x: 2, y: [1], come: 'here' }, C: { z: 2 }, D: { same: ['a'] } };
    expect(changedSettings(before, after)).toEqual([
      { objectId: 'A', property: 'come', before: null, after: 'here' },
      { objectId: 'A', property: 'gone', before: true, after: null },
      { objectId: 'A', property: 'x', before: 1, after: 2 },
    ]);
  });
});
