/** Lists of tickets are read completely with any page size, and reading always ends. */
import { describe, expect, it } from 'vitest';
import { beginPlan, TicketHarness } from '../../../test/ticketHarness.ts';
import { GitHubModel } from '../../../test/trackers/gitHub.ts';
import { TRACKER_MODELS, trackerModel } from '../../../test/trackers/models.ts';
import { instantOf } from '../instants.ts';
import { nextPageOf } from '../pages.ts';

const TITLES = ['One', 'Two', 'Three', 'Four', 'Five'];
/** The requested page size; 0 for other requests. */
function sizeOf(path: string, body: string): number {
  const [, size, ids] =
    /(?:per_page=|sysparm_limit=|maxResults(?:=|":))(\d+)|[?]ids=([\d,]+)/.exec(`${path} ${body}`) ?? [];
  return ids === undefined ? Number(size ?? 0) : ids.split(',').length;
}
const LARGE = { status: 200, body: `[${' '.repeat(1024 * 1024)}]` };

describe.each(TRACKER_MODELS)('lists of %s', (type) => {
  it('are read in smaller pages where an answer is too large', async () => {
    await using harness = await TicketHarness.make(trackerModel(type));
    const { service, system } = harness;
    const plan = service.add('Plan', ...TITLES);
    await harness.settle();
    system.fault = (_, { path, body }) => {
      return sizeOf(path, body) > 3 ? LARGE : undefined;
    };
    for (const ticket of system.tickets) system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 5 });
    harness.settings = { resetState: true };
    for (const change of plan.changes) change.marked = null;
    expect(await harness.settle()).toMatchObject({ status: 'complete' });
    expect(system.tickets).toHaveLength(5);
    system.fault = (_, { path, body }) => (sizeOf(path, body) > 0 ? LARGE : undefined);
    const { status, faults } = await harness.run();
    expect([status, faults.join()]).toEqual(['partial', expect.stringContaining('the answer is too large')]);
  });
});

describe('lists of GitHub', () => {
  const make = async () => TicketHarness.make(new GitHubModel());

  it('are followed to the next page after a short one, and begin again at the last change', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const plan = service.add('Plan', ...TITLES);
    system.mostOfPage = 2;
    await harness.settle();
    for (const ticket of system.tickets) system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ status: 'complete', marked: 5 });
    expect(plan.changes.every(({ marked }) => marked !== null)).toBe(true);
    harness.settings = { resetState: true };
    for (const change of plan.changes) change.marked = null;
    await harness.settle();
    expect(system.tickets).toHaveLength(5);
  });

  it('show a closing whose index came late', async () => {
    await using harness = await make();
    const { system } = harness;
    const { plan, tickets } = await beginPlan(harness, 'One', 'Two');
    const [one, two] = tickets;
    const before = { ...one };
    system.close(one, 'bob');
    const closed = { ...one };
    Object.assign(one, before);
    system.close(two, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    // It was closed before the last change that was read, but the list shows that only now.
    Object.assign(one, closed);
    expect(await harness.settle()).toMatchObject({ marked: 1 });
    expect(plan.changes.every(({ marked }) => marked !== null)).toBe(true);
  });

  it('are asked for the one ticket of a key before it is made', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    await harness.run();
    const paths = system.requests.map(({ path }) => path).filter((path) => path.includes('sort=created'));
    expect(paths).toEqual([expect.stringMatching(/\?labels=clew-[0-9a-f]{32}&state=all&/)]);
    expect(system.tickets[0]?.labels).toEqual(['clew', expect.stringMatching(/^clew-.{32}$/), 'security']);
  });

  it('take bodies of any size, in which a name is not a mark', async () => {
    await using harness = await make();
    const { service, system } = harness;
    const mark = '<!-- clew -->';
    const titles = Array.from({ length: 30 }, () => '`'.repeat(990));
    const plan = service.add(`Name ${mark}`, mark, ...titles);
    plan.repairs = plan.repairs
      .slice(0, 1)
      .map((one) => ({ ...one, changes: plan.changes.map(({ number }) => number) }));
    expect(await harness.settle()).toMatchObject({ status: 'complete', health: { rejected: 0 } });
    expect(system.tickets).toHaveLength(1);
    const [body = ''] = system.tickets.map((one) => one.body).filter((text) => text.includes('`Name <! --'));
    expect(body).toMatch(/\d more are on the page of the repair/);
    expect(body).not.toContain('<!--');
  });

  it('end where a page comes again', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    await harness.settle();
    const asked = system.requests.length;
    const headers = { link: '<https://evil.example/?page=1>; rel="next"' };
    system.fault = () => ({ status: 200, body: [], headers });
    const { status, faults } = await harness.run();
    expect([status, faults]).toEqual([
      'partial',
      [expect.stringMatching(/the list of issues contains the same page/)],
    ]);
    expect(system.requests.length - asked).toBeLessThan(5);
    expect(system.requests.every(({ headers: { host } }) => system.url.endsWith(String(host)))).toBe(true);
  });

  it('move no cursor by an instant in the future', async () => {
    await using harness = await make();
    const { service, system } = harness;
    service.add('Plan', 'One');
    await harness.settle();
    const [ticket] = system.tickets;
    if (ticket === undefined) throw new Error('a ticket is expected');
    Object.assign(ticket, { updatedAt: '2999-01-01T00:00:00Z' });
    await harness.settle();
    Object.assign(ticket, { updatedAt: system.tick() });
    system.close(ticket, 'bob');
    expect(await harness.settle()).toMatchObject({ marked: 1 });
  });
});

it('follows only the number of the next page', () => {
  const next = (link: string) => nextPageOf(new Headers({ link }));
  expect(next('<https://x/?page=2&a=1>; rel="prev", <https://y/?a=1&page=4>; rel="next"')).toBe(4);
  expect(next('<https://x/?page=2>; rel="last"')).toBeUndefined();
  expect(next('<https://x/?after=2>; rel="next"')).toBeUndefined();
});

it('takes instants of RFC 3339 only, up to a day from now', () => {
  const now = Date.parse('2026-06-01T00:00:00Z');
  const read = (text: string) => instantOf(text, now);
  expect(read('2026-06-01T23:00:00Z')).toBe('2026-06-01T23:00:00Z');
  for (const text of ['2026-06-03T00:00:00Z', '2026-06-01', '1 June 2026', '2026-13-01T00:00:00Z', ''])
    expect(read(text)).toBeUndefined();
});
