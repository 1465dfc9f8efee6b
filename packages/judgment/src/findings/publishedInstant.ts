/** The present, as far as findings go. */
import type { Db } from '@clew/store';

/** @returns the newest instant of publication: what a look at the present shows. */
export async function publishedInstant(db: Db): Promise<string> {
  const { published_at } = await db
    .selectFrom('publication_clock')
    .select('published_at')
    .executeTakeFirstOrThrow();
  return published_at;
}
