/** Charts in a real browser: text sizes, line names, and the values at a time. */
import { sampledCases } from '@clew/common/testing';
import { expect, test } from 'vitest';
import { type RunningWeb, visit } from '../browser.ts';

/** @param running to be called only inside tests */
export function testCharts(running: () => RunningWeb): void {
  test('fault 12: texts of charts keep their size, whatever the width', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    for (const width of [390, ...sampledCases([1440, 1920], 2)]) {
      await page.setViewportSize({ width, height: 900 });
      await visit(page, '/ui/posture?view=trend');
      await settled(page);
      await page.locator('figure svg[role=img]').first().waitFor();
      const heights = await page
        .locator('figure svg[role=img] text.scale')
        .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height));
      expect(heights.length).toBeGreaterThan(3);
      for (const height of heights) expect(height > 10 && height < 20).toBe(true);
    }
    expect(faults).toEqual([]);
    await context.close();
  });

  test('each name next to a chart is joined to the last point of its own line, and hovering shows all values', async () => {
    const { open, settled } = running();
    const { page, context, faults } = await open();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/ui/posture');
    await settled(page);
    const chart = page.locator('.chart-box').first();
    await chart.locator('.end-label').first().waitFor();
    // The layout is computed again when the font is loaded.
    await page.evaluate(() => document.fonts.ready);
    const joined = await chart.locator('> svg').evaluate((svg) => {
      const numbers = (text: string | null) => (text ?? '').split(/[ ,]/).map(Number);
      const colorOf = (part: Element) => getComputedStyle(part).stroke;
      const dots = [...svg.querySelectorAll('.line')].map((line) => {
        const dot = [...line.querySelectorAll('circle')].at(-1) as SVGCircleElement;
        return {
          x: dot.cx.baseVal.value,
          y: dot.cy.baseVal.value,
          color: colorOf(line.querySelector('polyline')!),
        };
      });
      return [...svg.querySelectorAll('.leader')].map((leader, at) => {
        const points = numbers(leader.getAttribute('points'));
        const box = (leader.nextElementSibling as SVGTextElement).getBBox();
        return {
          fromDot: Math.hypot(points[0] - dots[at].x, points[1] - dots[at].y),
          toLabel: Math.hypot(points[4] - box.x, points[5] - (box.y + box.height / 2)),
          isOfColor: colorOf(leader) === dots[at].color,
        };
      });
    });
    expect(joined.length).toBeGreaterThan(1);
    for (const { fromDot, toLabel, isOfColor } of joined)
      expect([fromDot < 8, toLabel < 8, isOfColor]).toEqual([true, true, true]);
    const dot = (await chart.locator('.line circle').first().boundingBox())!;
    await page.mouse.move(dot.x + dot.width / 2, dot.y + dot.height / 2);
    const shown = chart.locator('.chart-values li');
    await expect.poll(() => shown.count()).toBe(joined.length);
    expect(faults).toEqual([]);
    await context.close();
  });
}
