/** Custom checks and extensions in a real browser. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { zipFiles } from '@clew/service';
import { expect, test } from 'vitest';
import type { RunningWeb } from '../browser.ts';

/** @param running to be called only inside tests */
export function testExtend(running: () => RunningWeb): void {
  test('writes a custom check with its present results, switches it off, and saves it as a file', async () => {
    const { open, client, directory } = running();
    const { page, context, faults } = await open({ expected: [400] });
    await page.goto('/ui/checks');
    await page.getByRole('button', { name: /^New check/ }).click();
    const editor = page.getByRole('textbox', { name: 'Cypher query of the check' });
    await editor.click();
    await page.keyboard.type('MATCH (u:User) RETURN nothing');
    await page.keyboard.press('Escape');
    // The result updates automatically shortly after the last letter; errors are shown at their positions.
    const result = page.getByRole('region', { name: /^Result/ });
    await result.getByRole('alert').waitFor();
    const save = page.getByRole('button', { name: /^Save/ });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await editor.click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('MATCH (u:User:Tag_Tier_Zero) RETURN u, u.enabled AS enabled');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Enter');
    await result.getByRole('columnheader', { name: 'enabled' }).waitFor();
    const found = await result.getByRole('status').textContent();
    await page.getByLabel('Title').fill('Tier Zero users');
    await page.getByLabel('Name', { exact: true }).click();
    await expect
      .poll(() => page.getByLabel('Name', { exact: true }).inputValue())
      .toBe('Check_TierZeroUsers');
    await save.click();
    await page.getByText('Tier Zero users is saved').waitFor();
    const stored = await client.call('GetCheck', { params: { check_name: 'Check_TierZeroUsers' } });
    const { data: tried } = await client.call('TestCheck', { body: stored.data.definition });
    expect(found).toMatch(new RegExp(`^${tried.found_count} objects? in `));
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const path = join(directory, file.suggestedFilename());
    await file.saveAs(path);
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete check' }).click();
    await page.getByText('No custom checks').waitFor();
    const broken = join(directory, 'no-check.json');
    await writeFile(broken, '{"name":"Check_Broken","severity":"none"}');
    await page.getByLabel('Files with checks').setInputFiles([path, broken]);
    const refused = page.getByRole('dialog', { name: 'Not imported' });
    await refused.getByText(/no-check\.json: .*severity/).waitFor();
    await refused.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Run Tier Zero users').click();
    await page.getByText('Tier Zero users is off').waitFor();
    const after = await client.call('GetCheck', { params: { check_name: 'Check_TierZeroUsers' } });
    expect(after.data.enabled).toBe(false);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('installs an extension after showing what it adds, and removes it', async () => {
    const { open, client, directory } = running();
    const { page, context, faults } = await open({ expected: [400] });
    const definition = join(directory, 'tickets.json');
    const document = {
      schema: { name: 'Tickets', display_name: 'Ticket system', version: 'v1.0.0', namespace: 'Tick' },
      node_kinds: [{ name: 'Tick_User', display_name: 'User of tickets' }],
      relationship_kinds: [{ name: 'Tick_Manages', is_traversable: true, description: 'Manages it' }],
    };
    await page.goto('/ui/extensions');
    const input = page.getByLabel('Definition or bundle of an extension');
    const dialog = page.getByRole('dialog');
    await writeFile(definition, JSON.stringify({ ...document, node_kinds: [{ name: 'User' }] }));
    await input.setInputFiles(definition);
    await dialog
      .getByText(/\/node_kinds\/0/)
      .first()
      .waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Install' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    const bundle = join(directory, 'tickets.zip');
    const files = {
      'schema.json': document,
      'saved_searches/users.json': { name: 'Users of tickets', query: 'MATCH (n:Tick_User) RETURN n' },
      'privilege_zone_rules/rule.json': {
        ...{ name: 'Largest groups', zone: 'Tier Zero' },
        cypher: "MATCH (g:Group) WHERE g.name STARTS WITH 'DOMAIN USERS@' RETURN g",
      },
    };
    const entries = Object.entries(files).map(([name, json]) => ({
      name,
      bytes: Buffer.from(JSON.stringify(json)),
    }));
    await writeFile(bundle, await zipFiles(entries));
    await input.setInputFiles(bundle);
    await dialog.getByText('Saved queries: 1 new (Users of tickets)').waitFor({ timeout: 100_000 });
    // The effect on the forest of this test.
    await dialog.getByText(/Tier Zero: [\d,]+ to [\d,]+ members; [\d,]+ new:/).waitFor();
    await dialog.locator('.meters').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await client.call('ListExtensions')).data.extensions).toHaveLength(2);
    await writeFile(definition, JSON.stringify(document));
    await input.setInputFiles(definition);
    await dialog.getByText('Paths, zones and findings do not change.').waitFor({ timeout: 100_000 });
    await dialog.getByText('Kinds of relationships: 1 new (Tick_Manages)').waitFor();
    await dialog.getByRole('button', { name: 'Install' }).click();
    const card = page.getByRole('region', { name: /^Ticket system/ });
    await card.getByText('upload a collection').waitFor();
    await card.getByRole('button', { name: 'Show kinds' }).click();
    await card.getByText('Tick_Manages').waitFor();
    await page
      .getByRole('region', { name: 'Data by source' })
      .getByText('Active Directory data')
      .first()
      .waitFor();
    await card.getByRole('button', { name: 'Remove…' }).click();
    await dialog.getByRole('button', { name: 'Remove extension' }).click();
    await card.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });
}
