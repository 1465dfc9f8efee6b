/** A newcomer who reads only the visible texts, from the first start to the first repair, in a real browser. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { ADMIN_PASSWORD } from '@clew/service/testing';
import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openPage, signIn } from '../browser.ts';

const FIRST_REPAIR_MS = 15_000;
const AFTER_SIGN_IN_MS = 10_000;
const WINDOW = { width: 1440, height: 900 };

/** Signs in to a service without data using only the keyboard, loads the sample, and signs in again the next day. */
export async function comesToRepair(browser: Browser, url: string): Promise<void> {
  const first = await openPage(browser, url, { viewport: WINDOW });
  const begun = begin();
  await first.page.goto('/');
  await first.page.getByLabel('Name or e-mail address').waitFor();
  await tabTo(first.page, 'Name or e-mail address');
  await first.page.keyboard.type('admin');
  await first.page.keyboard.press('Tab');
  await first.page.keyboard.type(ADMIN_PASSWORD);
  await first.page.keyboard.press('Enter');
  await first.page.getByRole('button', { name: 'Load sample data' }).waitFor();
  await tabTo(first.page, 'Load sample data');
  await first.page.keyboard.press('Enter');
  // The plan appears automatically.
  await seesPath(first.page);
  expect(fairTime(begun)).toBeLessThan(FIRST_REPAIR_MS);
  expect(first.faults).toEqual([]);
  await first.context.close();

  // The next day, the path is visible after one key press.
  const next = await openPage(browser, url, { viewport: WINDOW });
  await next.page.goto('/');
  const asked = begin();
  await signIn(next.page, 'admin', ADMIN_PASSWORD);
  await seesPath(next.page);
  expect(fairTime(asked)).toBeLessThan(AFTER_SIGN_IN_MS);
  expect(next.faults).toEqual([]);
  await next.context.close();
}

/** Moves the focus to a control with the keyboard, by its visible label. */
async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      return element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    });
    if (focused.trim() === words) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not come to ${words}`);
}

/** Waits for the title of the first card and its drawn path, visible without scrolling. */
async function seesPath(page: Page): Promise<void> {
  const card = page.locator('article.repair').first();
  const path = card.getByRole('list', { name: /Attack path from .* cut at step/ });
  for (const part of [card.getByRole('heading').first(), path]) {
    await part.waitFor({ timeout: 100_000 });
    const { y } = (await part.boundingBox())!;
    expect(y).toBeLessThan(WINDOW.height);
  }
}

interface Begun {
  readonly at: number;
  readonly scheduled: Scheduled;
}

/** Nanoseconds in which this thread ran, and in which it waited for a processor; both 0 where the system does not say. */
interface Scheduled {
  readonly ran: number;
  readonly waited: number;
}

function scheduledTime(): Scheduled {
  const place = '/proc/thread-self/schedstat';
  if (!existsSync(place)) return { ran: 0, waited: 0 };
  const [ran = 0, waited = 0] = readFileSync(place, 'utf8').split(' ').map(Number);
  return { ran, waited };
}

const begin = (): Begun => ({ at: Date.now(), scheduled: scheduledTime() });

/** Milliseconds since a time, minus the share used by other programs on a busy machine. */
function fairTime({ at, scheduled }: Begun): number {
  const now = scheduledTime();
  const [ran, waited] = [now.ran - scheduled.ran, now.waited - scheduled.waited];
  const load = loadavg()[0]! / availableParallelism();
  return (Date.now() - at) / Math.max(1, load, ran > 0 ? 1 + waited / ran : 1);
}
