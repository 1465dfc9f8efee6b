/** Tests the distributions of shape 2 that `docs/synthetic.md` describes, and that shape 1 is unchanged. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CollectedObject, fileText, generateForest, generateTenant } from './index.ts';
import { peopleOfSite, planForest, siteOfPerson } from './plan.ts';
import { teamOfPerson, teamStart, teamsFor } from './teams.ts';

const digest = (texts: Iterable<string>): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
};

describe('shape 1', () => {
  const options = { users: 400, seed: 7, shape: 1 } as const;

  it('gives the forest of earlier versions byte for byte', () => {
    const texts = generateForest(options).files.flatMap((file) => [file.name, ...fileText(file)]);
    expect(digest(texts)).toBe('de38b63786d4ef2dcaa90ae46dfc16c3a016fe1cb48ea29b30cafb7981d5dd1f');
  });

  it('gives the tenant of earlier versions byte for byte', () => {
    const texts = generateTenant(options).file.text(() => {});
    expect(digest(texts)).toBe('4d12cf9c390ca071e3bcd568cc84a23c40b2547d5581a669f812d7fc9b4044d8');
  });
});

describe('shape 2', () => {
  it.each([
    [
      { users: 400, seed: 7, shape: 2 },
      'a0ed53a8a493f1b37b3ab846a71299d02cbc04c6803ef65bcc41812cd28eae02',
      '8b8aee83680454e91b9e8eaae90769065fc4b0eb0d0460a29827e9d649c77e3b',
    ],
    [
      { users: 600, seed: 3, shape: 2, domains: 8 },
      '12af2aff3ac17d76f158217bea041cfb0178c08dfbecd37681f91af70929115f',
      '554db6fef884b1524846d096505abd00c991ec574e7a5eb49b0dcd5fdcc930b4',
    ],
  ] as const)(
    'gives the forest and tenant of %o byte for byte, because published figures depend on them',
    (options, ...digests) => {
      const forest = generateForest(options).files.flatMap((file) => [file.name, ...fileText(file)]);
      const tenant = generateTenant(options).file.text(() => {});
      expect([digest(forest), digest(tenant)]).toEqual(digests);
    },
  );
});

describe.each([1, 2, 3] as const)('teams and sites of shape %i', (shape) => {
  it('contain every person once, in runs', () => {
    let next = 0;
    for (let team = 0; team < teamsFor(shape, 5000); team++) {
      expect(teamStart(shape, team)).toBe(next);
      next = teamStart(shape, team + 1);
      for (const person of [teamStart(shape, team), next - 1]) expect(teamOfPerson(shape, person)).toBe(team);
    }
    expect(next).toBeGreaterThanOrEqual(5000);
  });

  it.each([1, 30, 400, 5000, 200_000])('agree with each other for %i people', (users) => {
    for (const plan of planForest({ users, seed: 1, shape }).domains) {
      let next = 0;
      for (let site = 0; site < plan.sites; site++) {
        const [from, to] = peopleOfSite(plan, site);
        expect(from).toBe(next);
        expect(to).toBeGreaterThan(from);
        next = to;
        for (const person of [from, to - 1]) expect(siteOfPerson(plan, person)).toBe(site);
      }
      expect(next).toBe(plan.counts.person);
    }
  });
});

/** Ascending numbers, with statistics about them. */
class Sample {
  readonly #values: readonly number[];

  constructor(values: Iterable<number>) {
    this.#values = [...values].sort((one, other) => one - other);
  }

  at(part: number): number {
    return this.#values[Math.min(this.#values.length - 1, Math.floor(part * this.#values.length))] as number;
  }

  share(test: (value: number) => boolean): number {
    return this.#values.filter(test).length / this.#values.length;
  }

  /** Fraction of the sum that belongs to the largest `part` of the values. */
  concentration(part: number): number {
    const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
    return total(this.#values.slice(Math.floor((1 - part) * this.#values.length))) / total(this.#values);
  }
}

function surveyOf(users: number, shape: 1 | 2 | 3, seed = 1) {
  const objects: Record<string, CollectedObject[]> = {};
  for (const file of generateForest({ users, seed, shape }).files) {
    objects[file.type] = [...(objects[file.type] ?? []), ...file.objects()];
  }
  const of = (type: string): CollectedObject[] => objects[type] ?? [];
  // biome-ignore lint/suspicious/noExplicitAny: records as they were read from a file.
  const records = (type: string): any[] => of(type);
  const groups = records('groups').filter((group) => group.Aces.length > 0);
  const memberships = new Map(of('users').map((user) => [user.ObjectIdentifier, 0]));
  for (const group of groups) {
    for (const { ObjectIdentifier } of group.Members) {
      const known = memberships.get(ObjectIdentifier);
      if (known !== undefined) memberships.set(ObjectIdentifier, known + 1);
    }
  }
  const answering = records('computers').filter((computer) => computer.PrivilegedSessions.Collected);
  return {
    of,
    records,
    groupSizes: new Sample(groups.map((group) => group.Members.length)),
    memberships: new Sample(memberships.values()),
    ofPeople: new Sample(
      of('users')
        .filter(({ Properties }) => typeof Properties.email === 'string')
        .map(({ ObjectIdentifier }) => memberships.get(ObjectIdentifier) as number),
    ),
    sessions: new Sample(answering.map((computer) => computer.PrivilegedSessions.Results.length)),
    depths: new Sample(
      of('ous').map((unit) => String(unit.Properties.distinguishedname).split(',OU=').length),
    ),
  };
}

describe('shape 2', () => {
  const even = surveyOf(20_000, 1);
  const real = surveyOf(20_000, 2);

  it('has groups of very different sizes, some of them empty', () => {
    expect(real.groupSizes.share((size) => size === 0)).toBeGreaterThan(0.1);
    expect(real.groupSizes.at(0.5)).toBeLessThanOrEqual(4);
    expect(real.groupSizes.at(1)).toBeGreaterThan(1000);
    expect(real.groupSizes.concentration(0.01)).toBeGreaterThan(0.25);
    expect(even.groupSizes.concentration(0.01)).toBeLessThan(0.1);
  });

  it('has people in very different numbers of groups', () => {
    expect(real.memberships.at(0.5)).toBeLessThanOrEqual(2);
    expect(real.memberships.at(0.99)).toBeGreaterThanOrEqual(10);
    expect(real.memberships.at(1)).toBeGreaterThan(100);
    expect(even.memberships.at(1)).toBeLessThan(30);
  });

  it('has idle, personal, shared and terminal machines', () => {
    expect(real.sessions.share((count) => count === 0)).toBeGreaterThan(0.15);
    expect(real.sessions.at(0.5)).toBe(1);
    expect(real.sessions.at(1)).toBeGreaterThan(60);
    expect(even.sessions.at(1)).toBeLessThan(5);
  });

  it('has deeper units', () => {
    expect(even.depths.at(1)).toBe(3);
    expect(real.depths.at(0.5)).toBeGreaterThanOrEqual(4);
    expect(real.depths.at(1)).toBe(9);
  });

  it('has more policies in a larger organization, most linked once or twice, some not linked', () => {
    const small = surveyOf(2000, 2);
    const growth = real.of('gpos').length / small.of('gpos').length;
    expect(growth).toBeGreaterThan(2);
    expect(growth).toBeLessThan(8);
    expect(even.of('gpos')).toHaveLength(30);
    const linked = new Map(real.of('gpos').map((policy) => [policy.ObjectIdentifier, 0]));
    for (const type of ['domains', 'ous']) {
      for (const { Links } of real.records(type)) {
        for (const { GUID } of Links) linked.set(GUID, (linked.get(GUID) as number) + 1);
      }
    }
    const links = new Sample(linked.values());
    expect(links.share((count) => count === 0)).toBeGreaterThan(0.05);
    expect(links.share((count) => count === 1 || count === 2)).toBeGreaterThan(0.5);
    expect(links.at(1)).toBeGreaterThan(10);
  });

  it('keeps accounts of people and machines that have left', () => {
    const people = real.of('users').filter(({ Properties }) => Properties.enabled === false);
    expect(people.length / real.of('users').length).toBeGreaterThan(0.07);
    const collectedAt = planForest({ users: 1, seed: 1 }).collectedAt;
    const unused = real
      .of('computers')
      .filter(({ Properties }) => collectedAt - Number(Properties.lastlogon) > 400 * 86_400);
    expect(unused.length / real.of('computers').length).toBeGreaterThan(0.005);
    expect(
      even.of('computers').some(({ Properties }) => Number(Properties.lastlogon) < collectedAt - 4e7),
    ).toBe(false);
  });

  it('names people, groups, units and policies beyond ASCII', () => {
    const isBeyond = ({ Properties }: CollectedObject): boolean =>
      /[^\x20-\x7e]/.test(String(Properties.name));
    expect(real.of('users').filter(isBeyond).length / real.of('users').length).toBeGreaterThan(0.05);
    for (const type of ['groups', 'ous', 'gpos']) expect(real.of(type).some(isBeyond), type).toBe(true);
    expect(even.of('users').some(isBeyond)).toBe(false);
  });

  it('has registries that differ, and some that were not read', () => {
    const { records } = surveyOf(100_000, 2);
    const controllers = records('computers').filter((computer) => computer.IsDC);
    const read = controllers.map(({ DCRegistryData }) => DCRegistryData.StrongCertificateBindingEnforcement);
    expect(read.some(({ Collected }) => !Collected)).toBe(true);
    expect(new Set(read.map(({ Value }) => Value)).size).toBeGreaterThan(2);
    const levels = records('computers').map(
      ({ NTLMRegistryData }) => NTLMRegistryData.Result?.LmCompatibilityLevel,
    );
    expect(new Set(levels)).toEqual(new Set([undefined, null, 0, 1, 2, 3, 5]));
  });
});

describe.each([2, 12, 24])('shape 3 of seed %i', (seed) => {
  const real = surveyOf(4000, 3, seed);

  it('has most people in 10 to 20 groups', () => {
    expect(real.ofPeople.at(0.5)).toBeGreaterThanOrEqual(12);
    expect(real.ofPeople.at(0.5)).toBeLessThanOrEqual(15);
    expect(real.ofPeople.share((count) => count >= 8 && count <= 20)).toBeGreaterThan(0.8);
    expect(real.ofPeople.at(1)).toBeGreaterThan(40);
  });

  it('has passwords that never expire, and few machines that require SMB signing', () => {
    const users = real.of('users');
    const never = users.filter(({ Properties }) => Properties.pwdneverexpires === true).length / users.length;
    expect(never).toBeGreaterThan(0.1);
    expect(never).toBeLessThan(0.3);
    const asked = real.records('computers').filter(({ IsDC, SmbInfo }) => !IsDC && SmbInfo.Collected);
    const signing = asked.filter(({ SmbInfo }) => SmbInfo.Result.SigningEnabled).length / asked.length;
    expect(signing).toBeLessThan(0.15);
  });
});
