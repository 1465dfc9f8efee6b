/** Sign-ins that are under way, and answers of providers that were used: each is good once, in all processes. */
import { hash } from 'node:crypto';
import type { Db } from '@clew/store';
import type { Clock } from '../clock.ts';

const MINUTES = 7;

export class SignInAttempts {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Seconds until an attempt is too old. */
  readonly seconds = MINUTES * 60;

  async begin(providerId: number, id: string, secrets: Readonly<Record<string, string>> = {}): Promise<void> {
    const expires_at = new Date(this.#clock.now() + this.seconds * 1000);
    await this.#db
      .insertInto('sso_attempt')
      .values({ id, sso_provider_id: providerId, secrets: JSON.stringify(secrets), expires_at })
      .execute();
  }

  /**
   * Deletes the stored values. @returns them; `undefined` for an attempt at another provider, or one that is too old
   */
  async take(providerId: number, id: string): Promise<Readonly<Record<string, string>> | undefined> {
    const row = await this.#db
      .deleteFrom('sso_attempt')
      .where('id', '=', id)
      .where('sso_provider_id', '=', providerId)
      .where('expires_at', '>', new Date(this.#clock.now()).toISOString())
      .returning('secrets')
      .executeTakeFirst();
    return row?.secrets;
  }

  async isUnderWay(providerId: number, id: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('sso_attempt')
      .select('id')
      .where('id', '=', id)
      .where('sso_provider_id', '=', providerId)
      .where('expires_at', '>', new Date(this.#clock.now()).toISOString())
      .executeTakeFirst();
    return row !== undefined;
  }

  /**
   * @param until milliseconds since the epoch: later than that an assertion is refused for its age
   * @returns false for one that was used before
   */
  async useAssertion(issuer: string, id: string, until: number): Promise<boolean> {
    const digest = hash('sha256', JSON.stringify([issuer, id]), 'buffer');
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('used_assertion')
      .values({ digest, expires_at: new Date(until) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  async sweep(): Promise<void> {
    const now = new Date(this.#clock.now()).toISOString();
    await this.#db.deleteFrom('sso_attempt').where('expires_at', '<', now).execute();
    await this.#db.deleteFrom('used_assertion').where('expires_at', '<', now).execute();
  }
}
