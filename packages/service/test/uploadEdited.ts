import type { EditableFile } from '@clew/planning/testing';
import type { ServiceUnderTest } from './serviceUnderTest.ts';

/**
 * Uploads files whose records a test changed, and waits until they are ingested.
 *
 * @param end appended to each file, because equal bytes are one observation, whenever they arrive
 */
export async function uploadEdited(
  test: ServiceUnderTest,
  files: readonly EditableFile[],
  end = '',
): Promise<void> {
  await test.uploadBytes(
    files.map(({ type, records }) => {
      const meta = { type, version: 6, methods: 521_215, count: records.length };
      return JSON.stringify({ data: records, meta }) + end;
    }),
  );
}
