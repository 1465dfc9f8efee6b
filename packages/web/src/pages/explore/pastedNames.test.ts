import { describe, expect, it } from 'vitest';
import { drawQuery, matched, pastedEntries } from './pastedNames.ts';

describe('pasted names', () => {
  it('are read line by line, each once', () => {
    expect(pastedEntries(' a@x \r\n"B C";\tA@X\n\n\'d\'')).toEqual(['A@X', 'B C', 'd']);
    expect(pastedEntries('\n ; \t')).toEqual([]);
    expect(pastedEntries('CN=A,OU=B,DC=C')).toEqual(['CN=A,OU=B,DC=C']);
  });

  it('name objects by id, name or name to log on; unknown and ambiguous ones are distinguished', () => {
    const objects = [
      { id: 'S-1', name: 'ANN@A.X', kind: 'User', account: 'ann' },
      { id: 'S-2', name: 'ANN@B.X', kind: 'User', account: 'Ann' },
      { id: 'S-3', name: 'SRV.A.X', kind: 'Computer', account: 'SRV$' },
    ];
    const found = matched(['s-1', 'ann@b.x', 'ANN', 'srv', 'nothing'], objects);
    expect(found.map((one) => one.objects.map(({ id }) => id))).toEqual([
      ['S-1'],
      ['S-2'],
      ['S-1', 'S-2'],
      ['S-3'],
      [],
    ]);
  });

  it('are drawn by a query in which no id ends its text', () => {
    expect(drawQuery(["a'b", 'c\\'])).toContain("WITH ['a\\'b', 'c\\\\'] AS ids");
  });
});
