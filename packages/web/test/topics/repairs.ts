/** Cards of the plan, the pages of their repairs, and their mentions in findings, in a real browser. */
import { sampledCases } from '@clew/common/testing';
import { expect, test } from 'vitest';
import { faultsOfState, type RunningWeb, visit } from '../browser.ts';

const WIDE = { viewport: { width: 1440, height: 900 } };

/** @param running to be called only inside tests */
export function testRepairs(running: () => RunningWeb): void {
  test('a card begins with doing it, has its step whole, and says one domain once', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 5 });
    const { page, context, faults } = await open(WIDE);
    await page.goto('/ui/fix');
    await settled(page);
    let withDomain = 0;
    for (const [at, card] of cards.entries()) {
      const article = page.locator('article.repair').nth(at);
      const actions = await article.locator('footer.actions').locator('a, button').allTextContents();
      expect(actions.slice(0, 2)).toEqual(['Show the steps', 'Copy for a ticket']);
      expect(actions).toContain('Download change kit');
      expect(actions.indexOf('Add to What if')).toBeGreaterThan(actions.indexOf('Download change kit'));
      const names = card.packages.flatMap(({ title, fix }) => [
        ...`${title} ${fix}`.matchAll(/@([A-Z][A-Z.]+[A-Z])/g),
      ]);
      const domains = new Set(names.map(([, domain]) => domain!));
      const shown = await article.locator('header, .packages summary').allTextContents();
      if (domains.size === 1) {
        const [domain] = [...domains] as [string];
        withDomain++;
        expect(shown.filter((text) => text.includes(`@${domain}`))).toEqual([]);
        expect(shown[0]!.split(domain).length).toBe(2);
      }
      if (card.packages.length > 1) continue;
      const { fix } = card.packages[0]!;
      const whole = domains.size === 1 ? fix.replaceAll(`@${[...domains][0]}`, '') : fix;
      expect(shown.some((text) => text.includes(whole))).toBe(true);
    }
    expect(withDomain).toBeGreaterThan(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('rows of a path are joined where they turn, and names use the room that there is', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open(WIDE);
    await page.goto('/ui/fix');
    await settled(page);
    const turns = page.locator('.path-step.turn');
    await turns.first().waitFor();
    const ends = await turns.evaluateAll((all) =>
      all.map((turn) => {
        const boxOf = (part: Element) => part.getBoundingClientRect();
        const row = turn.closest('.path-row')!;
        const before = [...row.previousElementSibling!.querySelectorAll('.path-node')].at(-1)!;
        const line = boxOf(turn.querySelector('.line')!);
        const [from, to] = [boxOf(before.querySelector('.path-text')!), boxOf(row.querySelector('.tile')!)];
        const middle = line.x + line.width / 2;
        return {
          above: line.y - from.bottom,
          below: to.y - line.bottom,
          aside: [from, to].map(({ x, width }) => Math.round(Math.abs(x + width / 2 - middle))),
        };
      }),
    );
    for (const { above, below, aside } of ends) {
      expect(above).toBeGreaterThanOrEqual(0);
      expect(above).toBeLessThan(24);
      expect(Math.abs(below)).toBeLessThan(6);
      expect(Math.max(...aside)).toBeLessThanOrEqual(2);
    }
    // A name is shortened only if its line is full: the next object is as near as relationships permit.
    const names = await page.locator('.path-strip:not(.narrow) .path-name > bdi').allTextContents();
    expect(names.length).toBeGreaterThan(5);
    expect(names.filter((name) => name.includes('…'))).toEqual([]);
    // Texts in a strip do not overlap.
    const overlaps = await page.locator('.path-strip').evaluateAll((strips) =>
      strips.flatMap((strip) => {
        const texts = [...strip.querySelectorAll('.phrase, .path-name, .path-domain, .note')].filter(
          ({ textContent }) => textContent.trim() !== '',
        );
        const rangeOf = (text: Element) => {
          const range = document.createRange();
          range.selectNodeContents(text.querySelector('bdi') ?? text);
          return range.getBoundingClientRect();
        };
        return texts.flatMap((one, at) =>
          texts.slice(at + 1).flatMap((other) => {
            const [a, b] = [rangeOf(one), rangeOf(other)];
            const isApart =
              a.right <= b.x + 1 || b.right <= a.x + 1 || a.bottom <= b.y + 2 || b.bottom <= a.y + 2;
            return isApart ? [] : [`${one.textContent} / ${other.textContent}`];
          }),
        );
      }),
    );
    expect(overlaps).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a finding names the card of the plan that closes it, and leads to the card and the plan', async () => {
    const { open, settled, client } = running();
    const { data } = await client.call('ListAttackPathFindings', {
      query: { sort_by: ['urgency'], severity: 'eq:critical', limit: 20 },
    });
    const closed = data.find(({ repair }) => repair !== undefined)!;
    const { cards } = await client.plan({ limit: 50 });
    const card = cards[closed.repair! - 1]!;
    const { page, context, faults } = await open(WIDE);
    await page.goto(`/ui/finding/${closed.id}`);
    await settled(page);
    const remediation = page.getByRole('region', { name: 'Remediation' });
    const words = closed.closed_by!;
    await expect
      .poll(() => remediation.locator('.standing').textContent())
      .toContain(words.charAt(0).toUpperCase() + words.slice(1));
    await expect
      .poll(() => remediation.getByRole('link', { name: 'the plan' }).getAttribute('href'))
      .toMatch(/\/ui\/fix$/);
    await remediation.getByRole('link', { name: `card ${closed.repair}`, exact: true }).click();
    await page.waitForURL((url) => url.pathname === `/ui/fix/${encodeURIComponent(card.key)}`);
    await page.locator('article.repair .rank', { hasText: `${closed.repair}` }).waitFor();
    await visit(page, '/ui/findings');
    await settled(page);
    await page
      .getByRole('link', { name: `Card ${closed.repair}`, exact: true })
      .first()
      .click();
    await page.waitForURL((url) => url.pathname === `/ui/fix/${encodeURIComponent(card.key)}`);
    // The number refers to the stored plan of Tier Zero: another environment, zone or goal has other cards.
    const env = (await client.call('GetAvailableDomains')).data[0]!.id;
    for (const chosen of sampledCases([`env=${env}`, 'zone=5', 'goal=20'], 3)) {
      await visit(page, `/ui/fix/${closed.repair}?${chosen}&tab=verify`);
      await page.waitForURL(
        (url) => url.search === '?tab=verify&zone=1' || url.search === '?zone=1&tab=verify',
      );
      expect(new URL(page.url()).pathname).toBe(`/ui/fix/${encodeURIComponent(card.key)}`);
      await page.locator('article.repair .rank', { hasText: `${closed.repair}` }).waitFor();
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('design 4.2: a repair says how it is applied, verified and rolled back, below its effect in large numbers', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 12 });
    const { page, context, faults } = await open(WIDE);
    const seen = new Set<string>();
    for (const card of cards.slice(0, 4)) {
      await visit(page, `/ui/fix/${encodeURIComponent(card.key)}`);
      await settled(page);
      const size = await page
        .locator('.fall .to strong')
        .evaluate((number) => getComputedStyle(number).fontSize);
      expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(32);
      const tabs = page.getByRole('group', { name: 'Part of the work' });
      const work = page.locator('.repair-work');
      await expect.poll(() => work.count()).toBe(card.packages.length);
      const { fix, check, references } = card.packages[0]!;
      await expect.poll(() => work.first().textContent()).toContain(fix.split('@')[0]);
      await tabs.getByRole('button', { name: 'Verify' }).click();
      await page.waitForURL(/tab=verify/);
      await expect.poll(() => work.first().textContent()).toContain(check.split('@')[0]);
      await tabs.getByRole('button', { name: 'Roll back' }).click();
      const { data } = await client.call('GetChangeKit', { body: { repairs: references } });
      const hasScript = data.changes.some(({ script }) => script !== null);
      seen.add(hasScript ? 'script' : 'by hand');
      await work
        .first()
        .getByText(hasScript ? /-Mode Undo(?:$|[; ])/ : /so that you can restore them/)
        .first()
        .waitFor();
    }
    expect([...seen].sort()).toEqual(['by hand', 'script']);
    await visit(page, '/ui/fix/1?tab=verify');
    await page.waitForURL((url) => !/\/1$/.test(url.pathname) && url.searchParams.get('tab') === 'verify');
    await page.getByRole('button', { name: 'Verify', pressed: true }).waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('only the first plan of Tier Zero is the first result of all, and a fault promises nothing', async () => {
    const { open, client } = running();
    const env = (await client.call('GetAvailableDomains')).data[0]!.id;
    const { page, context, faults } = await open(WIDE);
    let fault: string | null = null;
    // The sample already has a plan, so the answer is composed here.
    await page.route(/\/api\/v2\/plan\?/, (route) =>
      route.fulfill({
        ...{ status: 202, headers: { 'retry-after': '1' } },
        json: {
          data: {
            ...{ generation: 1, published_at: '2026-11-29T10:00:00Z', started_at: null },
            ...{ card_count: 0, exposed_count: null, fault },
          },
        },
      }),
    );
    const first = page.getByRole('region', { name: 'Your first results' });
    await page.goto('/ui/fix');
    await first.getByText(/will appear here automatically/).waitFor();
    const others = [
      `/ui/fix?env=${env}`,
      `/ui/fix/a-key?env=${env}`,
      '/ui/fix/a-key?zone=5',
      '/ui/fix?zone=5',
    ];
    // A run examines one page of all cards, and one of a card.
    for (const address of sampledCases(others, 2)) {
      await visit(page, address);
      await page.getByRole('status').getByText('The plan is being created', { exact: true }).waitFor();
      expect(await first.count()).toBe(0);
      const words = await page.locator('.empty').textContent();
      expect(words!.includes('Tier Zero')).toBe(!address.includes('zone=5'));
    }
    fault = 'the plan takes more memory than there is';
    await page.goto('/ui/fix');
    await first.getByText(/The plan will be retried/).waitFor();
    await visit(page, `/ui/fix?env=${env}`);
    await page.getByRole('status').getByText('The plan could not be created', { exact: true }).waitFor();
    expect(await page.getByText(/automatically/).count()).toBe(0);
    expect(await faultsOfState(page)).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the page of a single change offers its script to copy only if it has one, and a list offers none', async () => {
    const { open, settled, client } = running();
    const single = (await client.plan({ limit: 50 })).cards.filter(
      ({ packages: [one, ...more] }) =>
        more.length === 0 && one !== undefined && one.change_count === 1 && one.references.length === 1,
    );
    const { page, context, faults } = await open(WIDE);
    const copies = page.getByRole('button', { name: 'Copy script' });
    await page.goto('/ui/fix');
    await settled(page);
    expect(await copies.count()).toBe(0);
    const seen = new Set<boolean>();
    for (const { key, packages } of single) {
      const body = { repairs: packages.flatMap(({ references }) => references) };
      const hasScript = (await client.call('GetChangeKit', { body })).data.changes[0]?.script != null;
      if (seen.has(hasScript)) continue;
      seen.add(hasScript);
      await visit(page, `/ui/fix/${encodeURIComponent(key)}`);
      await page.locator('.repair-work').first().waitFor();
      await settled(page);
      expect([key, await copies.count()]).toEqual([key, hasScript ? 1 : 0]);
    }
    expect(seen).toEqual(new Set([false, true]));
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a finding that no repair closes has a script for an account setting, and otherwise steps with the reason', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open(WIDE);
    const seen = new Set<string>();
    // A run examines one setting of an account, and one other type.
    for (const type of [
      ...sampledCases(['PasswordNeverExpires', 'T0MarkSensitive', 'StaleUsers'], 3),
      ...sampledCases(['Kerberoasting', 'ComputersWithoutLAPS'], 2),
    ]) {
      const query = { finding: `eq:${type}`, limit: 1 };
      const [found] = (await client.call('ListAttackPathFindings', { query } as never)).data as {
        readonly id: number;
      }[];
      if (found === undefined) continue;
      const params = { finding_id: found.id };
      const [change] = (await client.call('GetFindingKit', { params })).data.changes;
      await visit(page, `/ui/finding/${found.id}`);
      await settled(page);
      await page.getByRole('button', { name: 'Download change kit' }).waitFor();
      expect([type, await page.getByRole('button', { name: 'Copy script' }).count()]).toEqual([
        type,
        change?.script === null ? 0 : 1,
      ]);
      if (change?.script === null) await page.getByText(`There is no script: ${change.why}`).waitFor();
      seen.add(change?.script === null ? 'steps' : 'script');
    }
    expect(seen).toEqual(new Set(['script', 'steps']));
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a tab of the work without a script says why, and mentions a kit only where there is one', async () => {
    const { open, settled, client } = running();
    const { cards } = await client.plan({ limit: 50 });
    const card = cards.find(({ packages }) =>
      packages.every((one) => one.change_count === one.references.length),
    )!;
    const address = `/ui/fix/${encodeURIComponent(card.key)}?tab=rollback`;
    const { page, context, faults } = await open({ ...WIDE, expected: [403] });
    const work = page.locator('.repair-work').first();
    const kit = page.getByRole('button', { name: 'Download change kit' });
    const refused = async () => {
      await page.route('**/api/v2/plan/kit', (route) =>
        route.fulfill({ status: 403, json: { http_status: 403, errors: [{ message: 'forbidden' }] } }),
      );
      await page.goto(address);
      await work.getByText(/can't see the script/).waitFor();
    };
    const changed = async () => {
      await page.route('**/api/v2/plan/kit', async (route) => {
        const response = await route.fetch();
        const { data } = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { data: { ...data, changes: [] } } });
      });
      await page.goto(address);
      await work.getByText(/no longer the changes of the latest analysis/).waitFor();
    };
    const masked = async () => {
      await page.evaluate(() => sessionStorage.setItem('clew.masked', 'yes'));
      await page.goto(address);
      await settled(page);
      await work.getByText(/^There is no script here: names are masked/).waitFor();
      await work.getByText(/so that you can restore them/).waitFor();
      expect(await kit.count()).toBe(0);
      expect(await page.getByText(/change kit below/).count()).toBe(0);
      await page.evaluate(() => sessionStorage.removeItem('clew.masked'));
    };
    // A card that names only some of its changes has no kit, and its texts do not mention one.
    const partial = async () => {
      await page.route(/\/api\/v2\/plan\?/, async (route) => {
        const response = await route.fetch();
        const json = (await response.json()) as {
          data: { cards: { packages: { change_count: number }[] }[] };
        };
        for (const one of json.data.cards) for (const part of one.packages) part.change_count += 200;
        await route.fulfill({ response, json });
      });
      await page.goto(address);
      await work.getByText(/so there is no change kit for all of them/).waitFor();
      expect(await kit.count()).toBe(0);
      expect(await page.getByText(/change kit below/).count()).toBe(0);
    };
    // A run examines every second reason.
    for (const expectReason of sampledCases([refused, changed, masked, partial], 2)) {
      await expectReason();
      await page.unrouteAll();
    }
    expect(faults).toEqual([]);
    await context.close();
  });
}
