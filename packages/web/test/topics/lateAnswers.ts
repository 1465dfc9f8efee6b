/** Dialogs with late answers, and conditional fields, in a real browser: the page sends nothing that it has not loaded. */

import type { PlanRecord } from '@clew/api';
import { sampledCases } from '@clew/common/testing';
import { counted, EDGE_CATEGORIES } from '@clew/model';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { holdTimers, type RunningWeb, signIn, visit } from '../browser.ts';

/**
 * Delays the answers to an address. @param isRefused whether the service then answers that it is busy @returns a function that
 * releases the answers
 */
async function hold(page: Page, address: RegExp, isRefused = false): Promise<() => Promise<void>> {
  let go = (): void => {};
  const waits = new Promise<void>((resolve) => {
    go = resolve;
  });
  await page.route(address, async (route) => {
    await waits;
    if (!isRefused) return route.continue();
    const errors = [{ context: '', message: 'The service is busy' }];
    await route.fulfill({ status: 409, json: { http_status: 409, errors } });
  });
  return async () => go();
}

/** @param running to be called only inside tests */
export function testLateAnswers(running: () => RunningWeb): void {
  test('a user of a provider stays one while the list of providers is late', async () => {
    const { open, settled, client } = running();
    const { roles } = (await client.call('ListRoles')).data;
    const reader = roles.find(({ name }) => name === 'Read-Only')!.id;
    await client.call('CreateOIDCProvider', {
      body: {
        ...{ name: 'Late', issuer: 'https://login.example', client_id: 'clew' },
        config: { auto_provision: { enabled: false, default_role_id: reader, role_provision: false } },
      },
    });
    const { data: providers } = await client.call('ListAuthProviders');
    const provider = providers.find(({ name }) => name === 'Late')!;
    const { data: user } = await client.call('CreateUser', {
      body: { principal: 'late.user', sso_provider_id: provider.id, roles: [reader] },
    });
    const { page, context, faults } = await open();
    const go = await hold(page, /\/api\/v2\/sso-providers/);
    await page.goto('/ui/admin');
    await settled(page);
    await page
      .getByRole('row')
      .filter({ hasText: 'late.user' })
      .getByRole('button', { name: /^Change/ })
      .click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save user' });
    const signsIn = dialog.getByLabel('Signs in with');
    expect(await signsIn.inputValue()).toBe(String(provider.id));
    expect(await save.isDisabled()).toBe(true);
    expect(await dialog.getByLabel(/^New password/).count()).toBe(0);
    await go();
    await expect.poll(() => save.isDisabled()).toBe(false);
    expect(await signsIn.locator('option:checked').textContent()).toBe('Late');
    await dialog.getByLabel('First name').fill('Lena');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    const { users } = (await client.call('ListUsers')).data;
    expect(users.find(({ id }) => id === user.id)).toMatchObject({
      ...{ first_name: 'Lena', sso_provider_id: provider.id },
    });
    await client.call('DeleteUser', { params: { user_id: user.id } });
    await client.call('DeleteSSOProvider', { params: { sso_provider_id: provider.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('sharing a query keeps users whom the list does not name, and waits for the list', async () => {
    const { open, settled, client } = running();
    const { roles } = (await client.call('ListRoles')).data;
    const { data: user } = await client.call('CreateUser', {
      body: {
        ...{ principal: 'late.reader', secret: 'one more horse staple' },
        roles: [roles.find(({ name }) => name === 'Read-Only')!.id],
      },
    });
    const { data: query } = await client.call('CreateSavedQuery', {
      body: { name: 'Late query', query: 'MATCH (u:User) RETURN u LIMIT 2' },
    });
    const params = { saved_query_id: query.id };
    await client.call('ShareSavedQuery', { params, body: { user_ids: [user.id] } });
    const seenBy = async () =>
      (await client.call('GetSavedQueryPermissions', { params })).data.shared_to_user_ids;
    const { page, context, faults } = await open();
    const go = await hold(page, /\/api\/v2\/bloodhound-users-assignable/);
    await page.goto('/ui/explore?mode=query');
    await settled(page);
    const share = page
      .getByRole('listitem')
      .filter({ hasText: 'Late query' })
      .getByRole('button', { name: 'Share…' });
    await share.click();
    const dialog = page.getByRole('dialog', { name: 'Share the query' });
    await dialog.waitFor();
    const send = dialog.getByRole('button', { name: /^(?:Share|Stop sharing)$/ });
    expect(await send.count()).toBe(0);
    await go();
    await send.waitFor();
    expect(await dialog.getByRole('checkbox', { name: 'late.reader' }).isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    // The list of users may omit users with whom the query is shared.
    await page.unrouteAll();
    await page.route(/\/api\/v2\/bloodhound-users-assignable/, (route) =>
      route.fulfill({ json: { data: [] } }),
    );
    await page.reload();
    await share.click();
    expect(await dialog.getByRole('checkbox', { name: `User ${user.id}` }).isChecked()).toBe(true);
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    expect(await seenBy()).toEqual([user.id]);
    await client.call('DeleteSavedQuery', { params });
    await client.call('DeleteUser', { params: { user_id: user.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a query of a masked page is saved with the ids that the service knows', async () => {
    const { open, settled, client } = running();
    const [group] = await client.search('AUTHENTICATED USERS', { kind: 'Group' });
    const environments = (await client.call('GetAvailableDomains')).data;
    const domain = environments.find(({ name }) => group!.objectid.startsWith(`${name.toUpperCase()}-S-1-`))!;
    const queryOf = (id: string): string => `MATCH (n) WHERE n.objectid = '${id}' RETURN n`;
    const { page, context, faults } = await open({ expected: [404] });
    await page.goto('/ui/explore?mode=query');
    await settled(page);
    await page.keyboard.press('m');
    await page.getByText('Names are masked.').waitFor();
    await visit(
      page,
      `/ui/explore?${new URLSearchParams({ mode: 'query', q: queryOf(`${domain.id}~S-1-5-11`) })}`,
    );
    await settled(page);
    await page.getByRole('button', { name: 'Save…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Save the query' });
    await dialog.getByLabel('Name', { exact: true }).fill('Masked query');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data: saved } = await client.call('ListSavedQueries', { query: {} });
    const query = saved.find(({ name }) => name === 'Masked query')!;
    expect(query.query).toBe(queryOf(group!.objectid));
    await client.call('DeleteSavedQuery', { params: { saved_query_id: query.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a field that is hidden and shown again has what was typed, and counts at once', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=zones&tag=1');
    await settled(page);
    await page.getByRole('button', { name: 'New selector…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('Backup');
    await dialog.getByLabel('Results of a query').check();
    const query = dialog.getByLabel(/^Cypher query that returns objects/);
    await query.fill('MATCH (g:Group) RETURN g');
    await dialog.getByLabel('Objects by name').check();
    await query.waitFor({ state: 'detached' });
    expect(await dialog.getByRole('button', { name: 'Create selector' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Results of a query').check();
    expect(await query.inputValue()).toBe('MATCH (g:Group) RETURN g');
    expect(await dialog.getByRole('button', { name: 'Create selector' }).isDisabled()).toBe(false);
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Backup');
    await page.keyboard.press('Escape');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('names that are changed while they are looked up are looked up again', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/explore?mode=path');
    await settled(page);
    await page.getByRole('combobox', { name: 'From a set' }).selectOption('paste');
    const dialog = page.getByRole('dialog', { name: 'Paste names' });
    const go = await hold(page, /\/api\/v2\/graphs\/cypher/);
    await dialog.getByRole('textbox').fill('no such object');
    await dialog.getByRole('button', { name: 'Look up' }).click();
    await dialog.getByRole('button', { name: 'Looking up…' }).waitFor();
    await dialog.getByRole('textbox').fill('another object');
    await go();
    await dialog.getByRole('button', { name: 'Look up' }).click();
    await dialog.getByText('1 name is not known').waitFor();
    expect(await dialog.locator('.paste-outcome').textContent()).toContain('another object');
    expect(faults).toEqual([]);
    await context.close();
  });

  test('every filtered list without rows names the filter that excludes them, and clears all filters', async () => {
    const { open, settled, client } = running();
    await client.call('CreateAssetGroupTag', { body: { name: 'Filtered', type: 1 } });
    const { count: critical } = await client.call('ListAttackPathFindings', {
      query: { severity: 'eq:critical', limit: 1 },
    });
    const { environments } = (await client.call('GetPostureSummary', { query: {} })).data;
    const [admins] = (await client.call('Search', { query: { q: 'domain admins', type: 'Group' } })).data;
    const [ada] = (await client.call('Search', { query: { q: 'ada.abel', type: 'User' } })).data;
    const excluding = (categories: readonly string[]) =>
      categories.map((category) => `&without=${category}`).join('');
    const categories = Object.keys(EDGE_CATEGORIES);
    const without = (words: string, count: string) =>
      `“${words}” excludes everything: without this filter, the list has ${count}.`;
    const finding = without('Text contains ‘no such’', counted(critical, 'finding'));
    // Nothing can reach this environment: that is a result, and no empty list.
    let safe: (typeof environments)[number] | undefined;
    // Plans take seconds, and most environments without exposure have no repairs.
    const { before } = await client.plan({ limit: 1 });
    const exposedIn = (id: string): number =>
      before.find(({ environment_id }) => environment_id === id)?.exposed_count ?? 0;
    const ordered = environments.toReversed();
    ordered.sort((one, other) => exposedIn(one.environment_id) - exposedIn(other.environment_id));
    for (const one of ordered) {
      const plan = await client.plan({ environment: one.environment_id, limit: 1 });
      if (plan.card_count !== 0) continue;
      safe = one;
      break;
    }
    if (safe === undefined) throw new Error('the sample has no environment without repairs');
    /** The address, the rows, and the sentence; the service adds entries of its own to some lists. */
    const lists: readonly (readonly [path: string, noun: string, sentence: string | RegExp])[] = [
      ...['findings', 'type', 'cause', 'object', 'repair'].map(
        (view) => [`findings?view=${view}&severity=critical&text=no+such`, 'finding', finding] as const,
      ),
      [
        'changes?since=2020-01-01&kind=verified',
        'row',
        /^“Group: Verified” excludes everything: .* \d+ rows?\.$/,
      ],
      ['changes?since=2020-01-01&kind=other', 'row', /^“Group: other” excludes everything: .* \d+ rows?\.$/],
      ['admin?view=audit&actor=no+one', 'entry', /^“Who: no one” excludes everything: .* [\d,]+ entries\.$/],
      ['admin?view=zones&who=no+one', 'change', /^“Who: no one” excludes everything: .* \d+ changes?\.$/],
      ['admin?view=certification&state=1&tag=1', 'member', /“State: revoked”/],
      [
        'data?env=S-1-0',
        'environment',
        without('Environment: S-1-0', counted(environments.length, 'environment')),
      ],
      [
        `explore?object=${admins.objectid}${excluding(categories)}`,
        'relationship',
        /“No .*” excludes everything: .* relationships?\./,
      ],
      [
        // Trusts remain.
        `explore?mode=path&from=${ada.objectid}&to=${admins.objectid}${excluding(categories.slice(0, 5))}`,
        'path',
        /^The list has these filters: “No /,
      ],
    ];
    const { page, context, faults } = await open({
      viewport: { width: 1440, height: 900 },
      // There is no such path.
      expected: [404],
    });
    // A run examines every fourth list.
    for (const [path, noun, sentence] of sampledCases(lists, 4)) {
      await visit(page, `/ui/${path}`);
      await settled(page);
      const part = page.locator('main .empty');
      await part.getByText(`No ${noun} matches the filters`, { exact: true }).waitFor();
      // The counts follow.
      const text = () => part.locator('p').first().textContent();
      if (typeof sentence === 'string') await expect.poll(text, { message: path }).toBe(sentence);
      else await expect.poll(text, { message: path }).toMatch(sentence);
      expect(await page.locator('main .empty').count(), path).toBe(1);
      await part.getByRole('button', { name: 'Clear all filters' }).click();
      await part.getByText('matches the filters').waitFor({ state: 'detached' });
      const left = [...new URL(page.url()).searchParams.keys()];
      const filters = ['severity', 'text', 'kind', 'actor', 'who', 'state', 'tag', 'env', 'without'];
      expect(
        left.filter((name) => filters.includes(name)),
        path,
      ).toEqual([]);
    }
    await visit(page, `/ui/fix?env=${safe.environment_id}`);
    await page.getByText('Nothing can reach the zone', { exact: true }).waitFor();
    await expectPlanOutOfCards(page, await client.plan({ limit: 1 }));
    // The search of the query library is not in the address.
    await visit(page, '/ui/explore?mode=query');
    await settled(page);
    const library = page.getByRole('region', { name: 'Query library' });
    await library.getByLabel('Search the library').fill('no such query');
    await library.getByText('No query matches the filters').waitFor();
    await library.getByText(/^“Search: no such query” excludes everything: .* \d+ queries\.$/).waitFor();
    await library.getByRole('button', { name: 'Clear all filters' }).click();
    await library.getByText('No query matches the filters').waitFor({ state: 'detached' });
    expect(await library.getByRole('group').count()).toBeGreaterThan(1);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('empty lists name the filters that leave all out, and offer only what the user may do', async () => {
    const { url, browser, open, settled, client } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=certification&state=1');
    await settled(page);
    await page.getByText('No member matches the filters').waitFor();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL((to) => !to.searchParams.has('state'));
    const { data: zone } = await client.call('CreateAssetGroupTag', { body: { name: 'Bare', type: 1 } });
    const members = `/ui/admin?view=zones&tag=${zone.id}`;
    await visit(page, members);
    const upload = (of: Page) => of.locator('.empty').getByRole('link', { name: 'Upload a collection' });
    await upload(page).waitFor();
    const { roles } = (await client.call('ListRoles')).data;
    const secret = 'one more horse staple';
    const { data: user } = await client.call('CreateUser', {
      body: {
        ...{ principal: 'bare.reader', secret, needs_password_reset: false },
        roles: [roles.find(({ name }) => name === 'Read-Only')!.id],
      },
    });
    const other = await browser.newContext({ baseURL: url });
    const reader = await other.newPage();
    await reader.goto(members);
    await signIn(reader, 'bare.reader', secret);
    await reader.getByText('It has no members').waitFor();
    expect(await upload(reader).count()).toBe(0);
    await other.close();
    await client.call('DeleteUser', { params: { user_id: user.id } });
    await client.call('DeleteAssetGroupTag', { params: { asset_group_tag_id: zone.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('the steps until the first repair are announced one by one, without their seconds', async () => {
    const { open } = running();
    const { page, context, faults } = await open();
    const started = new Date(Date.now() - 5000).toISOString();
    const data = { generation: 1, published_at: started, started_at: started, card_count: 0 };
    await page.route(/\/api\/v2\/plan(?:\?|$)/, (route) =>
      route.fulfill({ status: 202, json: { data: { ...data, exposed_count: null, fault: null } } }),
    );
    await page.goto('/ui/fix');
    const results = page.getByRole('region', { name: 'Your first results' });
    await results.waitFor();
    const planning = results.getByRole('list').first().getByRole('listitem').last();
    const before = await planning.textContent();
    await expect.poll(() => planning.textContent()).not.toBe(before);
    expect(await results.getByRole('status').allTextContents()).toEqual(['Step 3 of 3: Planning']);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('a late success of a closed dialog neither closes the next one nor loses its secret unsaid', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open();
    const toasts = page.getByRole('status', { name: 'Notices' });
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name', { exact: true });
    /** Sends a form while its answer is held, closes it, and types into the next. */
    const closeDuring = async (address: RegExp, opener: string, send: string) => {
      const go = await hold(page, address);
      const sent = page.waitForRequest(address);
      const click = async () => {
        const button = page.getByRole('button', { name: opener }).first();
        if (!(await button.isVisible())) await page.locator('summary', { hasText: 'Views' }).click();
        await button.click();
      };
      await click();
      await name.fill('First');
      await dialog.getByRole('button', { name: send, exact: true }).click();
      await sent;
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      await click();
      await name.fill('Second');
      await go();
    };
    await page.goto('/ui/findings');
    await settled(page);
    await closeDuring(/\/api\/v2\/views$/, 'Save this view…', 'Save');
    await toasts.getByText('The view First is saved').waitFor();
    expect(await name.inputValue()).toBe('Second');
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await visit(page, '/ui/profile');
    await settled(page);
    await closeDuring(/\/api\/v2\/tokens$/, 'Create API token…', 'Create token');
    await toasts.getByText('its key could not be shown').waitFor();
    expect(await name.inputValue()).toBe('Second');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(faults).toEqual([]);
    await context.close();
    const { tokens } = (await client.call('ListAuthTokens')).data;
    for (const one of tokens.filter((token) => token.name === 'First'))
      await client.call('DeleteAuthToken', { params: { token_id: one.id } });
    const { data: views } = await client.call('ListViews', { query: { page: 'findings' } });
    for (const one of views.filter((view) => view.name === 'First'))
      await client.call('DeleteView', { params: { view_id: one.id } });
  });

  test('a change of a finding is reported, with its undo or its error, when its cell or dialog is no longer shown', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({
      ...{ viewport: { width: 1440, height: 900 }, expected: [409] },
    });
    await holdTimers(page);
    const toasts = page.getByRole('status', { name: 'Notices' });
    const row = page.locator('tbody tr').first();
    const read = async (id: number) =>
      (
        await client.call('ListAttackPathFindings', { query: { limit: 100, sort_by: ['urgency'] } })
      ).data.find((one) => one.id === id);
    await page.goto('/ui/findings?sort=urgency');
    await settled(page);
    const href = await row.getByRole('link').first().getAttribute('href');
    const id = Number(/finding\/(\d+)/.exec(href!)![1]);
    /** Acts while the answers to an address are delayed, and leaves the page before they arrive. */
    const leaveDuring = async (address: RegExp, act: () => Promise<void>, isRefused = false) => {
      await page.goto('/ui/findings?sort=urgency');
      await settled(page);
      const go = await hold(page, address, isRefused);
      const sent = page.waitForRequest(address);
      await act();
      await sent;
      await visit(page, '/ui/data');
      await page.getByRole('heading', { level: 1, name: 'Data' }).waitFor();
      await go();
    };
    const ASSIGN = /\/api\/v2\/attack-paths\/owner/;
    const assign = async () => {
      await row.getByRole('button', { name: 'No owner' }).press('Enter');
      await row.getByRole('combobox', { name: 'Owner' }).selectOption({ label: 'admin (you)' });
      await row.getByRole('combobox', { name: 'Owner' }).press('Enter');
    };
    const ACCEPT = /\/api\/v2\/attack-paths\/acceptance/;
    const accept = async () => {
      await row.getByRole('button', { name: 'Open', exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('Until the server is replaced');
      await dialog.getByRole('button', { name: 'Accept', exact: true }).click();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    const answers = {
      'a refused assignment': async () => {
        await leaveDuring(ASSIGN, assign, true);
        await toasts.getByText('The service is busy').waitFor();
        await page.unroute(ASSIGN);
      },
      'a late assignment': async () => {
        await leaveDuring(ASSIGN, assign);
        await toasts.getByText('Assigned to admin').waitFor();
        expect((await read(id))?.owner_name).toBe('admin');
        await toasts.getByRole('button', { name: 'Undo' }).click();
        await expect.poll(async () => (await read(id))?.owner_name).toBeNull();
        await page.unroute(ASSIGN);
      },
      'a late acceptance': async () => {
        await leaveDuring(ACCEPT, accept);
        const accepted = toasts.locator('.toast', { hasText: '1 finding accepted' });
        await accepted.getByRole('button', { name: 'Undo' }).click();
        await toasts.getByText('Undone').first().waitFor();
        expect((await read(id))?.status).toBe('active');
        await page.unroute(ACCEPT);
      },
      'a refused acceptance': async () => {
        await leaveDuring(ACCEPT, accept, true);
        await toasts.getByText('The service is busy').waitFor();
        await page.unroute(ACCEPT);
      },
    };
    // A run examines a refusal of one and a success of the other.
    for (const answered of sampledCases(Object.values(answers), 2)) await answered();

    // The page of a finding has no other place for the error.
    const params = { attack_path_id: id };
    const risk_type = (await read(id))!.finding;
    await client.call('UpdateAttackPathRisk', { params, body: { risk_type, accepted: true } });
    await visit(page, `/ui/finding/${id}`);
    const REOPEN = /\/api\/v2\/attack-paths\/\d+\/acceptance/;
    await (await hold(page, REOPEN, true))();
    await page.getByRole('button', { name: 'Reopen', exact: true }).click();
    await toasts.getByText('The service is busy').waitFor();
    await client.call('UpdateAttackPathRisk', { params, body: { risk_type, accepted: false } });
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** No goal excludes all cards of the sample, so the answer for one goal is composed here. @param plan for the default goal */
async function expectPlanOutOfCards(page: Page, plan: PlanRecord): Promise<void> {
  const text = 'No further change lowers the exposure.';
  await page.route('**/api/v2/plan?*goal=0.2*', (route) =>
    route.fulfill({
      json: {
        data: {
          ...{ ...plan, goal: 0.2, cards: [], card_count: 0, outline: [], left: null, computing: null },
          end: { reason: 'no-gain', text },
        },
      },
    }),
  );
  await visit(page, '/ui/fix?goal=20');
  const part = page.locator('main .empty');
  await part.getByText('No card matches the filters', { exact: true }).waitFor();
  await expect
    .poll(() => part.locator('p').first().textContent())
    .toBe(
      `“Goal: 20%” excludes everything: without this filter, the list has ${counted(plan.card_count, 'card')}.`,
    );
  // The reason of the plan is there too.
  await part.getByText(text).waitFor();
  await part.getByRole('button', { name: 'Clear all filters' }).click();
  await page.waitForURL((to) => !to.searchParams.has('goal'));
  await page.locator('article.repair').first().waitFor();
  expect(await part.count()).toBe(0);
  await page.unrouteAll();
}
