/** The current instant of findings. */
import type { Db } from '@clew/store';

/** @returns the newest publication instant, which views of the current state show */
export async function publishedInstant(db: Db): Promise<string> {
  const { published_at } = await db
    .selectFrom('publication_clock')
    .select('published_at')
    .executeTakeFirstOrThrow();
  return published_at;
}
