/** Pending sign-ins and used provider answers: each is valid once, across all processes. */
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

  /** Seconds until an attempt expires. */
  readonly seconds = MINUTES * 60;

  async begin(providerId: number, id: string, secrets: Readonly<Record<string, string>> = {}): Promise<void> {
    const expires_at = new Date(this.#clock.now() + this.seconds * 1000);
    await this.#db
      .insertInto('sso_attempt')
      .values({ id, sso_provider_id: providerId, secrets: JSON.stringify(secrets), expires_at })
      .execute();
  }

  /** Removes the stored values. @returns them; `undefined` for an attempt at another provider, or an expired one */
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
   * @param until expiration of the assertion, in milliseconds since the epoch
   * @returns false for an assertion that was already used
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
