import { describe, expect, it } from 'vitest';
import { ENGINES } from './engines/index.ts';
import { digestsOf } from './factDigests.ts';
import { readKitEvidence } from './kitEvidence.ts';

const FACT = 'a'.repeat(16);
const OLD = 'b'.repeat(16);
const record = (name: string, value: string) => `Clew-record: ${name} ${value}`;
const RUN = [
  '**********************',
  'Windows PowerShell transcript start',
  'Change change-02, Apply',
  record('change', 'change-02'),
  record('mode', 'Apply'),
  record('time', '2026-11-30T11:22:33Z'),
  record('computer', 'ADMIN-7'),
  record('fact', `${FACT}:${OLD}`),
  'Collected as: DOMAIN ADMINS@NORTH.EXAMPLE, principal: BOB',
  record('host', 'DC1.north.example'),
  record('before', 'other'),
  record('after', 'other'),
  'State: not changed yet.',
  record('after', 'wanted'),
  'State: as wanted.',
  record('code', '0'),
];
const run = {
  ...{ change: 'change-02', mode: 'Apply', at: '2026-11-30T11:22:33Z', computer: 'ADMIN-7' },
  ...{
    host: 'DC1.north.example',
    facts: [{ fact: FACT, old: OLD }],
    before: false,
    after: true,
    code: 0,
    saved: [],
  },
};
const BACKUP = {
  ...{ Change: 'change-01', Key: 'f'.repeat(64), Time: '2026-11-30T11:22:33Z', Computer: 'ADMIN-7' },
  ...{ Facts: [FACT], Saved: { Number: 66048, WasSet: true, Hosts: [{ Name: 'a\u202eb', Old: null }] } },
};

describe('a transcript', () => {
  it('is read line by line, whatever else it has', () => {
    for (const text of [RUN.join('\r\n'), `\u{feff}${RUN.map((line) => `  ${line} `).join('\n')}`])
      expect(readKitEvidence(text)).toEqual({ kind: 'transcript', runs: [run] });
  });

  it('has several runs, and those that are not complete are left out', () => {
    const other = RUN.map((line) => line.replace('change-02', 'change-03'));
    const without = (name: string) => RUN.filter((line) => !line.startsWith(`Clew-record: ${name} `));
    expect(readKitEvidence([...RUN, ...other].join('\n'))?.runs.map(({ change }) => change)).toEqual([
      'change-02',
      'change-03',
    ]);
    for (const name of ['change', 'mode', 'time', 'fact'])
      expect([name, readKitEvidence(without(name).join('\n'))]).toEqual([name, undefined]);
    const ended = readKitEvidence(
      without('code')
        .filter((line) => !line.includes('after'))
        .join('\n'),
    );
    expect(ended?.runs).toMatchObject([{ after: null, code: null }]);
  });

  it('has only values of their forms', () => {
    for (const [name, value] of [
      ['time', '2026-13-01T00:00:00Z'],
      ['time', 'yesterday'],
      ['mode', 'Preview'],
      ['change', '../change-01'],
      ['fact', 'zz'],
    ] as const) {
      const text = RUN.map((line) =>
        line.startsWith(`Clew-record: ${name} `) ? record(name, value) : line,
      ).join('\n');
      expect([name, value, readKitEvidence(text)]).toEqual([name, value, undefined]);
    }
    const hostile = RUN.map((line) =>
      line.replace('DC1.north.example', '<script>').replace('ADMIN-7', 'a b'),
    );
    expect(readKitEvidence(hostile.join('\n'))?.runs).toMatchObject([{ host: '', computer: '' }]);
  });

  it('costs no more than its length, and ends at the number of runs and facts', () => {
    const started = performance.now();
    const facts = Array(50_000).fill(record('fact', FACT)).join('\n');
    expect(readKitEvidence(`${RUN.join('\n')}\n${facts}`)?.runs[0]?.facts).toHaveLength(100);
    expect(readKitEvidence(Array(2000).fill(RUN.join('\n')).join('\n'))?.runs).toHaveLength(200);
    expect(readKitEvidence('Clew-record: '.repeat(300_000))).toBeUndefined();
    expect(readKitEvidence(' '.repeat(4_000_000))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('a backup', () => {
  it('has the values before the change', () => {
    expect(readKitEvidence(JSON.stringify(BACKUP))).toEqual({
      kind: 'backup',
      runs: [
        {
          ...run,
          ...{ change: 'change-01', host: '', facts: [{ fact: FACT, old: null }], after: null, code: null },
          saved: [
            { name: 'Number', value: '66048' },
            { name: 'WasSet', value: 'true' },
            { name: 'Hosts 0 Name', value: 'a?b' },
            { name: 'Hosts 0 Old', value: 'null' },
          ],
        },
      ],
    });
  });

  it('is refused without its members, and limited', () => {
    for (const name of ['Change', 'Time', 'Facts', 'Saved'])
      for (const value of [undefined, null, 1, 'x', []])
        if (!(name === 'Saved' && Array.isArray(value)))
          expect([name, value, readKitEvidence(JSON.stringify({ ...BACKUP, [name]: value }))]).toEqual([
            ...[name, value, undefined],
          ]);
    for (const text of ['{', '{}', 'null', '[]', '{"__proto__": 1}', ''])
      expect(readKitEvidence(text)).toBeUndefined();
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    expect(
      readKitEvidence(JSON.stringify(BACKUP).replace('66048', deep))?.runs[0]?.saved.length,
    ).toBeLessThan(10);
    const many = {
      ...BACKUP,
      Saved: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, 'x'.repeat(5000)])),
    };
    const saved = readKitEvidence(JSON.stringify(many))?.runs[0]?.saved ?? [];
    expect([saved.length, saved[0]?.value.length]).toEqual([10, 200]);
  });
});

it('every engine writes the lines that are read, and no line has a name of a collection', () => {
  for (const [name, text] of Object.entries(ENGINES)) {
    const written = [...text.matchAll(/Write-(?:Record|State) '([a-z]+)'/g)].map(([, record]) => record);
    expect([name, [...new Set(written)].sort()]).toEqual([
      name,
      ['after', 'before', 'change', 'code', 'computer', 'fact', 'host', 'mode', 'time'],
    ]);
    expect(text).toContain("'^[A-Za-z0-9._:-]{1,100}$'");
  }
});

it('the digests of a change are those of its facts and collected values', () => {
  const object = { objectId: 'S-1-5-21-1-2-3-500', kind: 'User' };
  const facts = {
    removed: [{ source: object, relation: 'GenericAll', target: object }],
    values: [{ object, property: 'enabled', now: true, wanted: false }],
  };
  const [relation, value] = digestsOf(facts as never);
  expect([relation, value]).toEqual([
    expect.stringMatching(/^[0-9a-f]{16}$/),
    expect.stringMatching(/^[0-9a-f]{16}:[0-9a-f]{16}$/),
  ]);
});
