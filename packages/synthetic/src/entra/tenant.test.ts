import { describe, expect, it } from 'vitest';
import { generateForest } from '../collection.ts';
import { generateOpenGraph } from '../openGraphExample.ts';
import type { GeneratedFile } from '../write.ts';
import { generateTenant } from './tenant.ts';

const textOf = (file: GeneratedFile): string => [...file.text(() => {})].join('');

interface Item {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function itemsOf(users: number, seed: number): { items: Item[]; count: number } {
  const { data, meta } = JSON.parse(textOf(generateTenant({ users, seed }).file));
  return { items: data, count: meta.count };
}

describe('a generated tenant', () => {
  it('is the same text for the same seed and a different one for another seed', () => {
    const text = (seed: number) => textOf(generateTenant({ users: 120, seed }).file);
    expect(text(7)).toBe(text(7));
    expect(text(7)).not.toBe(text(8));
  });

  it('has every area of the collector, correct counts, and no empty values', () => {
    const { items, count } = itemsOf(300, 1);
    expect(count).toBe(items.length);
    const kinds = new Set(items.map((item) => item.kind));
    for (const kind of [
      ...['AZTenant', 'AZUser', 'AZGroup', 'AZGroupMember', 'AZGroupOwner', 'AZDevice', 'AZDeviceOwner'],
      ...[
        'AZApp',
        'AZAppOwner',
        'AZServicePrincipal',
        'AZAppRoleAssignment',
        'AZFederatedIdentityCredential',
      ],
      ...[
        'AZRole',
        'AZRoleAssignment',
        'AZRoleEligibilityScheduleInstance',
        'AZRoleManagementPolicyAssignment',
      ],
      ...['AZManagementGroup', 'AZManagementGroupDescendant', 'AZSubscription', 'AZSubscriptionOwner'],
      ...['AZResourceGroup', 'AZResourceGroupContributor', 'AZKeyVault', 'AZKeyVaultAccessPolicy', 'AZVM'],
      ...['AZFunctionApp', 'AZAutomationAccount'],
    ]) {
      expect([kind, kinds.has(kind)]).toEqual([kind, true]);
    }
    const empty = items.filter((item) =>
      Object.values(item.data).some((value) => value === '' || value === false),
    );
    expect(empty).toEqual([]);
  });

  it('synchronizes people of the forest with the same seed', () => {
    const forest = generateForest({ users: 100, seed: 5 });
    const people = new Set(
      forest.files
        .filter((file) => file.type === 'users')
        .flatMap((file) => [...file.objects()].map((user) => user.ObjectIdentifier)),
    );
    const synced = itemsOf(100, 5).items.filter((item) => item.data.onPremisesSyncEnabled === true);
    expect(synced.length).toBeGreaterThan(50);
    for (const user of synced) expect(people).toContain(user.data.onPremisesSecurityIdentifier);
  });

  it('refers only to objects that it has', () => {
    const { items } = itemsOf(400, 2);
    const ids = new Set(items.map((item) => item.data.id ?? item.data.tenantId));
    const groups = items.filter((item) => item.kind === 'AZGroupMember');
    const members = groups.flatMap((item) => (item.data.members as { member: { id: string } }[]) ?? []);
    expect(members.length).toBeGreaterThan(100);
    for (const { member } of members) expect(ids).toContain(member.id);
    const holders = items
      .filter((item) => item.kind === 'AZRoleAssignment')
      .flatMap((item) => (item.data.roleAssignments as { principalId: string }[]) ?? []);
    for (const { principalId } of holders) expect(ids).toContain(principalId);
  });

  it('streams: the first piece is available before the last item is generated', () => {
    let made = 0;
    const [first] = generateTenant({ users: 50_000, seed: 1 }).file.text(() => made++);
    expect(first.length).toBeLessThan(1024 * 1024);
    expect(made).toBeLessThan(1000);
  });
});

describe('the flaws of a tenant', () => {
  const textsWith = (flaws: 'all' | 'none', shape: 2 | 3, seed: number): Set<string> => {
    const { data } = JSON.parse(textOf(generateTenant({ users: 400, seed, shape, flaws }).file));
    return new Set(data.map((item: Item) => JSON.stringify(item)));
  };
  /** Numbers of items that only the tenant with its flaws has, by kind. */
  const planted = (shape: 2 | 3, seed: number): string => {
    const none = textsWith('none', shape, seed);
    const kinds = new Map<string, number>();
    for (const text of textsWith('all', shape, seed)) {
      const { kind } = JSON.parse(text);
      if (!none.has(text)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    return JSON.stringify([...kinds].sort());
  };
  const SEEDS = Array.from({ length: 20 }, (_, at) => at + 1);

  it('are the same kinds in each tenant of shape 2, and drawn from the seed in shape 3', () => {
    expect(new Set(SEEDS.map((seed) => planted(2, seed))).size).toBe(1);
    const drawn = SEEDS.map((seed) => planted(3, seed));
    expect(new Set(drawn).size).toBeGreaterThan(10);
    expect(planted(3, 7)).toBe(planted(3, 7));
    // Each kind exists in some tenants and not in others.
    for (const kind of [
      'AZAppRoleAssignment',
      'AZRoleEligibilityScheduleInstance',
      'AZSubscriptionOwner',
      'AZRoleAssignment',
    ]) {
      const having = drawn.filter((one) => one.includes(`"${kind}"`)).length;
      expect([kind, having > 0 && having < SEEDS.length]).toEqual([kind, true]);
    }
  });
});

describe('the generated OpenGraph example', () => {
  it('links its own nodes to people and servers of the forest', () => {
    const { metadata, graph } = JSON.parse(textOf(generateOpenGraph({ users: 500, seed: 3 })));
    expect(metadata).toEqual({ source_kind: 'ForgeBase' });
    expect(graph.nodes.length).toBeGreaterThan(3);
    expect(graph.edges).toHaveLength(graph.nodes.length * 3);
    expect(new Set(graph.edges.map((edge: { kind: string }) => edge.kind))).toEqual(
      new Set(['ForgeCanPush', 'ForgeDeploysTo']),
    );
  });
});
