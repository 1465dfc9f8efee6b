/** Logs that the password of an administrator expires soon. Otherwise, this would be noticed only when no one can sign in. */
import { roleByName } from '@clew/model';
import type { Db } from '@clew/store';

const DAY_MS = 24 * 3600_000;
const NOTICE_DAYS = 14;

export interface ExpiryLog {
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** At most once a day; users themselves get a notice when they sign in. */
export class ExpiryNotice {
  readonly #db: Db;
  readonly #log: ExpiryLog;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, log: ExpiryLog) {
    this.#db = db;
    this.#log = log;
  }

  /** @param now milliseconds since the epoch */
  async say(now: number): Promise<void> {
    if (now - this.#saidAt < DAY_MS) return;
    this.#saidAt = now;
    const rows = await this.#db
      .selectFrom('auth_secret as secret')
      .innerJoin('user_account as user', 'user.id', 'secret.user_id')
      .select(['user.principal_name', 'secret.expires_at'])
      .where('user.role_id', '=', roleByName('Administrator').id)
      .where('user.is_disabled', '=', false)
      .where('secret.expires_at', '<', new Date(now + NOTICE_DAYS * DAY_MS).toISOString())
      .execute();
    for (const { principal_name: user, expires_at: expires } of rows)
      this.#log.warn(
        { user, expires },
        Date.parse(expires) <= now
          ? 'the password of an administrator has expired; it must be changed at the next sign-in'
          : 'the password of an administrator will expire soon; "clew user password" sets a new one',
      );
  }
}
