/** Without data, every page states what is missing, why, and what to do, with an example. */
import { sampledCases } from '@clew/common/testing';
import { expect, test } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';

/** Pages and views that are empty until an upload or an action. */
const EMPTY = [
  '/ui/findings',
  '/ui/findings?view=type',
  '/ui/findings?view=cause',
  '/ui/findings?view=object',
  '/ui/findings?view=repair',
  '/ui/changes',
  '/ui/explore',
  '/ui/explore?mode=path',
  '/ui/explore?mode=query',
  '/ui/posture',
  '/ui/posture?view=trend',
  '/ui/posture?view=choke',
  '/ui/posture?view=compare',
  '/ui/what-if',
  '/ui/what-if?view=plans',
  '/ui/data',
  '/ui/data?view=uploads',
  '/ui/data?view=collectors',
  '/ui/checks',
  '/ui/checks?check=Check_Gone',
  '/ui/reports',
  '/ui/admin?view=roles',
  '/ui/admin?view=zones',
  '/ui/admin?view=tokens',
  '/ui/admin?view=webhooks',
  '/ui/admin?view=certification',
  '/ui/admin?view=sso',
  '/ui/profile',
];

/** Titles of parts that need no example, because nothing can be created. */
const NO_EXAMPLE = new Set(['This check no longer exists']);

/** @param running called inside tests, before the first upload */
export function testEmpty(running: () => RunningWeb): void {
  test('point 7: every empty page says what is missing, why, and what to do, with an example', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open({ expected: [404] });
    const found: string[] = [];
    // A run examines every fourth page.
    for (const path of sampledCases(EMPTY, 4)) {
      await visit(page, path);
      await settled(page);
      await expect.poll(() => page.locator('main .empty').count(), { message: path }).toBeGreaterThan(0);
      const parts = await page.locator('main .empty:visible').evaluateAll((all) =>
        all.map((one) => ({
          title: one.querySelector('strong')?.textContent ?? '',
          why: [...one.querySelectorAll('p:not(.example, .bar)')]
            .map(({ textContent }) => textContent)
            .join(' '),
          buttons: one.querySelectorAll('.main').length,
          example: one.querySelector('.example')?.textContent ?? '',
        })),
      );
      for (const { title, why, buttons, example } of parts) {
        const where = `${path} “${title}”`;
        if (title.length < 8) found.push(`${where}: it does not say what is missing`);
        if (why.length < 20 || why.trim() === title) found.push(`${where}: it does not say why`);
        if (buttons !== 1) found.push(`${where}: it has ${buttons} buttons`);
        if (example.length < 20 && !NO_EXAMPLE.has(title)) found.push(`${where}: it has no example`);
      }
    }
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });
}
