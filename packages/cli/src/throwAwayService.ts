/** A service on a temporary store with collected data, for checks and tests in CI. It makes no plans, which neither reads. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClewClient } from '@clew/client';
import { collectionPaths, succeeded } from './commands/ingest.ts';
import { anonymousClient } from './connection.ts';
import type { Context } from './context.ts';
import { CommandError } from './failure.ts';
import { startConfigured, throwAwayEnvironment, throwAwayPassword } from './hostService.ts';
import { ingestFiles } from './upload.ts';

export interface ThrowAwayOptions {
  /** Collection files. */
  readonly files: readonly string[];
  /** Runs before they are ingested. */
  readonly prepare?: (client: ClewClient) => Promise<void>;
}

/** @throws CommandError if the files are not ingested completely */
export async function withCollection<Result>(
  context: Context,
  { files, prepare }: ThrowAwayOptions,
  work: (client: ClewClient) => Promise<Result>,
): Promise<Result> {
  const collected = await collectionPaths(context, files);
  const directory = await mkdtemp(join(tmpdir(), 'clew-check-'));
  try {
    const administrator = { name: 'admin', password: throwAwayPassword() };
    const service = await startConfigured(
      context,
      throwAwayEnvironment(context.env, directory, administrator),
      { makesPlans: false },
    );
    try {
      const client = anonymousClient(service.url, undefined, context.env);
      await client.login(administrator.name, administrator.password, { signal: context.signal });
      await prepare?.(client);
      const outcome = await ingestFiles(client, collected, context.err, context.signal);
      if (!succeeded(outcome)) throw new CommandError('the collection was not ingested completely');
      return await work(client);
    } finally {
      await service.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
