import { ListChecks, Network, Scissors } from 'lucide';
import { expect, it } from 'vitest';
import { iconPath } from './glyphs.ts';

it('an icon is one path, each part of which begins where its own says', () => {
  for (const icon of [ListChecks, Network, Scissors]) {
    const path = iconPath(icon);
    expect(path).toMatch(/^M/);
    expect(path).not.toMatch(/NaN|undefined/);
    // A relative first move starts from the corner, not from the end of the previous part.
    expect(path.match(/(?<!M0 0)(?<![\dz.\s-])m/g)).toBeNull();
  }
  expect(() => iconPath([['text', {}]])).toThrow('icons have no text');
});
