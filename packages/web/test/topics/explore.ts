/** Explore in a real browser: paths, objects, queries, saved drawings, and texts of extensions about their kinds. */
import { expect, test } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';
import { observeActions } from '../userActions.ts';

/** @param running to be called only inside tests */
export function testExplore(running: () => RunningWeb): void {
  test('draws the path between two objects, which its address holds', async () => {
    const { open, client } = running();
    const { page, context, faults } = await open();
    await page.goto('/ui/explore?mode=path');
    await page.getByRole('combobox', { name: 'From', exact: true }).fill('ada.abel');
    await page.locator('li[role=option]').first().click();
    await page.getByRole('combobox', { name: 'To', exact: true }).fill('domain admins');
    await page.locator('li[role=option]').first().click();
    await page.getByRole('img', { name: /Drawing of \d+ objects/ }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(searchParams.get('from')).not.toBeNull();
    expect(searchParams.get('to')).not.toBeNull();
    // The drawing can be searched, and its background has a menu.
    await page.keyboard.press('Control+f');
    await page.keyboard.type('ada.abel');
    await page
      .getByRole('status')
      .getByText(/^1 of \d+$/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page
      .locator('.graph-view canvas')
      .first()
      .click({ button: 'right', position: { x: 6, y: 6 } });
    await page.getByRole('menuitem', { name: 'Select all' }).click();
    await page.getByText(/^\d+ chosen$/).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = await page.getByRole('region', { name: 'Relationships' }).getByRole('row').count();
    expect(rows).toBeGreaterThan(1);
    // The answer of the API contains the same relationships.
    const graph = await client.shortestPath(searchParams.get('from')!, searchParams.get('to')!);
    expect(graph!.edges.length).toBe(rows - 1);
    // The selected relationship and its meaning are shown next to it.
    await page.getByRole('region', { name: 'Relationships' }).getByRole('button').first().click();
    await page
      .getByRole('complementary', { name: 'Selected relationship' })
      .getByText('Remediation')
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('complementary', { name: 'Selected relationship' }).waitFor();
    for (const [format, ending] of [
      ['svg', '.svg'],
      ['png', '.png'],
      ['json', '.json'],
      ['csv', '.csv'],
    ]) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByLabel('Export').selectOption(format),
      ]);
      expect(file.suggestedFilename()).toContain(ending);
    }
    await page.goBack();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('shows an object with its sections, whose counts are those of the lists', async () => {
    const { open, client } = running();
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?object=${admins.objectid}&selected=${admins.objectid}`);
    const panel = page.getByRole('complementary', { name: 'Selected object' });
    await panel.getByText('Members', { exact: true }).click();
    const { count } = (await client.call('GetGroupEntityMembers', {
      params: { object_id: admins.objectid },
      query: { type: 'count' },
    })) as { count: number };
    await panel.getByText(new RegExp(`of ${count}$`)).waitFor();
    await panel.locator('summary', { hasText: 'More actions' }).click();
    await panel.getByRole('button', { name: 'Hide' }).click();
    await page.getByText('1 hidden').waitFor();
    await expect
      .poll(() => page.getByRole('button', { name: 'Undo' }).getAttribute('title'))
      .toContain('Undo: Hide DOMAIN ADMINS');
    await page.keyboard.press('Control+z');
    await page.getByText('1 hidden').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Shift+Z');
    await page.getByText('1 hidden').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText('1 hidden').waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  testWhoCanReach(running);

  test('runs queries, cut short by limits and with errors shown', async () => {
    const { open, settled, client } = running();
    const { page, context, faults } = await open({ expected: [400] });
    await page.goto('/ui/explore?mode=query');
    const editor = page.getByRole('textbox', { name: 'Query in Cypher' });
    await editor.click();
    await page.keyboard.type('MATCH (u:User) RETURN count(u) AS user');
    // The keys that run the query arrive before the page has rendered its last letter.
    await editor.evaluate(async (element) => {
      document.execCommand('insertText', false, 's');
      await Promise.resolve();
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true, bubbles: true }));
    });
    await page.getByRole('columnheader', { name: 'users', exact: true }).waitFor();
    await visit(page, '/ui/explore?mode=query&q=MATCH%20(u%20RETURN');
    await page.getByRole('alert').getByText("Line 1, column 10: found 'RETURN', expected ')'").waitFor();
    expect(await page.getByRole('button', { name: /Retry|Run the example/ }).count()).toBe(0);
    await page.locator('.cm-fault', { hasText: 'RETURN' }).waitFor();
    // A query with parameters is not run until they have values, and Back restores the earlier values.
    const query = 'MATCH (g:Group) WHERE g.objectid ENDS WITH $end RETURN count(g) AS groups';
    const saved = await client.call('CreateSavedQuery', { body: { name: 'By end', query } });
    const asked: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphs/cypher')) asked.push(request.postDataJSON().parameters);
    });
    await page.goto(`/ui/explore?mode=query&q=${encodeURIComponent(query)}`);
    await page.getByText('Give each parameter a value.').waitFor();
    await page.getByText('a watch has no values').waitFor();
    await page.getByRole('button', { name: 'By end' }).click();
    const end = page.getByLabel('$end');
    for (const value of ['"-512"', '"-513"']) {
      await end.fill(value);
      await page.getByRole('button', { name: /^Run/ }).click();
      await page.waitForURL((url) => url.searchParams.get('p') === JSON.stringify({ end: value }));
      await page.getByRole('columnheader', { name: 'groups' }).waitFor();
      await settled(page);
    }
    expect(asked).toEqual([{ end: '-512' }, { end: '-513' }]);
    await page.goBack();
    await expect.poll(() => end.inputValue()).toBe('"-512"');
    await client.call('DeleteSavedQuery', { params: { saved_query_id: saved.data.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('completes, keeps, shares and watches queries', async () => {
    const { open, settled, client } = running();
    // The permissions of a query that was never shared do not exist.
    const { page, context, faults } = await open({ expected: [404] });
    await page.goto('/ui/explore?mode=query');
    await settled(page);
    await page.getByRole('textbox', { name: 'Query in Cypher' }).click();
    await page.keyboard.type('MATCH (u:Compu');
    // Completion names load shortly after the page, so an already open list is requested again.
    const computer = page.locator('.cm-completionLabel', { hasText: /^Computer$/ });
    await expect
      .poll(async () => {
        if ((await computer.count()) === 0) await page.keyboard.press('Control+Space');
        return computer.count();
      })
      .toBe(1);
    await computer.click();
    await page.keyboard.type(') WHERE u.operatingsys');
    await page.locator('.cm-completionLabel', { hasText: /^operatingsystem$/ }).click();
    await page.keyboard.type(" <> '' RETURN count(u) AS machines");
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('columnheader', { name: 'machines' }).waitFor();
    await page.getByText('Run before').click();
    await page
      .getByRole('button', { name: /^MATCH \(u:Computer\) WHERE u\.operatingsystem/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Machines');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Watch', exact: true }).click();
    // An earlier change may already have triggered an analysis that ran it.
    await page.getByText(/^(?:Waits for the next analysis\.|1 row, found )/).waitFor();
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('All machines');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'All machines' }).waitFor();
    await page.getByRole('button', { name: 'Share…' }).click();
    await page.getByText('No one else sees it.').waitFor();
    await page.getByRole('button', { name: 'Share with all' }).click();
    await page.getByRole('button', { name: 'Share with all' }).waitFor({ state: 'detached' });
    const [saved] = (await client.call('ListSavedQueries', { query: { scope: 'public' } })).data;
    expect(saved).toMatchObject({ name: 'All machines' });
    await page.getByRole('button', { name: 'Stop watching' }).click();
    await page.getByRole('button', { name: 'Watch', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'All machines' }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('saves a drawing with what was moved, shares it, and says later what no longer exists', async () => {
    const { open, settled, client } = running();
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const [user] = await client.search('ada.abel', { kind: 'User' });
    const { page, context, faults } = await open();
    await page.goto(`/ui/explore?mode=path&from=${user!.objectid}&to=${admins!.objectid}`);
    const picture = page.getByRole('img', { name: /^Drawing of/ });
    await picture.waitFor();
    await settled(page);
    // The keyboard moves the selected object, which stays there after a reload.
    const story = page.getByRole('region', { name: 'Story of the path' });
    await story.getByRole('listitem').first().getByRole('button').click();
    await page.evaluate((id) => {
      const to = new URL(location.href);
      to.searchParams.set('selected', id);
      history.replaceState(null, '', to);
    }, user!.objectid);
    await page.getByRole('complementary', { name: 'Selected object' }).waitFor();
    await picture.focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Legend').click();
    await page.getByText('moved by you').waitFor();
    await expect
      .poll(() => page.evaluate(() => sessionStorage.getItem('clew.pins')))
      .toContain(user!.objectid);
    await page.reload();
    await picture.waitFor();
    await page.getByText('Legend').click();
    await page.getByText('moved by you').waitFor();
    await page.getByRole('button', { name: 'Save…' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ways of Ada');
    await page.getByRole('button', { name: 'Save drawing' }).click();
    await page.waitForURL(/drawing=\d+/);
    const id = Number(new URL(page.url()).searchParams.get('drawing'));
    const card = page.getByRole('region', { name: 'Saved drawing' });
    await card.getByText('private').waitFor();
    const stored = (await client.call('GetDrawing', { params: { drawing_id: id } })).data;
    expect(stored.places.filter(({ pinned }) => pinned).map(({ object_id }) => object_id)).toEqual([
      user!.objectid,
    ]);
    expect(stored.missing).toEqual({ objects: [], relationships: [] });
    await card.getByRole('button', { name: 'Rename or share…' }).click();
    await page.getByRole('checkbox', { name: /Share: all users/ }).check();
    await page.getByRole('button', { name: 'Save changes' }).last().click();
    await card.getByText('shared with all users').waitFor();
    // Two of its relationships do not exist, as if an analysis had removed them.
    const objects = stored.places.map((place) => ({ ...place, name: place.object_id, kind: 'User' }));
    const relationships = [0, 1].map((at) => ({ source: at, kind: 'AdminTo', target: objects.length - 1 }));
    await client.call('UpdateDrawing', {
      params: { drawing_id: id },
      body: { content: { address: stored.address, objects, relationships } },
    });
    await page.goto(`/ui/explore/d/${id}`);
    await card.getByText('2 of 2 relationships no longer exist').waitFor();
    await page.getByText('Legend').click();
    await page.locator('.drawing-legend').getByText('no longer exists').waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('region', { name: 'Relationships' }).getByText('AdminTo').first().waitFor();
    await card.getByRole('link', { name: 'Ask again' }).click();
    await page.waitForURL(/mode=path/);
    await visit(page, '/ui/explore');
    await page.getByRole('link', { name: 'Ways of Ada' }).click();
    await card.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete drawing' }).click();
    await card.waitFor({ state: 'detached' });
    expect((await client.call('ListDrawings')).data).toEqual([]);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('plan 4: shows what the author of an extension says of its kinds, and what came with its data', async () => {
    const { open, client } = running();
    const text = '# Why\n\nIt **counts**. <b>Bold</b> [Your bank](https://evil.example/x)\u202e';
    const section = { title: 'Abuse \u202etext', position: 1, markdown: { content: text } };
    const { data } = await client.call('UpsertOpenGraphExtension', {
      body: {
        schema: { name: 'Desk', display_name: 'Desk', version: 'v1.0.0', namespace: 'Desk' },
        node_kinds: [
          { name: 'Desk_User', display_name: 'Desk user', is_display_kind: true, info: { abuse: section } },
        ],
        relationship_kinds: [
          {
            ...{ name: 'Desk_Leads', is_traversable: true, phrase: 'leads the \u202edesk of' },
            ...{ description: 'A lead can sign in as the person.', removal: 'End the lead in the desk.' },
            info: { abuse: section },
          },
        ],
      },
    } as never);
    void data;
    const node = (id: string) => ({ id, kinds: ['Desk_User'], properties: { name: id } });
    const end = (value: string) => ({ match_by: 'id', value });
    const graph = {
      metadata: { source_kind: 'Desk_Base' },
      graph: {
        nodes: [node('DESK-ONE'), node('DESK-TWO')],
        edges: [end('DESK-TWO'), { match_by: 'name', value: 'DESK-THREE' }].map((to) => ({
          ...{ kind: 'Desk_Leads', start: end('DESK-ONE'), end: to },
        })),
      },
    };
    const before = new Date().toISOString();
    const { jobId } = await client.uploadFiles([new File([JSON.stringify(graph)], 'desk.json')]);
    await client.waitForJob(jobId);
    await expect
      .poll(async () => (await client.search('DESK-ONE')).length, { timeout: 100_000 })
      .toBeGreaterThan(0);
    const { page, context, faults } = await open();
    const query = encodeURIComponent('MATCH (a:Desk_User)-[r:Desk_Leads]->(b) RETURN a, r, b');
    const edge = encodeURIComponent(JSON.stringify(['DESK-ONE', 'Desk_Leads', 'DESK-TWO']));
    for (const [selected, name] of [
      ['DESK-ONE', 'Selected object'],
      [edge, 'Selected relationship'],
    ]) {
      await page.goto(`/ui/explore?mode=query&q=${query}&selected=${selected}`);
      const panel = page.getByRole('complementary', { name });
      await panel.getByText('Abuse ‹202E›text').click();
      const link = panel.getByRole('link', { name: 'Your bank' });
      await link.waitFor();
      await expect.poll(() => link.getAttribute('rel')).toContain('noreferrer');
      // Elements allowed for authors are loaded when a text is opened.
      await panel.locator('.author-section b').waitFor();
      const shown = await panel.locator('.author-section').textContent();
      expect(shown).toContain('Bold Your bank (evil.example)‹202E›');
      expect(await panel.locator('.author-section :is(script, img, iframe)').count()).toBe(0);
    }
    const edgePanel = page.getByRole('complementary', { name: 'Selected relationship' });
    await edgePanel.getByRole('heading', { name: 'leads the ‹202E›desk of' }).waitFor();
    await edgePanel.getByText('A lead can sign in as the person.').waitFor();
    await edgePanel.getByText('End the lead in the desk.').waitFor();
    await visit(page, '/ui/explore?mode=path&from=DESK-ONE&to=DESK-TWO');
    await page
      .getByRole('region', { name: 'Story of the path' })
      .getByText('leads the ‹202E›desk of')
      .first()
      .waitFor();
    // A relationship to an object that was not uploaded waits, and is counted.
    await visit(page, '/ui/extensions');
    await page.getByRole('columnheader', { name: 'Waiting relationships' }).waitFor();
    const source = page.getByRole('row').filter({ hasText: 'Desk_Base data' });
    await expect.poll(() => source.getByRole('cell').last().textContent()).toBe('1');
    // The page compares with the previous analysis.
    await page.evaluate((at) => localStorage.setItem('clew.changes-read', at), before);
    await page.goto('/ui/changes?days=read');
    const { data: difference } = await client.call('GetDifference', { query: { since: before } });
    const { objects, relations, findings } = difference;
    expect([objects.came_count, relations.came_count]).toEqual([2, 1]);
    await page.getByRole('heading', { name: 'Objects: 2 new, 0 removed' }).waitFor();
    await page.getByRole('heading', { name: 'Relationships: 1 new, 0 removed' }).waitFor();
    await page.getByText(`${findings.came_count} new finding`).first().waitFor();
    for (const { title } of findings.types) await page.getByRole('link', { name: title }).first().waitFor();
    await page
      .locator('section', { has: page.getByRole('heading', { name: /^Relationships: 1 new/ }) })
      .locator('summary', { hasText: 'New' })
      .click();
    await page.getByTitle('Desk_Leads').getByText('leads the ‹202E›desk of').waitFor();
    await page.getByLabel('Since').fill('2020-01-01');
    await page.waitForURL(/since=2020-01-01/);
    await page.getByText('there is no older analysis').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** @param running to be called only inside tests */
export function testWhoCanReach(running: () => RunningWeb): void {
  test('must hold (a), faults 8 to 10 of the third reading: three actions say who can reach Domain Admins, and a fourth shows the easiest path', async () => {
    const { open, client, settled } = running();
    const [admins] = await client.search('DOMAIN ADMINS', { kind: 'Group' });
    const query = { object_id: admins.objectid, include_path: true };
    const { data: reach } = await client.call('GetReach', { query });
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    const actions = await observeActions(page);
    await page.goto('/ui/fix');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Object or page' }).fill(admins.name);
    await page.locator('li[role=option]', { hasText: 'DOMAIN ADMINS' }).first().waitFor();
    await page.keyboard.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Selected object' });
    const counts = panel.locator('.reach p').first();
    await counts.waitFor();
    await expect
      .poll(async () => (await counts.textContent())?.replaceAll(',', ''))
      .toContain(
        `${reach.reaching_count} of ${reach.principal_count} users and computers outside Tier Zero can reach it`,
      );
    const path = reach.easiest_path;
    await panel.getByText(`attack effort ${path?.effort}`).waitFor();
    // The browser reports actions a little later.
    await expect.poll(() => actions.length).toBe(3);
    await panel.getByRole('button', { name: 'Paths to here' }).click();
    await page.getByText('any user or computer outside the zone').first().waitFor();
    await page.getByText(/This is the easiest path\. /).waitFor();
    await expect.poll(() => actions.length).toBe(4);
    await page.getByRole('button', { name: 'Table' }).click();
    const rows = page.getByRole('region', { name: 'Relationships' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe((path?.steps.length ?? 0) + 1);
    // All shortest paths start outside the zone too.
    await page
      .locator('.path-form label:has(> select) select')
      .first()
      .selectOption({ label: 'Shortest paths' });
    await page.getByText(/This is the easiest path/).waitFor({ state: 'detached' });
    await settled(page);
    expect(faults).toEqual([]);
    await context.close();
  });
}
