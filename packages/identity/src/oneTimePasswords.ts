/**
 * Second factors: one-time passwords of an authenticator (RFC 6238: SHA-1, six digits, 30 seconds, supported by all authenticators), and
 * recovery codes to use if it is lost. Rule: `docs/reference/api.md#second-factors`.
 */
import { hash, randomInt } from 'node:crypto';
import type { Db } from '@clew/store';
import { generateSecret, generateURI, verify } from 'otplib';
import { toDataURL } from 'qrcode';
import type { ResealSecrets } from './reseal.ts';
import type { SecretBox } from './secretBox.ts';

const RECOVERY_CODES = 10;
/** Without letters that look like digits: 50 bits per code. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODE_LENGTH = 10;
const STEP_SECONDS = 30;
/** Allows for different clocks: one step before and one after. */
const TOLERANCE_SECONDS = STEP_SECONDS;
const QR_PIXELS = 200;

export interface Enrollment {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://` address that authenticators read. */
  readonly uri: string;
}

export class OneTimePasswords {
  readonly #box: SecretBox;

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Creates a secret, which takes effect when activated. @param issuer name of the service in the authenticator */
  async enroll(
    db: Db,
    user: { readonly id: string; readonly name: string },
    issuer: string,
  ): Promise<Enrollment> {
    const secret = generateSecret();
    await db
      .updateTable('auth_secret')
      .set({ sealed_totp: this.#box.seal(secret, purpose(user.id)), totp_activated: false, totp_step: null })
      .where('user_id', '=', user.id)
      .execute();
    return { secret, uri: generateURI({ issuer, label: user.name, secret }) };
  }

  /** @returns recovery codes, which cannot be shown again */
  async activate(db: Db, userId: string): Promise<string[]> {
    await db.updateTable('auth_secret').set({ totp_activated: true }).where('user_id', '=', userId).execute();
    await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
    const codes = Array.from({ length: RECOVERY_CODES }, newCode);
    await db
      .insertInto('recovery_code')
      .values(codes.map((code) => ({ user_id: userId, digest: digestOf(code) })))
      .execute();
    return codes;
  }

  /**
   * Whether a one-time password is correct. Each can be used once.
   * @param secret of the user, with an authenticator that is enrolled
   */
  async matches(
    db: Db,
    { user_id, sealed_totp }: { readonly user_id: string; readonly sealed_totp: Buffer },
    otp: string,
    now: number,
  ): Promise<boolean> {
    const secret = this.#box.open(sealed_totp, purpose(user_id));
    const token = otp.replaceAll(' ', '');
    if (!/^\d{6}$/.test(token)) return false;
    const epoch = Math.floor(now / 1000);
    const result = await verify({ secret, token, epoch, epochTolerance: TOLERANCE_SECONDS });
    if (!result.valid) return false;
    const step = Math.floor(epoch / STEP_SECONDS) + result.delta;
    const { numUpdatedRows } = await db
      .updateTable('auth_secret')
      .set({ totp_step: step })
      .where('user_id', '=', user_id)
      .where((eb) => eb.or([eb('totp_step', 'is', null), eb('totp_step', '<', step)]))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Whether a recovery code is correct. Each can be used once. */
  async takeRecoveryCode(db: Db, userId: string, code: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_code')
      .where('user_id', '=', userId)
      .where('digest', '=', digestOf(code))
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
}

export async function removeSecondFactor(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('auth_secret')
    .set({ sealed_totp: null, totp_activated: false, totp_step: null })
    .where('user_id', '=', userId)
    .execute();
  await db.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
}

export const resealOneTimePasswords: ResealSecrets = async (transaction, reseal) => {
  const rows = await transaction.selectFrom('auth_secret').select(['user_id', 'sealed_totp']).execute();
  const enrolled = rows.filter(({ sealed_totp }) => sealed_totp !== null);
  for (const { user_id, sealed_totp } of enrolled)
    await transaction
      .updateTable('auth_secret')
      .set({ sealed_totp: reseal(sealed_totp as Buffer, purpose(user_id)) })
      .where('user_id', '=', user_id)
      .execute();
  return enrolled.length;
};

/** PNG as a data URL. */
export function qrCode(uri: string): Promise<string> {
  return toDataURL(uri, { type: 'image/png', width: QR_PIXELS });
}

const purpose = (userId: string): string => `totp:${userId}`;

function newCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${letters.slice(0, CODE_LENGTH / 2)}-${letters.slice(CODE_LENGTH / 2)}`;
}

/** Users type them in any case, with or without the hyphen. */
const digestOf = (code: string): Buffer =>
  hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''), 'buffer');
