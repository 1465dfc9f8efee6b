/** Bytes of uploads, through the database and back. */
import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUploadJob } from './jobStatus.ts';
import { storeUpload } from './storeUpload.ts';
import { UploadBytes } from './uploadBytes.ts';
import { CHUNK_BYTES, ChunkWriter } from './uploadChunks.ts';

let database: Database;

beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const text = (bytes: number): Buffer => Buffer.alloc(bytes, '{"ObjectIdentifier":"S-1-5-21-é"},');

async function newFile(): Promise<number> {
  const { id: job_id } = await createUploadJob(database.db, { userId: null, emailAddress: null });
  const { id } = await database.db
    .insertInto('upload_file')
    .values({ job_id, name: '', content_type: 'json' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function store(bytes: Buffer, packs: boolean, pieceBytes: number): Promise<number> {
  const id = await newFile();
  const writer = new ChunkWriter(database.db, id, packs);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    // The owner of a piece may use it again.
    const piece = Buffer.from(bytes.subarray(at, at + pieceBytes));
    await writer.write(piece);
    piece.fill(0);
  }
  await writer.finish();
  return id;
}

async function readAll(bytes: UploadBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes.stream()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('the chunks of an upload', () => {
  it.each([
    ['a text', text(3 * CHUNK_BYTES + 17), true, 65_536],
    ['a text of whole chunks', text(2 * CHUNK_BYTES), true, 65_536],
    ['a text in one piece', text(5 * CHUNK_BYTES + 1), true, 2 ** 30],
    ['a short text', text(9), true, 4],
    ['incompressible bytes', randomBytes(CHUNK_BYTES + 5), true, 65_536],
    ['an archive', randomBytes(2 * CHUNK_BYTES + 5), false, 65_536],
    ['nothing', Buffer.alloc(0), true, 1],
  ])('return %s as received', async (_, bytes, packs, pieceBytes) => {
    const stored = new UploadBytes(database.pool, await store(bytes, packs, pieceBytes), bytes.length);
    expect(sha256(await readAll(stored))).toBe(sha256(bytes));
    for (const [offset, length] of [
      [0, 5],
      [bytes.length - 3, 10],
      [CHUNK_BYTES - 2, 4],
      [0, bytes.length],
    ]) {
      const from = Math.max(0, offset);
      expect(sha256(await stored.read(from, length))).toBe(sha256(bytes.subarray(from, from + length)));
    }
  });

  it('take little space for text, and no more than necessary otherwise', async () => {
    const sizeOf = async (id: number): Promise<number> => {
      const { rows } = await database.pool.query(
        'select sum(length(bytes))::integer as size from upload_chunk where file_id = $1',
        [id],
      );
      return rows[0].size;
    };
    expect(await sizeOf(await store(text(2 * CHUNK_BYTES), true, 65_536))).toBeLessThan(CHUNK_BYTES / 10);
    expect(await sizeOf(await store(randomBytes(CHUNK_BYTES), true, 65_536))).toBe(CHUNK_BYTES);
  });

  it('stored before chunks were packed can still be read', async () => {
    const id = await newFile();
    await database.pool.query('insert into upload_chunk (file_id, number, bytes) values ($1, 0, $2)', [
      id,
      text(100),
    ]);
    expect(await readAll(new UploadBytes(database.pool, id, 100))).toEqual(text(100));
  });

  it('make no file if the database lost one of them', async () => {
    const { id: jobId } = await createUploadJob(database.db, { userId: null, emailAddress: null });
    const stream = (async function* () {
      yield Buffer.alloc(4 * CHUNK_BYTES, ' ');
      // The possible effect of a restart on chunks whose transactions had ended.
      await database.pool.query(
        'delete from upload_chunk where number = 1 and file_id = (select max(id) from upload_file)',
      );
      yield Buffer.from('{"data":[],"meta":{"type":"users","version":6}}');
    })();
    const file = { name: 'users.json', contentType: 'application/json', stream };
    await expect(storeUpload(database.db, jobId, file, { uploadBytes: 2 ** 30 })).rejects.toThrow(
      'lost part',
    );
    const { rows } = await database.pool.query('select from upload_file where job_id = $1', [jobId]);
    expect(rows).toEqual([]);
  });

  it('report that the database rejected one', async () => {
    const writer = new ChunkWriter(database.db, 2 ** 40, true);
    const writing = (async () => {
      await writer.write(text(8 * CHUNK_BYTES));
      await writer.finish();
    })();
    await expect(writing).rejects.toThrow('foreign key');
    await writer.settle();
  });
});
