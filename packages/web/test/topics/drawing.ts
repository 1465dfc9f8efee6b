/** The drawing of Explore and its story in a real browser, by section of the design. */
import { expect, test } from 'vitest';
import { faultsOfState, type RunningWeb, visit } from '../browser.ts';

/** @param running to be called only inside tests */
export function testDrawing(running: () => RunningWeb): void {
  const pathOf = async () => {
    const { cards } = await running().client.plan({ limit: 50 });
    return cards.flatMap(({ paths }) => paths)[0]!.before;
  };

  /** Ends of a path whose easiest path has a step that a single repair removes. */
  /** A path of the plan, and the object changed by the only repair of its cheapest step. */
  const cuttablePath = async (): Promise<[from: string, to: string, changed: string]> => {
    const { client } = running();
    const { cards } = await client.plan({ limit: 50 });
    for (const { before } of cards.flatMap(({ paths }) => paths)) {
      const [start, end] = [before.nodes[0]!.object_id, before.nodes.at(-1)!.object_id];
      const query = { start_node: start, end_node: end, limit: 1, weight: 'effort' as const };
      const [path] = (await client.call('GetAlternativePaths', { query })).data.paths;
      const steps = path!.nodes.slice(1).map(({ object_id }, at) => ({
        source_id: path!.nodes[at]!.object_id,
        target_id: object_id,
      }));
      const { data } = await client.call('GetPathRepairs', { body: { steps } });
      const [repair, ...others] = data.cheapest === null ? [] : data.steps[data.cheapest]!.repairs;
      if (repair !== undefined && others.length === 0) return [start, end, repair.object.object_id];
    }
    throw new Error('no path of the plan has a step that one repair removes, and no other concerns');
  };

  test('design 5.4 and 5.5: a rectangle chooses several objects, and labels are kinds, phrases, or off', async () => {
    const { open, settled } = running();
    const { nodes } = await pathOf();
    const [from, to] = [nodes[0]!.object_id, nodes.at(-1)!.object_id];
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/ui/explore?mode=path&from=${from}&to=${to}`);
    await settled(page);
    const canvas = page.locator('.graph-view > canvas').first();
    const { x, y, width, height } = (await canvas.boundingBox())!;
    await page.getByRole('combobox', { name: 'Labels' }).selectOption('phrases');
    await page.waitForURL(/labels=phrases/);
    await page.getByRole('combobox', { name: 'Labels' }).selectOption('off');
    await page.waitForURL(/labels=off/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.keyboard.down('Shift');
    await page.mouse.move(x + 4, y + 4);
    await page.mouse.down();
    await page.mouse.move(x + width - 70, y + height - 70, { steps: 4 });
    await page.locator('.box-drag').waitFor();
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByText(/^\d+ chosen$/).waitFor();
    const chosen = Number.parseInt((await page.getByText(/^\d+ chosen$/).textContent())!, 10);
    expect(chosen).toBeGreaterThan(1);
    expect(await page.locator('.box-drag').count()).toBe(0);
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('All objects are hidden').waitFor();
    await page.getByRole('button', { name: 'Show hidden' }).click();
    await canvas.waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });

  test('design 5.4: pasted names become ends of paths or a drawing; unknown and ambiguous ones are listed', async () => {
    const { open, settled } = running();
    const { nodes } = await pathOf();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/explore?mode=path');
    await settled(page);
    await page.getByRole('combobox', { name: 'From a set' }).selectOption('paste');
    const dialog = page.getByRole('dialog', { name: 'Paste names' });
    const [first, last] = [nodes[0]!, nodes.at(-1)!];
    await dialog
      .getByRole('textbox')
      .fill(`${first.name.toLowerCase()}\nno such <b>object</b>\n${last.object_id}`);
    await dialog.getByRole('button', { name: 'Look up' }).click();
    await dialog.getByText('2 objects of 3 names').waitFor();
    await dialog.getByText('1 name is not known').waitFor();
    await dialog.getByText('no such <b>object</b>').last().waitFor();
    expect(await faultsOfState(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Use 2 objects' }).click();
    await page.getByText('2 pasted objects').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(`@list:${first.object_id},${last.object_id}`);
    await page.getByRole('combobox', { name: 'To a set' }).selectOption('@tier-zero');
    await page.getByRole('region', { name: 'Story of the path' }).waitFor();

    // Shows all of them as a drawing.
    await page
      .locator('.graph-view > canvas')
      .first()
      .click({ button: 'right', position: { x: 12, y: 12 } });
    await page.getByRole('menuitem', { name: 'Paste names…' }).click();
    await dialog.getByRole('textbox').fill(nodes.map(({ name }) => name).join(';'));
    await dialog.getByRole('button', { name: 'Look up' }).click();
    await dialog.getByRole('button', { name: 'Draw them' }).click();
    await page.waitForURL(/mode=query/);
    await settled(page);
    await page.getByRole('toolbar', { name: 'Drawing' }).getByText(`${nodes.length} objects`).waitFor();

    // The list is too long for an address.
    await visit(page, '/ui/explore?mode=path');
    await settled(page);
    await page.getByRole('combobox', { name: 'To a set' }).selectOption('paste');
    await dialog.getByRole('textbox').fill(Array.from({ length: 101 }, (_, at) => `NAME${at}`).join('\n'));
    await dialog.getByText('101 names: at most 100 at once').waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Look up' }).isDisabled()).toBe(true);
    expect(faults).toEqual([]);
    await context.close();
  });

  test('design 4.6 and 5.2: the story names the cheapest cut, and locks what no one can change', async () => {
    const { open, settled, client } = running();
    const [from, to, changed] = await cuttablePath();
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(`/ui/explore?mode=path&ways=easiest&from=${from}&to=${to}`);
    await settled(page);
    const story = page.getByRole('region', { name: 'Story of the path' });
    const cheapest = story.getByRole('button', { name: /^Cheapest cut: step \d+$/ });
    await cheapest.waitFor();
    const number = Number((await cheapest.textContent())!.match(/\d+$/)![0]);
    await story
      .locator('li')
      .nth(number - 1)
      .getByText('Cheapest cut')
      .waitFor();
    await cheapest.click();
    await story.getByText(`If you cut step ${number}`).waitFor();
    // Sets the constraint in the menu of the relationship.
    await page.keyboard.press('Escape');
    await story
      .locator('li')
      .nth(number - 1)
      .getByRole('button')
      .click();
    const panel = page.getByRole('complementary', { name: 'Selected relationship' });
    await panel.getByRole('button', { name: "We can't change this…" }).click();
    const dialog = page.getByRole('dialog', { name: "We can't change this" });
    await dialog.getByLabel('Reason').fill('The vendor needs it');
    await dialog.getByRole('radio').first().check();
    await dialog.getByRole('button', { name: 'Leave it out' }).click();
    await expect
      .poll(async () => (await client.call('ListPlanConstraints', {})).data.map(({ reason }) => reason))
      .toContain('The vendor needs it');
    const { data: constraints } = await client.call('ListPlanConstraints', {});
    const [made] = constraints.filter(({ reason }) => reason === 'The vendor needs it');
    expect(made!.subject).toBe('repairs');
    await client.call('DeletePlanConstraint', { params: { constraint_id: made!.id } });
    // All changes of the object are excluded: the step is locked, with the reason.
    const { data: locked } = await client.call('CreatePlanConstraint', {
      body: { subject: 'container', object_id: changed, reason: 'Nothing moves here' },
    });
    await page.goto(`/ui/explore?mode=path&ways=easiest&from=${from}&to=${to}`);
    await settled(page);
    await story.getByText("You can't change this").first().waitFor();
    await story.locator('li', { hasText: "You can't change this" }).first().getByRole('button').click();
    await story.getByText(/^Nothing moves here \(admin\)/).waitFor();
    expect(await story.getByRole('button', { name: 'Add cut to What if' }).count()).toBe(0);
    await client.call('DeletePlanConstraint', { params: { constraint_id: locked.id } });
    expect(faults).toEqual([]);
    await context.close();
  });

  test('design 4.6: environment and zone are in the top bar, and limit sets of objects', async () => {
    const { open, settled, client } = running();
    const { data: environments } = await client.call('GetAvailableDomains', {});
    const { id } = environments.find(({ collected }) => collected)!;
    const { page, context, faults } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto('/ui/explore?mode=path&from=@label:User&to=@tier-zero');
    await settled(page);
    const asked = page.waitForRequest((request) => request.url().endsWith('/graphs/cypher'));
    await page.getByRole('combobox', { name: 'Environment' }).selectOption(id);
    expect((await asked).postDataJSON()).toMatchObject({
      parameters: { env: id },
      query: expect.stringContaining('s.domainsid = $env'),
    });
    await page.getByRole('combobox', { name: 'Zone' }).waitFor();
    await settled(page);
    expect(faults).toEqual([]);
    await context.close();
  });
}

/** At length, for the nightly run: `faults.ts` drags an object of a small drawing. @param running to be called only inside tests */
export function testDrawingAtLength(running: () => RunningWeb): void {
  test('design 5.4: an object of a large drawing is dragged without painting the others, and stays where it is put', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open({ viewport: { width: 1280, height: 800 } });
    const lastSeen = '2026-01-01T00:00:00.000000Z';
    const ids = Array.from({ length: 600 }, (_, at) => at);
    const nodes = ids.map((at) => {
      const node = {
        label: `OBJECT${at}@LARGE.EXAMPLE`,
        kind: 'User',
        kinds: ['User'],
        objectId: `S-1-${at}`,
      };
      return [at, { ...node, isTierZero: false, isOwnedObject: false, lastSeen }] as const;
    });
    const edges = ids.slice(1).map((at) => ({
      ...{ source: String(at), target: String(Math.floor(at / 3)), label: 'GenericAll', kind: 'GenericAll' },
      ...{ lastSeen, properties: {} },
    }));
    const data = {
      nodes: Object.fromEntries(nodes),
      edges,
      literals: [],
      columns: ['n'],
      rows: [],
      milliseconds: 1,
    };
    await page.route('**/api/v2/graphs/cypher', (route) => route.fulfill({ json: { data } }));
    // The box of similar objects is opened, because a drawing of this size is folded.
    await page.goto('/ui/explore?mode=query&q=MATCH%20(n)%20RETURN%20n&unfold=folded:domain:S-1-0');
    await settled(page);
    await page.getByRole('img', { name: /600 objects/ }).waitFor();
    const box = (await page.locator('.graph-view > canvas').first().boundingBox())!;
    /** @param waitMs time until the card of the object appears on a busy machine; another pointer move restarts it */
    const named = async ({ x, y }: { x: number; y: number }, waitMs = 0): Promise<string> => {
      // A pointer that does not move triggers no event.
      await page.mouse.move(x + 1, y + 1);
      await page.mouse.move(x, y);
      await page.waitForTimeout(waitMs);
      const card = page.locator('.hover-card strong');
      return (await card.count()) === 0 ? '' : ((await card.first().textContent()) ?? '');
    };
    const places = Array.from({ length: 300 }, (_, at) => ({
      x: box.x + 200 + (at % 20) * 37,
      y: box.y + 100 + Math.floor(at / 20) * 29,
    }));
    let from = places[0]!;
    let name = '';
    await expect
      .poll(
        async () => {
          for (from of places) {
            name = await named(from);
            if (!name.startsWith('OBJECT')) continue;
            // On a busy machine, the card of the previous object may still be shown.
            await page.waitForTimeout(500);
            if (name === (await named(from))) break;
            name = '';
          }
          return name;
        },
        { timeout: 100_000 },
      )
      .toMatch(/^OBJECT/);
    const paintings = () => page.evaluate(() => performance.getEntriesByName('clew-drawn').length);
    const picture = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>('.graph-view > canvas')!.toDataURL());
    // Chooses a free place, because the card could belong to another object there.
    let to = from;
    for (let at = 0; at < 12 && to === from; at++) {
      const place = { x: box.x + box.width * (0.25 + at / 24), y: box.y + 40 };
      await page.mouse.move(place.x, place.y);
      await page.waitForTimeout(500);
      if ((await named(place)) === '') to = place;
    }
    expect(to).not.toBe(from);
    await expect.poll(() => named(from, 1000), { timeout: 30_000 }).toBe(name);
    // Waits until the drawing is at rest.
    await page.waitForTimeout(500);
    const [before, still] = [await paintings(), await picture()];
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await expect.poll(picture).not.toBe(still);
    expect(await paintings()).toBe(before);
    await page.mouse.up();
    await expect.poll(paintings).toBeGreaterThan(before);
    await expect.poll(() => named(to, 1000), { timeout: 60_000 }).toBe(name);
    await page.getByText('Legend').click();
    await page.getByText('moved by you').waitFor();
    expect(faults).toEqual([]);
    await context.close();
  });
}
