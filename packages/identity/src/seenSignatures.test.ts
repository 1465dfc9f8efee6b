import { randomBytes } from 'node:crypto';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SeenSignatures } from './seenSignatures.ts';

const HOUR = 3600_000;
const noon = Date.UTC(2024, 4, 1, 12);

let database: Database;
let seen: SeenSignatures;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => {
  seen = new SeenSignatures(database.db);
});

const rows = async () =>
  Number((await database.pool.query('select count(*) from seen_signature')).rows[0].count);

describe('the memory of signatures', () => {
  it('never refuses a legitimate client, whose clock may be an hour off', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: -HOUR, max: HOUR }),
        fc.array(fc.integer({ min: 0, max: HOUR - 1 }), { minLength: 1, maxLength: 5 }),
        async (clockError, moments) => {
          const signature = randomBytes(32);
          for (const moment of moments.toSorted((a, b) => a - b)) {
            // The client's clock shows an instant within one hour; the server's clock differs by the error.
            const instant = noon + moment;
            expect(await seen.admit(signature, instant, instant - clockError)).toBe(true);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('refuses an instant or an arrival more than two hours after the first use', async () => {
    for (const [first, instant, arrival, admitted] of [
      [noon, noon + 2 * HOUR, noon + 2 * HOUR, true],
      [noon, noon + 2 * HOUR + 1, noon + 2 * HOUR, false],
      [noon, noon + HOUR, noon + 2 * HOUR + 1, false],
      [noon, noon - HOUR, noon, true],
    ] as const) {
      const signature = randomBytes(32);
      expect(await seen.admit(signature, first, first)).toBe(true);
      expect(await seen.admit(signature, instant, arrival)).toBe(admitted);
    }
  });

  it('stores the first use, not the last', async () => {
    const signature = randomBytes(32);
    for (let step = 0; step < 9; step++) {
      expect(await seen.admit(signature, noon + (step * HOUR) / 4, noon + (step * HOUR) / 4)).toBe(true);
    }
    expect(await seen.admit(signature, noon + 2.25 * HOUR, noon + 2.25 * HOUR)).toBe(false);
  });

  it('writes one row per signature, however often and from however many processes it arrives', async () => {
    const before = await rows();
    const twin = new SeenSignatures(database.db);
    const signatures = Array.from({ length: 40 }, () => randomBytes(32));
    const uses = [...signatures, ...signatures.toReversed(), ...signatures];
    await Promise.all(
      uses.flatMap((signature) => [seen, twin].map((each) => each.admit(signature, noon, noon))),
    );
    expect((await rows()) - before).toBe(40);
    const later = await Promise.all(
      signatures.map((signature) => new SeenSignatures(database.db).admit(signature, noon + 3 * HOUR, noon)),
    );
    expect(later.every((admitted) => !admitted)).toBe(true);
  });

  it('does not answer while the database is unavailable, and continues afterward', async () => {
    const { pool } = database;
    await pool.query('alter table seen_signature rename to away');
    await expect(seen.admit(randomBytes(32), noon, noon)).rejects.toThrow();
    await pool.query('alter table away rename to seen_signature');
    expect(await seen.admit(randomBytes(32), noon, noon)).toBe(true);
  });

  it('deletes signatures that no offset can make fresh again', async () => {
    await seen.admit(randomBytes(32), noon, noon);
    await seen.sweep(noon + 48 * HOUR);
    expect(await rows()).toBeGreaterThan(0);
    await seen.sweep(noon + 60 * HOUR);
    expect(await rows()).toBe(0);
  });
});
