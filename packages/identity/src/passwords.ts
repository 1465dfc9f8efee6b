/**
 * Password hashing: argon2id with 19 MiB and two passes (OWASP's first choice for argon2id), stored as PHC text. Few hashes run or wait at
 * a time, so that a flood of sign-ins exhausts neither memory nor the thread pool. Measured: about 40-60 ms per hash on the target machine.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { apiError } from '@clew/common';

const deriveKey = promisify(argon2);

const LANES = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Longer passwords never match, to avoid hashing megabytes. */
export const MAX_PASSWORD_LENGTH = 1024;
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export const DIGEST_METHOD = 'argon2id';

export interface PasswordHasherLimits {
  /** Maximum number of concurrent hashes; each uses 19 MiB and a thread of the pool. */
  readonly parallel: number;
  /** Maximum number of waiting checks; more are refused with 429. */
  readonly waiting: number;
}

/** The cost of new hashes, and of checks for unknown users. */
interface HashCost {
  readonly memoryKib: number;
  readonly passes: number;
}

const COST: HashCost = { memoryKib: 19 * 1024, passes: 2 };

export class PasswordHasher {
  readonly #limits: PasswordHasherLimits;
  readonly #cost: HashCost;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(limits: PasswordHasherLimits = { parallel: 2, waiting: 64 }, cost: HashCost = COST) {
    this.#limits = limits;
    this.#cost = cost;
  }

  /** @returns PHC text with a new salt */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(SALT_BYTES);
    const { memoryKib: memory, passes } = this.#cost;
    const hash = await this.#derive({
      ...{ memory, passes, parallelism: LANES },
      message: messageOf(password),
      nonce: salt,
      tagLength: HASH_BYTES,
    });
    return phcText(this.#cost, salt, hash);
  }

  /**
   * @param digest PHC text; without one (unknown user, user without a password), the same work is done, so that the duration reveals
   * nothing
   * @throws ApiError `tooManyRequests` if too many checks are waiting
   */
  async matches(password: string, digest: string | undefined): Promise<boolean> {
    const unmatchable = phcText(this.#cost, new Uint8Array(SALT_BYTES), new Uint8Array(HASH_BYTES));
    const parsed = PHC.exec(digest ?? unmatchable)!;
    const expected = Buffer.from(parsed[5], 'base64');
    const actual = await this.#derive({
      message: messageOf(password),
      nonce: Buffer.from(parsed[4], 'base64'),
      memory: Number(parsed[1]),
      passes: Number(parsed[2]),
      parallelism: Number(parsed[3]),
      tagLength: expected.length,
    });
    return (
      timingSafeEqual(actual, expected) && digest !== undefined && password.length <= MAX_PASSWORD_LENGTH
    );
  }

  async #derive(parameters: Argon2Parameters): Promise<Buffer> {
    await this.#enter();
    try {
      return await deriveKey(DIGEST_METHOD, parameters);
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#limits.parallel) {
      this.#running++;
      return;
    }
    if (this.#queue.length >= this.#limits.waiting) throw apiError('tooManyRequests');
    // A finished caller transfers its slot, so `#running` stays unchanged.
    await new Promise<void>((resolve) => this.#queue.push(resolve));
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}

/** Composed and decomposed forms of a letter are the same password. */
function messageOf(password: string): Buffer {
  return Buffer.from(password.slice(0, MAX_PASSWORD_LENGTH).normalize('NFC'));
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replace(/=+$/, '');
}

const phcText = ({ memoryKib, passes }: HashCost, salt: Uint8Array, hash: Uint8Array): string =>
  `$${DIGEST_METHOD}$v=19$m=${memoryKib},t=${passes},p=${LANES}$${unpadded(salt)}$${unpadded(hash)}`;
