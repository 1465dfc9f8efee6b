/**
 * Bodies of signed requests, until their signature has been checked. A signature covers the whole body, so all of it has to be received
 * before it means anything; a token id is not a secret, so until then every sender is a stranger. The bytes of strangers are held apart as
 * they were received, in memory or in a file without a name, reach neither a decoder nor the database, and are bounded: by address, by
 * address and token, in all, in number and in pace. Figures: `docs/operations.md#bounds`.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, notReady, requireSpace, tooManyRequests } from '@clew/common';

export interface UnprovenLimits {
  /** Bytes that one address may have held at once. */
  readonly addressBytes: number;
  /** Bytes held for all addresses together. */
  readonly totalBytes: number;
  /** Requests of one address, and of all, whose body is not proven yet. */
  readonly addressRequests: number;
  readonly totalRequests: number;
  /** Bytes that must stay free on the disk. */
  readonly freeBytes: number;
}

export const MAX_UNPROVEN_REQUESTS = { address: 128, total: 512 };
/** Factor on the bytes of one address for all addresses together. */
export const UNPROVEN_ADDRESSES = 4;

/** Most bodies are smaller, and never touch the disk. */
const MEMORY_BYTES = 64 * 1024;
/** How often free space is checked, in bytes written. */
const SPACE_CHECK_BYTES = 16 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

export class UnprovenBodies {
  readonly #directory: string;
  readonly #limits: UnprovenLimits;
  readonly #bytes = new Map<string, number>();
  readonly #requests = new Map<string, number>();

  /** @param directory for bytes that do not fit into memory; created when first needed */
  constructor(directory: string, limits: UnprovenLimits) {
    this.#directory = directory;
    this.#limits = limits;
  }

  /** Bytes held now, in all. */
  get bytes(): number {
    return this.#bytes.get('') ?? 0;
  }

  /**
   * Begins to hold the body of a request. The result is to be closed, whatever becomes of it.
   * @param size of the body as announced; 0 when it is not
   * @throws ApiError 413 for a body that can never be held, 429 when the address has too many, 503 when all have
   */
  enter(address: string, size: number): HeldBody {
    const { addressRequests, totalRequests } = this.#limits;
    this.#refuseSize(size);
    if ((this.#requests.get(address) ?? 0) >= addressRequests) throw tooManyRequests();
    if ((this.#requests.get('') ?? 0) >= totalRequests) throw busy();
    add(this.#requests, address, 1);
    return new HeldBody(this.#directory, this.#limits.freeBytes, {
      take: (bytes, held) => this.#take(address, bytes, held),
      giveBack: (bytes) => add(this.#bytes, address, -bytes),
      leave: () => add(this.#requests, address, -1),
    });
  }

  /** Admits a request without a body: it holds nothing, so that many may run at once, like those of polling collectors. */
  enterEmpty(): HeldBody {
    const nothing = () => {};
    return new HeldBody(this.#directory, this.#limits.freeBytes, {
      take: (bytes, held) => this.#refuseSize(bytes + held),
      giveBack: nothing,
      leave: nothing,
    });
  }

  /** @param held bytes that this body holds already */
  #take(address: string, bytes: number, held: number): void {
    const { addressBytes, totalBytes } = this.#limits;
    this.#refuseSize(held + bytes);
    if ((this.#bytes.get(address) ?? 0) + bytes > addressBytes) throw tooManyRequests();
    if (this.bytes + bytes > totalBytes) throw busy();
    add(this.#bytes, address, bytes);
  }

  #refuseSize(size: number): void {
    const { addressBytes: limit } = this.#limits;
    if (size > limit) throw apiError('signedBodyTooLarge', { limit });
  }
}

/** Counts for an address, and under the empty name for all. A count of 0 is removed. */
function add(counts: Map<string, number>, address: string, by: number): void {
  for (const key of [address, '']) {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }
}

const busy = () => notReady('too many signed requests at once', 5);

interface Account {
  take(bytes: number, held: number): void;
  giveBack(bytes: number): void;
  leave(): void;
}

/** The bytes of one body, held apart. */
export class HeldBody implements AsyncDisposable {
  readonly #directory: string;
  readonly #freeBytes: number;
  readonly #account: Account;
  #memory: Buffer[] = [];
  #size = 0;
  #file: FileHandle | undefined;
  #path: string | undefined;
  #spaceSeenAt = 0;
  #closed: Promise<void> | undefined;

  constructor(directory: string, freeBytes: number, account: Account) {
    this.#directory = directory;
    this.#freeBytes = freeBytes;
    this.#account = account;
  }

  /** @throws ApiError 413, 429, 503 or 507 when the chunk exceeds a limit */
  async write(chunk: Buffer): Promise<void> {
    this.#account.take(chunk.length, this.#size);
    this.#size += chunk.length;
    if (this.#file === undefined && this.#size <= MEMORY_BYTES) {
      this.#memory.push(chunk);
      return;
    }
    this.#file ??= await this.#openFile();
    await this.#checkSpace();
    for (const part of [...this.#memory.splice(0), chunk]) await this.#file.writeFile(part);
  }

  /** All bytes in order, once nothing more is written. */
  async *read(): AsyncGenerator<Buffer> {
    yield* this.#memory;
    for (let at = 0; this.#file !== undefined; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Removes the bytes and gives their room back. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#memory = [];
    try {
      await this.#file?.close();
      if (this.#path !== undefined) await rm(this.#path, { force: true });
    } finally {
      this.#account.giveBack(this.#size);
      this.#account.leave();
    }
  }

  /** A file without a name ends with the process. Windows keeps the name of an open file, so there it is deleted at the end. */
  async #openFile(): Promise<FileHandle> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    const path = join(this.#directory, randomUUID());
    const file = await open(path, 'wx+', 0o600);
    if (process.platform === 'win32') this.#path = path;
    else await rm(path);
    return file;
  }

  async #checkSpace(): Promise<void> {
    if (this.#spaceSeenAt > 0 && this.#size - this.#spaceSeenAt < SPACE_CHECK_BYTES) return;
    this.#spaceSeenAt = this.#size;
    await requireSpace(this.#directory, this.#freeBytes);
  }
}
