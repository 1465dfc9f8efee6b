/** Uploads and ingests files in tests as the service does, without HTTP and without a worker. */
import { buffer } from 'node:stream/consumers';
import { type Database, ServerClient } from '@clew/store';
import { silentLog } from '@clew/store/testing';
import { ZipFile } from 'yazl';
import { carryOutDeletions } from '../../src/housekeeping/deleteGraph.ts';
import { drainOn } from '../../src/ingest/drainIngest.ts';
import type { IngestContext } from '../../src/ingest/ingestJob.ts';
import { createUploadJob, endUploadJob } from '../../src/ingest/jobStatus.ts';
import { storeUpload } from '../../src/ingest/storeUpload.ts';

export interface TestUpload {
  readonly name: string;
  readonly content: Buffer | string | object;
}

/** @returns the number of the job, which waits for ingest. Names that end in `.zip` are archives. */
export async function upload(database: Database, ...files: readonly TestUpload[]): Promise<number> {
  const { id } = await createUploadJob(database.db, { userId: null, emailAddress: null });
  for (const { name, content } of files) {
    const contentType = name.endsWith('.zip') ? 'application/zip' : 'application/json';
    await storeUpload(
      database.db,
      id,
      { name, contentType, stream: chunksOf(bytesOf(content)) },
      { uploadBytes: 2 ** 30 },
    );
  }
  await endUploadJob(database.db, id);
  return id;
}

export function ingestContext(database: Database, signal = new AbortController().signal): IngestContext {
  return {
    database,
    limits: { archive: {} },
    betweenJobs: (client) => carryOutDeletions(client, silentLog),
    log: silentLog,
    signal,
  };
}

const sessions = new WeakMap<Database, ServerClient>();

/**
 * Ingests all that waits, on one session for each database: a new session and its temporary tables take as long as the ingest of a few
 * small files.
 */
export async function ingestAll(database: Database): Promise<void> {
  const client = sessions.get(database) ?? (await newSession(database));
  try {
    await drainOn(client, ingestContext(database));
    await client.query('select pg_advisory_unlock_all()');
  } catch (error) {
    sessions.delete(database);
    await client.end().catch(() => {});
    throw error;
  }
}

async function newSession(database: Database): Promise<ServerClient> {
  const client = new ServerClient(database.connection);
  // It ends with its database.
  client.on('error', () => sessions.delete(database));
  await client.connect();
  sessions.set(database, client);
  return client;
}

export async function zipOf(...files: readonly TestUpload[]): Promise<Buffer> {
  const archive = new ZipFile();
  for (const { name, content } of files) archive.addBuffer(bytesOf(content), name, { mtime: new Date(0) });
  archive.end();
  return buffer(archive.outputStream);
}

export function bytesOf(content: TestUpload['content']): Buffer {
  if (Buffer.isBuffer(content)) return content;
  return Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
}

/** In pieces of an odd size, as a network delivers them. */
async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_521) yield bytes.subarray(at, at + 65_521);
}
