import type { AdoptedChange } from '@clew/api';

/** Names the uploads that an analysis read. An analysis often has several uploads, and collections do not say which of them has a change. */
export function shownBy(jobs: AdoptedChange['history'][number]['jobs']): string {
  const uploads = jobs.map(({ id, by }) => `upload ${id}${by === null ? '' : ` of ${by}`}`);
  return `shown by ${uploads.length === 1 ? '' : 'one of '}${uploads.join(', ')}`;
}
