import { describe, expect, it } from 'vitest';
import { releasedChangelog, requireLater } from './release.ts';

describe('a release', () => {
  it('moves unreleased changes under their version', () => {
    const before = '# Changelog\n\n## Unreleased\n\n- A new thing.\n\n## 0.1.0 (2026-11-21)\n';
    expect(releasedChangelog(before, '0.2.0', '2026-12-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A new thing.\n\n## 0.1.0 (2026-11-21)\n',
    );
  });

  it.each(['# Changelog\n', '## Unreleased\n\n\n## 0.1.0\n\n- Old.\n'])('needs text: %j', (text) => {
    expect(() => releasedChangelog(text, '0.2.0', '2026-12-01')).toThrow('no text');
  });

  it('comes after the one before', () => {
    for (const [version, present] of [
      ['0.2.0', '0.1.9'],
      ['1.0.0', '0.9.9'],
      ['0.1.10', '0.1.9'],
    ] as const)
      expect(() => requireLater(version, present)).not.toThrow();
    for (const version of ['0.1.9', '0.1.8', '0.0.10', 'v0.2.0', '0.2', ''])
      expect(() => requireLater(version, '0.1.9'), version).toThrow();
  });
});
