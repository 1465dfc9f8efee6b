/**
 * Buffers bodies of signed requests until their signature is verified. A signature covers the whole body, so it can only be verified at the
 * end, and a token id is not secret, so until then every sender is unverified. The raw bytes are buffered in memory or in an unlinked file,
 * reach neither a decoder nor the database, and are limited: by address, by address and token, in total, in number and in pace. Figures:
 * `docs/operations.md#bounds`.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, notReady, requireSpace, tooManyRequests } from '@clew/common';

export interface UnprovenLimits {
  /** Maximum buffered bytes per address. */
  readonly addressBytes: number;
  /** Maximum buffered bytes for all addresses. */
  readonly totalBytes: number;
  /** Maximum requests with unverified bodies per address, and in total. */
  readonly addressRequests: number;
  readonly totalRequests: number;
  /** Disk space in bytes that must stay free. */
  readonly freeBytes: number;
}

export const MAX_UNPROVEN_REQUESTS = { address: 128, total: 512 };
/** Ratio of the byte limit for all addresses to that for one. */
export const UNPROVEN_ADDRESSES = 4;

/** Most bodies are smaller, and stay in memory. */
const MEMORY_BYTES = 64 * 1024;
/** Free space is checked after this many written bytes. */
const SPACE_CHECK_BYTES = 16 * 1024 * 1024;
const READ_BYTES = 256 * 1024;

export class UnprovenBodies {
  readonly #directory: string;
  readonly #limits: UnprovenLimits;
  readonly #bytes = new Map<string, number>();
  readonly #requests = new Map<string, number>();

  /** @param directory for bytes that do not fit in memory; created on demand */
  constructor(directory: string, limits: UnprovenLimits) {
    this.#directory = directory;
    this.#limits = limits;
  }

  /** Total number of buffered bytes. */
  get bytes(): number {
    return this.#bytes.get('') ?? 0;
  }

  /**
   * Starts buffering the body of a request. The result must be closed in any case.
   * @param size announced size of the body; 0 if not announced
   * @throws ApiError 413 for a body that can never be buffered, 429 if the address has too many, 503 if all have
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

  /** Admits a request without a body: it needs no buffer, so many may run at once, such as polling collectors. */
  enterEmpty(): HeldBody {
    const nothing = () => {};
    return new HeldBody(this.#directory, this.#limits.freeBytes, {
      take: (bytes, held) => this.#refuseSize(bytes + held),
      giveBack: nothing,
      leave: nothing,
    });
  }

  /** @param held bytes that this body already uses */
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

/** Adds to the count of an address and to the total, whose key is empty. Zero counts are removed. */
function add(counts: Map<string, number>, address: string, by: number): void {
  for (const key of [address, '']) {
    const count = (counts.get(key) ?? 0) + by;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }
}

const busy = () => notReady('too many signed requests at the same time', 5);

interface Account {
  take(bytes: number, held: number): void;
  giveBack(bytes: number): void;
  leave(): void;
}

/** The buffered bytes of one body. */
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

  /** @throws ApiError 413, 429, 503 or 507 if the chunk exceeds a limit */
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

  /** All bytes in order, after the last write. */
  async *read(): AsyncGenerator<Buffer> {
    yield* this.#memory;
    for (let at = 0; this.#file !== undefined; ) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Removes the bytes and releases their space. */
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

  /** An unlinked file is deleted with the process. Windows keeps the name of an open file, so it is deleted at the end. */
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
