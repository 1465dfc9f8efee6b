/** The requests of the official framework for collectors, byte for byte, and its reading of the answers. */
import { JOB_STATUS } from '@clew/api';
import type { Reply } from '@clew/service/testing';
import { ServiceUnderTest } from '@clew/service/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let clew: ServiceUnderTest;
beforeAll(async () => {
  clew = await ServiceUnderTest.start({}, { makesPlans: false });
});
afterAll(() => clew.stop());

describe('the collector framework', () => {
  it.each([
    ['complete', [JOB_STATUS.ingesting, JOB_STATUS.analyzing, JOB_STATUS.complete]],
    ['failed', [JOB_STATUS.failed]],
    ['COMPLETE', [JOB_STATUS.ingesting, JOB_STATUS.analyzing, JOB_STATUS.complete]],
  ])('starts a job with a start time, and ends it as "%s"', async (word, statuses) => {
    const { id, collector } = await clew.newCollector();
    await collector.start();
    const { id: jobId } = await clew.data('POST', `clients/${id}/jobs`, {});
    const post = (path: string, body: string): Promise<Reply> => {
      const bytes = Buffer.from(body);
      const target = `/api/v2/${path}`;
      const headers = { ...collector.headers('POST', target, bytes), 'content-type': 'application/json' };
      return collector.exchange('POST', target, bytes, headers);
    };
    const started = await post('jobs/start', `{"id":${jobId},"start_time":"2026-01-31T10:00:00.1234567Z"}`);
    expect([started.status, started.json.data.status]).toEqual([200, JOB_STATUS.running]);
    const ended = await post('jobs/end', `{"status":"${word}","message":"m"}`);
    expect(ended.status).toBe(200);
    expect(statuses).toContain(ended.json.data.status);
    expect((await clew.data('GET', `jobs/${jobId}`)).status_message).toBe('m');
  });

  it('rejects an unknown word', async () => {
    const { collector } = await clew.running();
    const { status, json } = await collector.end('done', 'm');
    expect([status, json.errors[0].message]).toEqual([
      400,
      'invalid status: invalid job end state (COMPLETE|FAILED): done',
    ]);
  });
});

/** A record with `Time` and `Valid`, as in the models of the framework: a missing member, or one of another type, fails. */
function readNullTime(value: Record<string, unknown>): Date | undefined {
  const { Time, Valid } = value;
  if (typeof Time !== 'string' || Number.isNaN(Date.parse(Time))) throw new Error('Time is missing');
  if (typeof Valid !== 'boolean') throw new Error('Valid is missing');
  return Valid ? new Date(Time) : undefined;
}

it('answers in a format that a model with Time and Valid reads', async () => {
  const upload = (await clew.call('POST', 'file-upload/start')).json.data;
  expect(readNullTime(upload.deleted_at)).toBeUndefined();
  const self = await clew.data('GET', 'self');
  expect(readNullTime(self.deleted_at)).toBeUndefined();
  const token = (await clew.call('POST', 'tokens', { token_name: 'x', expires_at: '2099-01-01T00:00:00Z' }))
    .json.data;
  expect(readNullTime(token.expires_at)?.toISOString()).toBe('2099-01-01T00:00:00.000Z');
  // Scalars and null stay unchanged: collectors need a number here.
  const { id } = await clew.newCollector();
  const client = await clew.data('GET', `clients/${id}`);
  expect([client.current_job_id, client.current_task_id]).toEqual([null, null]);
});
