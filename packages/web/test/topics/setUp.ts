/** Data and Administration in a real browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampledCases } from '@clew/common/testing';
import { expect, test } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';

/** @param running to be called only inside tests */
export function testSetUp(running: () => RunningWeb): void {
  test('fault 20, data 2 and 3: names a broken file among good ones, and cancels a job', async () => {
    const { open, client } = running();
    const directory = await mkdtemp(join(tmpdir(), 'clew-files-'));
    const good = join(directory, 'users.json');
    const broken = join(directory, 'broken.zip');
    await writeFile(
      good,
      JSON.stringify({ data: [], meta: { type: 'users', version: 6, count: 0, methods: 0x7ffff } }),
    );
    await writeFile(broken, 'PK\u0003\u0004 and then no archive');
    const { page, context, faults } = await open({ expected: [400] });
    await page.goto('/ui/data?view=uploads');
    await page.getByLabel('Collections').setInputFiles([good, broken]);
    const upload = page.getByRole('region', { name: 'Upload', exact: true });
    await upload.getByText('Done').waitFor({ timeout: 100_000 });
    await upload
      .getByText(/Rejected|error/i)
      .first()
      .waitFor();
    await upload.getByText('broken.zip').first().waitFor();
    // A file that is not a collection is rejected once, with the reason, and without a completed job.
    const letter = join(directory, 'letter.zip');
    await writeFile(letter, 'Dear all');
    await page.getByLabel('Collections').setInputFiles([letter]);
    const rejected = page
      .getByRole('region', { name: 'Upload', exact: true })
      .filter({ hasText: 'letter.zip' });
    await rejected.getByText('Nothing was uploaded. Clew reads collections').waitFor();
    const said = await rejected.innerText();
    expect(said).not.toMatch(/complete|without errors/);
    expect(said.match(/not valid json/g)).toHaveLength(1);
    // Each directory read by Clew's own collector shows how it was read.
    await client.call('RecordDirectoryReading', {
      params: { environment_id: 'S-1-5-21-9-9-9' },
      body: {
        ...{ name: 'RIVERS.TEST', controller: 'dc1.rivers.test', usn: 48_213, account: 'reader@rivers.test' },
        is_full: true,
        notes: [{ what: 'lists that are hidden', count: 12, first: 'OU=Vault' }],
      },
    });
    await page.goto('/ui/data?view=environments');
    const readings = page.getByRole('table', { name: 'Readings of directories' });
    for (const text of ['RIVERS.TEST', 'dc1.rivers.test', '48,213', 'reader@rivers.test', '1 note'])
      await readings.getByText(text, { exact: true }).first().waitFor();
    await readings.getByText('1 note').click();
    await readings.getByText('lists that are hidden: 12, first OU=Vault').waitFor();
    // A client starts a job and never ends it.
    const { data: job } = await client.call('CreateFileUploadJob');
    await page.goto(`/ui/data?view=uploads&job=${job.id}`);
    const outcome = page.getByRole('region', { name: `Upload job ${job.id}` });
    await outcome.getByRole('button', { name: 'Cancel the job' }).click();
    await outcome.getByText('canceled').first().waitFor();
    // The key retries a failed job. This job did not fail, so the service refuses.
    await page.route('**/api/v2/file-upload?**', async (route) => {
      const answer = await (await route.fetch()).json();
      for (const one of answer.data) if (one.id === job.id) one.status = 5;
      await route.fulfill({ json: answer });
    });
    await page.reload();
    await outcome.getByRole('button', { name: 'Retry' }).waitFor();
    await page.keyboard.press('r');
    await outcome.getByRole('alert').waitFor();
    expect(faults).toEqual([]);
    await context.close();
    await rm(directory, { recursive: true, force: true });
  });

  test('today 2, data 1 and 4: says how fresh and complete each environment is, and how to collect what is missing', async () => {
    const { open, settled, client } = running();
    const { environments } = (await client.call('GetPostureSummary', { query: {} })).data;
    // The clock of a page is that of its whole context.
    const { page, context, faults } = await open({ isAlone: true });
    await page.goto('/ui/data');
    await settled(page);
    const table = page.getByRole('region', { name: 'Environments, table' });
    for (const { name, collected, collected_at } of environments) {
      const row = table.getByRole('row').filter({ hasText: name }).first();
      await row.getByText(collected ? 'Fresh' : 'Not collected').waitFor();
      expect([name, collected_at === null]).toEqual([name, !collected]);
      if (collected) continue;
      await row.getByText('How to collect it').click();
      await row.getByText(/Run SharpHound in this domain/).waitFor();
    }
    // An environment of another platform has no users, computers and sessions, and no figures about them.
    await page.route('**/api/v2/posture/summary**', async (route) => {
      const answer = await (await route.fetch()).json();
      for (const one of answer.data.environments)
        Object.assign(one, {
          ...{ type: 'Hub_Organization', name: one.environment_id },
          ...{ users: 0, computers: 0, active_computers: 0 },
        });
      await route.fulfill({ json: answer });
    });
    for (const path of ['/ui/data', '/ui/posture']) {
      await page.goto(path);
      await settled(page);
      const region = page.getByRole('region', { name: 'Environments, table' }).last();
      await region.getByRole('row').nth(1).waitFor();
      expect(await region.innerText()).not.toMatch(/none seen|not read|not drawn|\t0/);
      if (path === '/ui/data') {
        expect(await region.getByRole('button').count()).toBe(0);
        // An environment without a name is shown by its id, with a note.
        await expect.poll(() => region.getByText('(name not collected)').count()).toBe(environments.length);
      }
    }
    await page.unroute('**/api/v2/posture/summary**');
    await page.goto('/ui/data');
    await settled(page);
    // Groups added by the analysis count here as in queries.
    const { data: counts } = await client.call('RunCypherQuery', {
      body: { query: 'MATCH (n) RETURN count(n)' },
    });
    const objects = Number(counts.literals[0]!.value).toLocaleString('en-US');
    await page.getByText(`${objects} objects`).waitFor();
    await page.getByText(/including [\d,]+ groups that the analysis adds/).waitFor();
    // Eight days later, the same data is stale, and every page shows it.
    await page.clock.setSystemTime(Date.now() + 8 * 86_400_000);
    await page.reload();
    await settled(page);
    for (const { name, collected } of environments) {
      if (!collected) continue;
      const row = table.getByRole('row').filter({ hasText: name }).first();
      await row.getByText('Stale').waitFor();
      await row.getByText('8 days ago').waitFor();
    }
    await page.getByText('Older than 7 days. Collect again.').first().waitFor();
    await page.clock.setSystemTime(Date.now());
    // Files dropped on any page are uploaded; the uploads page shows the outcome.
    await visit(page, '/ui/posture');
    await settled(page);
    const text = JSON.stringify({
      data: [],
      meta: { type: 'users', version: 6, count: 0, methods: 0x7ffff },
    });
    const transfer = await page.evaluateHandle((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], 'dropped.json', { type: 'application/json' }));
      return data;
    }, text);
    await page.dispatchEvent('main', 'dragover', { dataTransfer: transfer });
    await page.getByText('Drop the files to upload them').waitFor();
    await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
    await page.waitForURL(/view=uploads/);
    const upload = page.getByRole('region', { name: 'Upload', exact: true });
    await upload.getByText('dropped.json').first().waitFor();
    await upload.getByText('Done').waitFor({ timeout: 100_000 });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows the backups of the installation, and advice on its settings', async () => {
    const { open, settled, client } = running();
    const { data: advice } = await client.call('ListAdvice');
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=installation');
    await settled(page);
    for (const { text } of advice) await page.getByRole('list', { name: 'Advice' }).getByText(text).waitFor();
    await page.getByText('No scheduled backups').waitFor();
    await page.getByText('No backup yet').waitFor();
    const made = { is_encrypted: true, with_key: false, is_scheduled: true };
    const hours = (count: number): string => new Date(Date.now() + count * 3_600_000).toISOString();
    await page.route('**/api/v2/backups', async (route) => {
      const answer = await (await route.fetch()).json();
      Object.assign(answer.data, {
        schedule: {
          ...{ directory: '/var/backups/clew', hours: 24, keep: 14, is_encrypted: true, with_key: false },
          next_at: hours(1.5),
        },
        fault: 'the scheduled backup failed; see the log for the reason',
        backups: [
          { ...made, made_at: hours(-0.6), seconds: 0.2, file: null, bytes: null, fault: 'the disk is full' },
          {
            ...made,
            made_at: hours(-24.5),
            seconds: 3,
            file: '/var/one.backup',
            bytes: 1_700_000,
            fault: null,
          },
        ],
      });
      await route.fulfill({ json: answer });
    });
    await page.route('**/api/v2/advice', (route) =>
      route.fulfill({ json: { data: [{ about: 'clock', text: 'Let both clocks follow a time server.' }] } }),
    );
    await page.reload();
    await settled(page);
    await page.getByText('Every 24 hours into /var/backups/clew, which keeps 14 backups.').waitFor();
    await page.getByText('in 1 hour', { exact: true }).waitFor();
    await page.getByRole('alert').getByText('Check the backups: the scheduled backup failed').waitFor();
    const [failed, complete] = [1, 2].map((at) => page.getByRole('row').nth(at));
    for (const text of ['36 minutes ago', 'the disk is full', '0.2 s', 'schedule'])
      await failed!.getByText(text, { exact: true }).waitFor();
    for (const text of ['1 day ago', 'Complete', '1.7 MB', '/var/one.backup', 'not in it'])
      await complete!.getByText(text, { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Advice' }).getByText('Clocks differ').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('orders zones, shows roles in words, and sets up a webhook', async () => {
    const { open, settled, client } = running();
    const ids: number[] = [];
    for (const name of ['Tier One', 'Tier Two']) {
      const made = await client.call('CreateAssetGroupTag', { body: { name, type: 1 } });
      ids.push(made.data.id);
    }
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=zones');
    await settled(page);
    await page.keyboard.press('n');
    await page.getByRole('dialog', { name: 'New zone or label' }).waitFor();
    await page.keyboard.press('Escape');
    const names = async () =>
      (await page.getByRole('region', { name: 'Zones and labels' }).getByRole('row').allTextContents())
        .map((row) => /Tier (?:Zero|One|Two)/.exec(row)?.[0])
        .filter((name) => name !== undefined);
    expect(await names()).toEqual(['Tier Zero', 'Tier One', 'Tier Two']);
    await page.getByRole('button', { name: 'Move Tier Two up' }).click();
    await expect.poll(names, { timeout: 30_000 }).toEqual(['Tier Zero', 'Tier Two', 'Tier One']);
    for (const id of ids) await client.call('DeleteAssetGroupTag', { params: { asset_group_tag_id: id } });

    await visit(page, '/ui/admin?view=roles');
    const reader = page.getByRole('row').filter({ hasText: 'Read-Only' }).first();
    await reader.getByText(/permissions/).click();
    await reader.getByText('See the graph, findings and plans').waitFor();

    await visit(page, '/ui/admin?view=webhooks');
    await page.getByRole('button', { name: 'New webhook…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('SIEM');
    await page.getByLabel('Address (https)').fill('https://siem.example/clew');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = page.getByRole('dialog', { name: 'Secret of the webhook' });
    await secret.getByText('shown only once, now').waitFor();
    await secret.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByText('A finding opened, A finding was resolved').waitFor();
    await page.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove webhook' }).click();
    await page.getByText('No webhook yet').waitFor();
    expect((await client.call('ListWebhooks')).data).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('fault 20: the audit log leaves out the queries of pages, until they are asked for', async () => {
    const { open, settled, client } = running();
    await client.call('RunCypherQuery', { body: { query: 'MATCH (d:Domain) RETURN d LIMIT 1' } });
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=audit');
    await settled(page);
    const table = page.getByRole('region', { name: 'Audit log' });
    await table.getByText('Sign in', { exact: true }).first().waitFor();
    expect(await table.getByText('Run Cypher query').count()).toBe(0);
    // In the dark theme, an unchecked box looks like the fields next to it; the button is on the same line.
    await page.emulateMedia({ colorScheme: 'dark' });
    const [box, field] = [page.getByLabel(/Include queries/), page.getByLabel('Who')];
    const ground = (of: typeof box) => of.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await ground(box)).toBe(await ground(field));
    const bottom = async (of: typeof box) => {
      const { y, height } = (await of.boundingBox())!;
      return Math.round(y + height);
    };
    expect(await bottom(page.getByRole('button', { name: 'Filter' }))).toBe(await bottom(field));
    await box.check();
    await table.getByText('Run Cypher query').first().waitFor();
    // The displayed words find their audit entries.
    await page.getByLabel('What').fill('sign in');
    await page.getByRole('button', { name: 'Filter' }).click();
    await table.getByText('Run Cypher query').first().waitFor({ state: 'detached' });
    await table.getByText('Sign in', { exact: true }).first().waitFor();
    // On a phone, the views are a list of options.
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByLabel('Part of administration').selectOption({ label: 'API tokens' });
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('undoes a change of many findings, which are open again', async () => {
    const { open, settled, client } = running();
    const openOf = async (type: string): Promise<number> =>
      (
        await client.call('ListAttackPathFindings', {
          query: { finding: `eq:${type}`, status: 'eq:active', limit: 1 },
        })
      ).count;
    const { data } = await client.call('ListAttackPathFindings', { query: { limit: 100 } });
    const [row] = [...Map.groupBy(data, ({ finding }) => finding).values()].sort(
      (a, b) => b.length - a.length,
    )[0]!;
    const type = row!.finding;
    const before = await openOf(type);
    expect(before).toBeGreaterThan(1);
    await client.call('AcceptFindings', {
      query: { finding: type },
      body: {
        accepted: true,
        accept_until: '2099-01-01T00:00:00Z',
        reason: 'For a test',
        all_matching: true,
      },
    });
    expect(await openOf(type)).toBe(0);
    const { page, context, faults } = await open();
    await page.goto('/ui/admin?view=audit');
    await settled(page);
    const table = page.getByRole('region', { name: 'Changes of findings in the last day' });
    const change = table.getByRole('row').filter({ hasText: 'Acceptance of findings' }).first();
    await change.getByText(`${before}`, { exact: true }).waitFor();
    await change.getByRole('button', { name: 'Undo…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo the change?' });
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('Undone', { exact: true }).waitFor();
    await change.getByText('undone by').waitFor();
    expect(await change.getByRole('button').count()).toBe(0);
    expect(await openOf(type)).toBe(before);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows a token once and revokes it, counts a selector before it is saved, and asks before it deletes', async () => {
    const { open, settled, client } = running();
    // Browsers ask for an icon of the API reference, which is not found.
    const { page, context, faults } = await open({ expected: [404] });
    await page.goto('/ui/profile');
    await page.getByRole('button', { name: 'Create API token…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('pipeline');
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText('The key is shown only once, now.').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Revoke pipeline' }).click();
    await page.getByRole('button', { name: 'Revoke pipeline' }).waitFor({ state: 'detached' });
    expect((await client.call('ListAuthTokens', { query: {} })).data.tokens).toEqual([]);

    await visit(page, '/ui/admin?view=zones');
    await page.getByRole('button', { name: 'New selector…' }).click();
    await page.getByLabel('Results of a query').check();
    await page
      .getByLabel(/^Cypher query that returns objects/)
      .fill("MATCH (g:Group) WHERE g.objectid ENDS WITH '-512' RETURN g");
    await page.getByRole('button', { name: 'Preview' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^\d+ objects?( or more)?$/)
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await visit(page, '/ui/data?view=clearing');
    await page.getByLabel('Data quality figures').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete permanently?' });
    const button = dialog.getByRole('button', { name: 'Delete', exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('delete');
    await expect.poll(() => button.isDisabled()).toBe(false);
    const stays = dialog.getByText(/Stored reports, saved views, drawings and plans stay/);
    expect(await stays.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('All collected objects and relationships').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await dialog.getByText('every object and relationship of the graph; all findings close').waitFor();
    await stays.waitFor();
    await dialog.getByText(/If a later collection finds these findings again, they are new/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    // A small window, equivalent to 200% zoom in a larger one. A run examines every third page.
    await page.setViewportSize({ width: 1024, height: 600 });
    const paths = ['/ui/fix', '/ui/findings', '/ui/explore', '/ui/data', '/ui/admin?view=zones'];
    for (const path of sampledCases(paths, 3)) {
      await visit(page, path);
      await settled(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width <= 1024]).toEqual([path, true]);
    }
    // Everything comes from the same host: other requests fail the test.
    await page.goto('/api/v2/docs');
    await page.getByText('/api/v2/drawings').first().waitFor({ state: 'attached' });
    expect(faults).toEqual([]);
    await context.close();
  });
}
