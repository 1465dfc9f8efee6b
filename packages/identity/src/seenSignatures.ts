/**
 * Limits the validity of a captured signature to two hours. The 13 signed characters of a date contain neither minutes nor the offset, so
 * anyone who captured a request can rewrite both and move its time by up to two days with a valid signature. So every signature is stored
 * with its first use; a later use more than two hours after that is refused. Exact repetitions before that are accepted, because collectors
 * send them. Rule: `docs/reference/api.md#signed-requests`.
 *
 * The reference for "first" is the earlier of the named instant and the arrival. All uses by a legitimate client are in one hour of its
 * clock, which is at most one hour off, so they stay within two hours of that reference.
 *
 * Signatures are stored in PostgreSQL, for all processes and across restarts. One statement looks up and stores signatures that were not
 * seen recently. Signatures that arrive during a statement share the next one, so under load one round trip serves many requests.
 */

import type { Db } from '@clew/store';
import { sql } from 'kysely';

const MAX_AGE_MS = 2 * 3600_000;
/** Offsets reach from -23:59 to +23:59, and the clock window adds an hour. */
const RETENTION_HOURS = 49;
/**
 * Half of a signature identifies it, because it depends on the token key and cannot be chosen. The other half is not stored, so the
 * database cannot be used to sign requests.
 */
const DIGEST_BYTES = 16;
const RECENT_CAPACITY = 100_000;

interface Question {
  readonly digest: Buffer;
  /** Time of the first use if the signature is new; milliseconds since the epoch. */
  readonly candidate: number;
  readonly answer: PromiseWithResolvers<number>;
}

export class SeenSignatures {
  readonly #db: Db;
  /** Maps digests to first uses, so that repetitions do not query the database. */
  readonly #recent = new Map<string, number>();
  #questions = new Map<string, Question>();
  #asking = false;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Records a use of a valid signature. Times are in milliseconds since the epoch.
   * @returns false if it was first used more than two hours before `instant` or `arrival`
   */
  async admit(signature: Buffer, instant: number, arrival: number): Promise<boolean> {
    const digest = signature.subarray(0, DIGEST_BYTES);
    const key = digest.toString('latin1');
    const candidate = Math.min(instant, arrival);
    const first = this.#recent.get(key) ?? (await this.#firstUse(key, digest, candidate));
    return Math.max(instant, arrival) - first <= MAX_AGE_MS;
  }

  /** Deletes signatures that can no longer be made fresh. */
  async sweep(now: number): Promise<void> {
    const until = new Date(now - RETENTION_HOURS * 3600_000).toISOString();
    await this.#db.deleteFrom('seen_signature').where('first_seen', '<', until).execute();
  }

  #firstUse(key: string, digest: Buffer, candidate: number): Promise<number> {
    let question = this.#questions.get(key);
    if (question === undefined) {
      question = { digest, candidate, answer: Promise.withResolvers() };
      this.#questions.set(key, question);
      void this.#ask();
    }
    return question.answer.promise;
  }

  /** Runs one statement at a time, for all waiting queries. */
  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    while (this.#questions.size > 0) {
      const batch = this.#questions;
      this.#questions = new Map();
      try {
        const known = await this.#rememberAll([...batch.values()]);
        for (const [key, { candidate, answer }] of batch) {
          const first = known.get(key) ?? candidate;
          this.#keep(key, first);
          answer.resolve(first);
        }
      } catch (error) {
        for (const { answer } of batch.values()) answer.reject(error);
      }
    }
    this.#asking = false;
  }

  /** @returns the first uses of signatures that were already stored */
  async #rememberAll(questions: readonly Question[]): Promise<ReadonlyMap<string, number>> {
    const digests = questions.map(({ digest }) => digest);
    const times = questions.map(({ candidate }) => new Date(candidate).toISOString());
    // Rows have a fixed order, so that two processes cannot deadlock. Losing the last half second of this table in a
    // crash is harmless, so no request waits for the disk.
    const { rows } = await sql<{ digest: Buffer; first_seen: string }>`
      with given as (
        select digest, first_seen
        from unnest(${digests}::bytea[], ${times}::timestamptz[]) as question (digest, first_seen),
             set_config('synchronous_commit', 'off', true)
        order by digest
      ), remembered as (
        insert into seen_signature (digest, first_seen)
        select digest, first_seen from given
        on conflict do nothing
      )
      select known.digest, known.first_seen
      from seen_signature known
      join given using (digest)
    `.execute(this.#db);
    return new Map(rows.map((row) => [row.digest.toString('latin1'), Date.parse(row.first_seen)]));
  }

  #keep(key: string, first: number): void {
    this.#recent.set(key, first);
    if (this.#recent.size <= RECENT_CAPACITY) return;
    for (const oldest of this.#recent.keys()) {
      this.#recent.delete(oldest);
      return;
    }
  }
}
