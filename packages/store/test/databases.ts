/** Creates and drops databases of a test server. */
import { silentLog } from '@clew/embedded/testing';
import type { ClientConfig } from 'pg';
import { connectDatabase } from '../src/database.ts';

export async function makeDatabase(
  connection: ClientConfig,
  name: string,
  template = 'template1',
): Promise<void> {
  // Without logging each page, which takes half of the CPU time.
  await inDatabase(connection, `create database ${name} template ${template} strategy file_copy`);
}

/** Closes connections of processes that a test killed. */
export async function dropDatabase(connection: ClientConfig, name: string): Promise<void> {
  await inDatabase(connection, `drop database ${name} with (force)`);
}

async function inDatabase(connection: ClientConfig, statement: string): Promise<void> {
  const admin = connectDatabase(connection, silentLog, { maxConnections: 1 });
  try {
    await admin.pool.query(statement);
  } finally {
    await admin.close();
  }
}
