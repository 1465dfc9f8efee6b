/**
 * The key pair that signs requests to SAML providers: created at first use, stored encrypted. Rule: `docs/reference/api.md#single-sign-on`.
 */
import type { Db } from '@clew/store';
import { generate } from 'selfsigned';
import { type ResealSecrets, resealSetting } from '../reseal.ts';
import type { SecretBox } from '../secretBox.ts';

export interface SigningKey {
  readonly privateKey: string;
  readonly certificate: string;
}

const SETTING = 'saml.signing_key';
const YEARS = 10;

interface Stored {
  /** Base64. */
  readonly sealedKey: string;
  readonly certificate: string;
}

export const resealSigningKey: ResealSecrets = (transaction, reseal) =>
  resealSetting(transaction, { key: SETTING, member: 'sealedKey' satisfies keyof Stored }, reseal);

export class SigningKeys {
  readonly #db: Db;
  readonly #box: SecretBox;
  #key: Promise<SigningKey> | undefined;

  constructor(db: Db, box: SecretBox) {
    this.#db = db;
    this.#box = box;
  }

  /** The same key pair for all providers and processes. */
  get(): Promise<SigningKey> {
    this.#key ??= this.#load();
    this.#key.catch(() => {
      this.#key = undefined;
    });
    return this.#key;
  }

  async #load(): Promise<SigningKey> {
    const stored = (await this.#read()) ?? (await this.#make());
    const privateKey = this.#box.open(Buffer.from(stored.sealedKey, 'base64'), SETTING);
    return { privateKey, certificate: stored.certificate };
  }

  async #read(): Promise<Stored | undefined> {
    const row = await this.#db
      .selectFrom('setting')
      .select('value')
      .where('key', '=', SETTING)
      .executeTakeFirst();
    return row?.value as Stored | undefined;
  }

  /** If several processes create one at once, the first one is used. */
  async #make(): Promise<Stored> {
    const notAfterDate = new Date();
    notAfterDate.setFullYear(notAfterDate.getFullYear() + YEARS);
    const made = await generate([{ name: 'commonName', value: 'Clew' }], {
      keySize: 2048,
      algorithm: 'sha256',
      notAfterDate,
    });
    const stored: Stored = {
      sealedKey: this.#box.seal(made.private, SETTING).toString('base64'),
      certificate: made.cert,
    };
    await this.#db
      .insertInto('setting')
      .values({ key: SETTING, value: JSON.stringify(stored) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await this.#read()) ?? stored;
  }
}
