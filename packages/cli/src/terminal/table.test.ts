import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { formatTable } from './table.ts';
import { widthOf } from './text.ts';

const COLUMNS = [{ title: 'KIND' }, { title: 'NAME' }, { title: 'COUNT', align: 'right' }] as const;

describe('a table', () => {
  it('aligns its columns', () => {
    const { screen } = testScreen();
    const rows = [
      ['User', 'ADA@CORP', 7],
      ['Computer', 'WS1', 12345],
    ];
    expect(formatTable(screen, COLUMNS, rows)).toBe(
      ['KIND      NAME      COUNT', 'User      ADA@CORP      7', 'Computer  WS1       12345', ''].join('\n'),
    );
  });

  it('is empty without rows', () => {
    expect(formatTable(testScreen().screen, COLUMNS, [])).toBe('');
  });

  it('makes untrusted text safe', () => {
    const { screen } = testScreen({ isTty: true });
    const table = formatTable(screen, [{ title: 'NAME' }], [['\u001b]0;owned\u0007']]);
    expect(table.split('\n')[1]).toBe('\u{fffd}]0;owned\u{fffd}');
  });

  it('fits the screen by cutting the widest columns', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string(), fc.string(), fc.nat()), { minLength: 1 }),
        fc.integer({ min: 40, max: 120 }),
        (rows, columns) => {
          const { screen } = testScreen({ isTty: true, columns });
          for (const line of formatTable(screen, COLUMNS, rows).split('\n')) {
            expect(widthOf(line)).toBeLessThanOrEqual(columns);
          }
        },
      ),
    );
  });

  it('cuts nothing if not interactive', () => {
    const long = 'X'.repeat(500);
    expect(formatTable(testScreen({ columns: 40 }).screen, [{ title: 'NAME' }], [[long]])).toContain(long);
  });
});
