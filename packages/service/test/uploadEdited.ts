import type { EditableFile } from '@clew/planning/testing';
import { vi } from 'vitest';
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
  const { id } = (await test.call('POST', 'file-upload/start')).json.data;
  for (const { type, records } of files) {
    const meta = { type, version: 6, methods: 521_215, count: records.length };
    await fetch(`${test.service.url}/api/v2/file-upload/${id}`, {
      method: 'POST',
      headers: { authorization: test.authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ data: records, meta }) + end,
    });
  }
  await test.call('POST', `file-upload/${id}/end`);
  const status = async () => (await test.data('GET', `file-upload?id=eq:${id}`))[0].status;
  await vi.waitUntil(async () => [2, 5, 8].includes(await status()), { timeout: 120_000, interval: 100 });
}
