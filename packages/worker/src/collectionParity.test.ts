/**
 * Tests the numbers of all derived edges in `parity` mode, which equal those of the public server except where `docs/rules.md` differs. A
 * change here changes what users see compared with that server, so its reason belongs there.
 */
import { analyze } from '@clew/analysis';
import { type CollectedFiles, SAMPLE_COLLECTION } from '@clew/intake/testing';
import { EDGE_KINDS } from '@clew/model';
import { fileText, generateForest } from '@clew/synthetic';
import { describe, expect, it } from 'vitest';
import { readWorld } from '../test/collectedWorld.ts';

async function derivedIn(files: CollectedFiles): Promise<Record<string, number>> {
  const { edges } = analyze((await readWorld(files)).input('parity'));
  const counts = new Map<number, number>();
  for (const kind of edges.kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(
    [...counts]
      .map(([kind, count]) => [EDGE_KINDS.find(({ id }) => id === kind)?.name ?? kind, count] as const)
      .sort(),
  );
}

/** `clew generate --shape 2` with these options. */
const forest = (options: { users: number; seed: number; domains: number }): CollectedFiles =>
  new Map(
    [...generateForest({ ...options, shape: 2 }).files].map((file) => [
      file.name,
      JSON.parse([...fileText(file)].join('')),
    ]),
  );

describe('derived edges in parity mode', () => {
  it('of the public sample', async () => {
    expect(await derivedIn(await SAMPLE_COLLECTION.files())).toMatchInlineSnapshot(`
      {
        "ADCSESC1": 7,
        "ADCSESC10a": 9,
        "ADCSESC10b": 10,
        "ADCSESC3": 12,
        "ADCSESC4": 7,
        "ADCSESC6a": 5,
        "ADCSESC6b": 12,
        "ADCSESC9a": 17,
        "ADCSESC9b": 12,
        "AdminTo": 22,
        "DCSync": 8,
        "EnrollOnBehalfOf": 177,
        "EnterpriseCAFor": 6,
        "GoldenCert": 4,
        "IssuedSignedBy": 12,
        "Owns": 1439,
        "SyncLAPSPassword": 2,
        "TrustedForNTAuth": 4,
        "WriteOwner": 2187,
      }
    `);
  });

  it('of a generated forest of two domains', async () => {
    expect(await derivedIn(forest({ users: 500, seed: 11, domains: 2 }))).toMatchInlineSnapshot(`
      {
        "ADCSESC1": 3,
        "ADCSESC10a": 5,
        "ADCSESC10b": 12,
        "ADCSESC13": 3,
        "ADCSESC3": 2,
        "ADCSESC4": 3,
        "ADCSESC9a": 4,
        "AdminTo": 563,
        "CanPSRemote": 8,
        "CanRDP": 31,
        "CoerceAndRelayNTLMToADCS": 85,
        "CoerceAndRelayNTLMToLDAP": 8,
        "CoerceAndRelayNTLMToLDAPS": 8,
        "DCSync": 7,
        "EnrollOnBehalfOf": 5,
        "EnterpriseCAFor": 1,
        "ExtendedByPolicy": 1,
        "GoldenCert": 1,
        "IssuedSignedBy": 4,
        "Owns": 1642,
        "SyncLAPSPassword": 542,
        "TrustedForNTAuth": 1,
        "WriteOwner": 1768,
      }
    `);
  });

  it('of a generated forest of three domains', async () => {
    expect(await derivedIn(forest({ users: 3000, seed: 22, domains: 3 }))).toMatchInlineSnapshot(`
      {
        "ADCSESC1": 6,
        "ADCSESC13": 6,
        "ADCSESC3": 4,
        "ADCSESC4": 11,
        "ADCSESC6a": 3,
        "ADCSESC9a": 6,
        "AdminTo": 3258,
        "CanPSRemote": 35,
        "CanRDP": 345,
        "CoerceAndRelayNTLMToADCS": 396,
        "CoerceAndRelayNTLMToLDAP": 26,
        "CoerceAndRelayNTLMToLDAPS": 26,
        "DCSync": 10,
        "EnrollOnBehalfOf": 10,
        "EnterpriseCAFor": 2,
        "ExtendedByPolicy": 2,
        "GoldenCert": 2,
        "IssuedSignedBy": 8,
        "Owns": 8151,
        "SyncLAPSPassword": 3336,
        "TrustedForNTAuth": 2,
        "WriteOwner": 8479,
      }
    `);
  });
});
