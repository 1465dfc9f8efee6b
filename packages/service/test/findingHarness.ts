/** A database with generations, for tests of findings: uploads, builds, and their findings. */

import type { Generation } from '@clew/generation';
import { emptyStore, ingestAll, type TestUpload, upload } from '@clew/intake/testing';
import { emptyFindings } from '@clew/judgment/testing';
import type { Database, FindingTable } from '@clew/store';
import { startTestDatabase } from '@clew/store/testing';
import { buildContext, buildGeneration } from '@clew/worker/testing';
import type { Selectable } from 'kysely';

export type StoredFinding = Selectable<FindingTable>;

export class FindingHarness {
  readonly database: Database;

  private constructor(database: Database) {
    this.database = database;
  }

  static async start(): Promise<FindingHarness> {
    return new FindingHarness(await startTestDatabase());
  }

  close(): Promise<void> {
    return this.database.close();
  }

  async empty(): Promise<void> {
    await emptyStore(this.database);
    await emptyFindings(this.database);
  }

  /** Uploads files as one job, if any, and builds a generation. */
  async build(...files: readonly TestUpload[]): Promise<Generation> {
    if (files.length > 0) {
      await upload(this.database, ...files);
      await ingestAll(this.database);
    }
    let generation: Generation | undefined;
    const built = await buildGeneration(buildContext(this.database, (made) => (generation = made)));
    if (!built) throw new Error('there was nothing to build');
    return generation as Generation;
  }

  /** Builds again as if a fact had changed that affects no finding. */
  async rebuild(): Promise<Generation> {
    await this.database.pool.query('update facts_state set version = version + 1');
    return this.build();
  }

  /** All findings by id, including archived ones. */
  findings(): Promise<StoredFinding[]> {
    return this.database.db.selectFrom('finding').selectAll().orderBy('id').execute();
  }

  /** Findings of one type, newest last. */
  async ofType(finding: string): Promise<StoredFinding[]> {
    return (await this.findings()).filter((one) => one.finding === finding);
  }
}

/** The subject of a finding. */
export function keyOf(finding: StoredFinding): string {
  const { environment_id, tag_id, finding: type, source_id, target_id } = finding;
  return [environment_id, tag_id, type, source_id, target_id].join(' | ');
}
