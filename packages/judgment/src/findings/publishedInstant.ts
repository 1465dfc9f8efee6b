/** The present, as far as findings go. */
import type { Db } from '@clew/store';

/** @returns the newest instant of publication: views of the present show this one. */
export async function publishedInstant(db: Db): Promise<string> {
  const { published_at } = await db
    .selectFrom('publication_clock')
    .select('published_at')
    .executeTakeFirstOrThrow();
  return published_at;
}
