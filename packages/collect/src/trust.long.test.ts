/**
 * Two real forests with a trust in both directions: an account of the first one reads both, with tickets along the trust, and the graph has
 * the relationships between them.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceFromBytes } from '@clew/collections';
import { collectedGraph } from '@clew/planning/testing';
import { describe, expect, it } from 'vitest';
import { missingForLab, type Planted, startLab } from '../test/lab.ts';
import { plantedFaults } from '../test/planted.ts';
import { type CollectRequest, type CollectResult, collectDomain } from './runner/collectDomain.ts';

const missing = missingForLab();

interface Written {
  readonly ObjectIdentifier: string;
  readonly Properties: { readonly name: string };
  readonly Trusts?: readonly object[];
}

describe.skipIf(missing !== undefined)(
  `two forests with a trust${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it('are read with one account, with the relationships between them', async () => {
      const root = mkdtempSync(join(tmpdir(), 'clew-trust-'));
      await using lab = await startLab({ trusted: true });
      try {
        const { host, address, domain, password, other } = lab;
        const home = { host, address };
        const account = { user: 'clew-reader', realm: domain.toUpperCase(), secret: { password } };
        const collect = (label: string, more: Partial<CollectRequest>): Promise<CollectResult> =>
          collectDomain({
            ...{ controllers: [home], encryption: 'sealed', credentials: { kind: 'kerberos', account } },
            ...{ directory: root, label, collector: 'clew test', rangeSize: 300, ...more },
          });
        const first = await collect('first', {});
        const second = await collect('second', {
          controllers: [other],
          otherDomain: { realm: other.realm, home, kdcOf: () => undefined },
        });
        expect([first.sysvolFault, second.sysvolFault]).toEqual([undefined, undefined]);
        expect([second.facts.domain, second.facts.forest, second.notes]).toEqual([
          ...[other.realm, other.realm, []],
        ]);
        const listed = (label: string, type: string): readonly Written[] =>
          JSON.parse(readFileSync(join(root, `clew_${label}_${type}.json`), 'utf8')).data;
        for (const [label, target] of [
          ['first', second.facts],
          ['second', first.facts],
        ] as const)
          expect(listed(label, 'domains')[0].Trusts).toContainEqual({
            ...{ TargetDomainSid: target.sid, TargetDomainName: target.domain, TrustType: 'Forest' },
            ...{ IsTransitive: true, TrustDirection: 'Bidirectional', TrustAttributes: 8 },
            ...{ SidFilteringEnabled: true, TGTDelegationEnabled: false },
          });
        // The accounts of trusts are not users.
        for (const label of ['first', 'second'])
          expect(
            listed(label, 'users').filter(({ Properties: { name } }) => /^(OTHER|CLEWLAB)\$@/.test(name)),
          ).toEqual([]);
        const idOf = (label: string, type: string, name: string): string =>
          listed(label, type).find(({ Properties }) => Properties.name.startsWith(`${name}@`))
            ?.ObjectIdentifier ?? name;
        const [inner, visited, visitors] = [
          ...[idOf('first', 'users', 'U02'), idOf('first', 'users', 'VISITED')],
          idOf('first', 'groups', 'VISITORS'),
        ];
        const [visitor, target, partners] = [
          ...[idOf('second', 'users', 'VISITOR'), idOf('second', 'users', 'TARGET')],
          idOf('second', 'groups', 'PARTNERS'),
        ];
        const statement = (source: string, kind: string, end: string, expected = true): Planted => ({
          ...{ group: 'two forests', source, kind, target: end, expect: expected, note: '' },
          names: [source, end],
        });
        const graph = await collectedGraph(
          readdirSync(root).map((file) => sourceFromBytes(file, readFileSync(join(root, file)))),
        );
        expect(
          plantedFaults(graph, [
            statement(first.facts.sid, 'CrossForestTrust', second.facts.sid),
            statement(second.facts.sid, 'CrossForestTrust', first.facts.sid),
            statement(first.facts.sid, 'SameForestTrust', second.facts.sid, false),
            statement(inner, 'MemberOf', partners),
            statement(inner, 'GenericAll', target),
            statement(visitor, 'MemberOf', visitors),
            statement(visitor, 'GenericAll', visited),
            statement(inner, 'GenericAll', visited, false),
            statement(visitor, 'MemberOf', partners, false),
          ]),
        ).toEqual([]);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }, 600_000);
  },
);
