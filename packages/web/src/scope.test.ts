import { expect, it } from 'vitest';
import { withScope } from './scope.ts';

it('links carry environment and zone, and nothing else', () => {
  expect(withScope('/ui/fix', '?env=S-1&zone=2&skip=50')).toBe('/ui/fix?env=S-1&zone=2');
  expect(withScope('/ui/findings?type=X', '?env=S-1')).toBe('/ui/findings?type=X&env=S-1');
  expect(withScope('/ui/findings?env=S-2', '?env=S-1')).toBe('/ui/findings?env=S-2');
  expect(withScope('/ui/fix', '')).toBe('/ui/fix');
});
