/** Pages hide real names while they are masked, and objects of environments that a user may not see. */
import { ClewClient } from '@clew/client';
import { sampledCases } from '@clew/common/testing';
import { reachSentence } from '@clew/model';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage, type RunningWeb, signIn, visit } from '../browser.ts';
import { textOf } from './points.ts';

/** @param running to be called only inside tests */
export function testHidden(running: () => RunningWeb): void {
  test('fault 9: masked names leak nowhere', async () => {
    const { open, settled, client } = running();
    const admins = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const id = admins.find(({ name }) => name.startsWith('DOMAIN ADMINS@'))!.objectid;
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const findings = await client.call('ListAttackPathFindings', {
      query: { limit: 1, severity: 'eq:critical', finding: undefined },
    });
    const environments = (await client.call('GetAvailableDomains')).data;
    // Texts that must not be visible: domains, and names that exist only in this directory.
    const real = new RegExp(
      [...environments.map(({ name }) => name.replaceAll('.', '\\.')), 'ada\\.abel', '\\bABEL\\b'].join('|'),
      'i',
    );
    // The owner chooses the name of a drawing; only the drawing names its missing objects.
    const drawn = (object_id: string, name: string, x: number) => ({
      ...{ object_id, name, kind: 'User', x, y: 0, pinned: false },
    });
    const kept = await client.call('CreateDrawing', {
      body: {
        ...{ name: 'Paths of Ada Abel', description: 'ADA.ABEL to the admins', address: '' },
        objects: [
          drawn(user!.objectid, user!.name, 0),
          drawn(id, 'DOMAIN ADMINS', 300),
          drawn('S-1-5-21-7-7-7-1', `FORMER ABEL@${environments[0]!.name}`, 600),
        ],
        relationships: [{ source: 2, kind: 'MemberOf', target: 1 }],
      },
    });
    const drawing = `/ui/explore?drawing=${kept.data.id}`;
    const { page, context, faults } = await open();
    await page.goto('/ui/fix');
    await settled(page);
    await page.keyboard.press('m');
    await page.getByText('Names are masked.').waitFor();
    // The id of this group contains the name of its domain: the address contains a key instead, which also works in other
    // sessions.
    const [group] = await client.search('AUTHENTICATED USERS', { kind: 'Group' });
    const everyone = group!.objectid;
    expect(everyone).toMatch(real);
    await visit(page, `/ui/explore?${new URLSearchParams({ object: everyone, selected: everyone })}`);
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/object=S-1-5-21-[\d-]+~S-1-5-11&/);
    const link = page.url();
    const other = await open({ isAlone: true });
    await other.page.goto(link);
    await other.page.getByText('AUTHENTICATED USERS').first().waitFor();
    await other.context.close();
    const leaks: string[] = [];
    // A run examines every fourth page.
    const paths = [
      '/ui/fix',
      '/ui/findings',
      '/ui/findings?view=cause',
      '/ui/findings?view=object',
      `/ui/finding/${findings.data[0]!.id}`,
      `/ui/explore?object=${id}&selected=${id}`,
      `/ui/explore?mode=path&from=${user!.objectid}&to=${id}`,
      `/ui/explore?mode=path&from=${user!.objectid}&to=${id}&show=table`,
      '/ui/explore?mode=query&q=MATCH%20(u%3AUser)%20RETURN%20u.name%2C%20u%20LIMIT%205&show=table',
      '/ui/explore',
      `/ui/explore?${new URLSearchParams({ object: everyone, selected: everyone })}`,
      drawing,
      `${drawing}&show=table`,
      `${drawing}&selected=${user!.objectid}`,
      '/ui/posture',
      '/ui/posture?view=trend',
      '/ui/posture?view=choke',
      '/ui/what-if',
      '/ui/data',
      '/ui/data?view=uploads',
      '/ui/admin?view=zones',
      '/ui/reports?for=operations',
    ];
    for (const path of sampledCases(paths, 4)) {
      await visit(page, path);
      await settled(page);
      await page.waitForLoadState('networkidle');
      const seen = await page.evaluate(() => {
        const texts: string[] = [document.title];
        const walk = (node: Node): void => {
          if (node instanceof Text) texts.push(node.data);
          if (node instanceof Element) {
            for (const { value } of node.attributes) {
              texts.push(value);
              // Links are percent-encoded.
              if (value.includes('%')) texts.push(...new URLSearchParams(value.split('?')[1]).values());
            }
            if (node instanceof HTMLInputElement) texts.push(node.value);
          }
          for (const child of node.childNodes) walk(child);
        };
        walk(document.documentElement);
        texts.push(location.pathname, ...new URLSearchParams(location.search).values());
        texts.push(JSON.stringify(history.state));
        return texts.filter((text) => text.trim() !== '');
      });
      // The user typed the text of the query.
      for (const text of seen) if (real.test(text)) leaks.push(`${path}: ${text.slice(0, 120)}`);
    }
    expect(leaks).toEqual([]);
    // A file of the page contains no names either; they stay masked after a reload.
    await page.goto(`/ui/explore?mode=path&from=${user!.objectid}&to=${id}`);
    await settled(page);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByLabel('Export').selectOption('csv'),
    ]);
    expect(await textOf(file)).not.toMatch(real);
    await visit(page, '/ui/fix');
    await settled(page);
    const [plan] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON', exact: true }).click(),
    ]);
    const saved = await textOf(plan);
    expect(saved).not.toMatch(real);
    expect(JSON.parse(saved)).toHaveProperty('cards');
    await visit(page, '/ui/reports?for=operations');
    await settled(page);
    await page
      .getByText(/can reach Tier Zero/)
      .first()
      .waitFor();
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download HTML' }).click(),
    ]);
    const html = await textOf(report);
    expect(html).not.toMatch(real);
    // One file: no scripts and no external resources.
    expect(html).not.toMatch(/<script|https?:|href=|src=/);
    expect(html).toMatch(/can reach Tier Zero/);
    await page.getByRole('button', { name: 'Show names' }).click();
    await page.getByText('Names are masked.').waitFor({ state: 'detached' });
    await visit(page, drawing);
    await page.getByRole('heading', { name: 'Paths of Ada Abel' }).waitFor();
    await client.call('DeleteDrawing', { params: { drawing_id: kept.data.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 10: a user of one environment meets no refusal, and sees no other in a shared drawing', async () => {
    const { browser, url, client, settled } = running();
    const roles = (await client.call('ListRoles')).data.roles;
    const role = roles.find(({ name }) => name === 'Read-Only')!;
    const query = "MATCH (g:Group) WHERE g.name STARTS WITH 'DOMAIN USERS@' RETURN g.objectid, g.name";
    const { rows = [] } = (await client.call('RunCypherQuery', { body: { query, rows: true } })).data;
    const groups = rows.map(([objectid, name]) => ({ objectid: String(objectid), name: String(name) }));
    const environment = (await client.call('GetAvailableDomains')).data.find(
      ({ id, collected }) => collected && groups.some(({ objectid }) => objectid.startsWith(id)),
    );
    await client.call('CreateUser', {
      body: {
        principal: 'limited',
        secret: 'one environment horse staple',
        roles: [role.id],
        all_environments: false,
        environment_targeted_access_control: { environments: [{ environment_id: environment!.id }] },
      },
    });
    const { page, context, faults } = await openPage(browser, url);
    await page.goto('/');
    await signIn(page, 'limited', 'one environment horse staple');
    await page.locator('summary', { hasText: 'limited' }).waitFor();
    // A run examines every third of the other pages.
    const others = [
      ...['/ui/findings', '/ui/posture', '/ui/posture?view=trend', '/ui/changes', '/ui/what-if'],
      ...['/ui/explore', '/ui/data'],
    ];
    for (const path of ['/ui/fix', '/ui/posture?view=choke', ...sampledCases(others, 3)]) {
      if (path !== '/ui/fix') await visit(page, path);
      await settled(page);
      expect([path, await page.getByText(/can't do this|no permission/i).count()]).toEqual([path, 0]);
      if (path === '/ui/fix' || path === '/ui/posture?view=choke')
        await expectWhatIsNotShown(page, {
          url,
          principal: 'limited',
          secret: 'one environment horse staple',
        });
    }
    const isInside = ({ objectid }: { readonly objectid: string }) => objectid.startsWith(environment!.id);
    const [own, foreign] = [groups.find(isInside)!, groups.find((group) => !isInside(group))!];
    const drawing = await client.call('CreateDrawing', {
      body: {
        ...{ name: 'Over a trust', shared: true, address: `object=${foreign.objectid}` },
        objects: [own, foreign].map(({ objectid, name }, at) => ({
          ...{ object_id: objectid, name, kind: 'Group', x: at * 300, y: 0, pinned: false },
        })),
        relationships: [{ source: 0, kind: 'MemberOf', target: 1 }],
      },
    });
    // The answer is read in transit, because browsers do not keep it long.
    let answer = '';
    await page.route(/\/drawings\/\d+$/, async (route) => {
      const response = await route.fetch();
      answer = await response.text();
      await route.fulfill({ response });
    });
    await visit(page, `/ui/explore?drawing=${drawing.data.id}&show=table`);
    await page.getByRole('region', { name: 'Saved drawing' }).getByText('Not shown: 1 object').waitFor();
    await page.getByRole('region', { name: 'Objects' }).getByText(own.name, { exact: true }).waitFor();
    expect(answer).toContain(own.objectid);
    const seen = `${answer} ${await page.content()}`;
    for (const text of [foreign.objectid, foreign.name]) expect(seen).not.toContain(text);
    expect(await page.getByRole('link', { name: 'Ask again' }).count()).toBe(0);
    await client.call('DeleteDrawing', { params: { drawing_id: drawing.data.id } });
    expect(faults).toEqual([]);
    await context.close();
  });
}

/**
 * Figures of an environment whose forest a user does not see as a whole are left out. The plan, its rail, and the choke points name the
 * environment and the reason instead, and never show 0.
 */
async function expectWhatIsNotShown(
  page: Page,
  { url, principal, secret }: { readonly url: string; readonly principal: string; readonly secret: string },
): Promise<void> {
  const client = new ClewClient({ url });
  await client.login(principal, secret);
  const plan = await client.plan({ limit: 50 });
  const points = (await client.call('GetChokePoints', { query: { asset_group_tag_id: 1, limit: 50 } })).data;
  const namesOf = (all: typeof plan.not_shown) => all.map(({ environment_name }) => environment_name);
  expect(plan.before).toEqual([]);
  expect(plan.not_shown.length).toBeGreaterThan(0);
  expect(namesOf(points.not_shown)).toEqual(namesOf(plan.not_shown));
  if (page.url().includes('view=choke')) {
    const lead = page.locator('main p.lead');
    expect(await lead.textContent()).toContain(
      reachSentence(points.exposed_count, namesOf(points.not_shown)),
    );
    expect(await page.getByText('No user or computer can reach the zone').count()).toBe(0);
    return;
  }
  // The cards without figures are shown, and the page has no exposure in large numbers.
  expect(plan.cards.length).toBeGreaterThan(0);
  await expect.poll(() => page.locator('article.repair').count()).toBe(Math.min(5, plan.cards.length));
  expect(await page.getByRole('region', { name: 'Exposure', exact: true }).count()).toBe(0);
  const rows = page.getByRole('region', { name: 'Exposure by environment' }).getByRole('listitem');
  expect(await rows.allTextContents()).toEqual(
    plan.not_shown.map(({ environment_name, reason }) => `${environment_name}${reason}`),
  );
  const rail = await page.getByRole('complementary', { name: 'Plan' }).innerText();
  expect(rail).toContain(plan.end.text);
}
