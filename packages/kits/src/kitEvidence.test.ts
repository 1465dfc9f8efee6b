import { describe, expect, it } from 'vitest';
import { ENGINES } from './engines/index.ts';
import { digestsOf, MAX_DIGESTS } from './factDigests.ts';
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
  record('changed', 'unknown'),
  record('changed', 'yes'),
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
    changed: 'yes',
    pending: false,
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

  it('says whether the script changed something, and whether the object still inherits the entry', () => {
    const asked = RUN.slice(0, -5);
    const read = (...more: string[]) => readKitEvidence([...asked, ...more].join('\n'))?.runs[0];
    expect(asked.at(-1)).toBe('State: not changed yet.');
    expect(read(record('code', '2'))).toMatchObject({ changed: 'no', after: false, pending: false, code: 2 });
    expect(read(record('changed', 'unknown'), record('code', '4'))).toMatchObject({
      ...{ changed: 'unknown', after: null, code: 4 },
    });
    const made = [record('changed', 'unknown'), record('changed', 'yes')];
    expect(read(...made, record('code', '4'))).toMatchObject({ changed: 'yes', after: null, code: 4 });
    const inherited = [record('after', 'other'), record('pending', 'yes'), record('code', '2')];
    expect(read(...made, ...inherited)).toMatchObject({
      changed: 'yes',
      after: false,
      pending: true,
      code: 2,
    });
    expect(read(record('changed', 'perhaps'), record('pending', 'perhaps'))).toMatchObject({
      ...{ changed: 'no', pending: false },
    });
  });

  it('costs no more than its length, and ends at the number of runs and facts', () => {
    const started = process.threadCpuUsage();
    const facts = Array(50_000).fill(record('fact', FACT)).join('\n');
    expect(readKitEvidence(`${RUN.join('\n')}\n${facts}`)?.runs[0]?.facts).toHaveLength(MAX_DIGESTS);
    expect(readKitEvidence(Array(2000).fill(RUN.join('\n')).join('\n'))?.runs).toHaveLength(200);
    const many = Array.from({ length: 300 }, (_, at) => RUN.join('\n').replace('ADMIN-7', `ADMIN-${at}`));
    expect(readKitEvidence(many.join('\n'))?.runs.at(-1)?.computer).toBe('ADMIN-299');
    expect(readKitEvidence('Clew-record: '.repeat(300_000))).toBeUndefined();
    expect(readKitEvidence(' '.repeat(4_000_000))).toBeUndefined();
    const { user, system } = process.threadCpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
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
          changed: 'unknown',
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

  it('shows the texts that the script keeps as base64, and no bytes', () => {
    const kept = (text: string) => Buffer.from(text, 'utf16le').toString('base64');
    const shown = (Saved: object) =>
      readKitEvidence(JSON.stringify({ ...BACKUP, Saved }))?.runs[0]?.saved.map(
        ({ name, value }) => `${name}: ${value}`,
      );
    expect(shown({ Group: '<SID=S-1-5-32-544>', Member: kept('CN=Bob,DC=\u0411') })).toEqual([
      ...['Group: <SID=S-1-5-32-544>', 'Member: CN=Bob,DC=\u0411'],
    ]);
    // A local group has the SID of its member.
    expect(shown({ Member: 'S-1-5-21-1-2-3-500' })).toEqual(['Member: S-1-5-21-1-2-3-500']);
    expect(shown({ Values: [kept('HTTP/web'), kept('a\u202eb')] })).toEqual([
      ...['Values 0: HTTP/web', 'Values 1: a?b'],
    ]);
    expect(shown({ Links: [{ At: 1, Link: kept('[LDAP://cn=x;0]') }] })).toEqual([
      ...['Links 0 At: 1', 'Links 0 Link: [LDAP://cn=x;0]'],
    ]);
    expect(shown({ Policy: kept('Clew change-01'), End: kept(''), Ids: ['q1'] })).toEqual([
      ...['Policy: Clew change-01', 'Ids 0: q1'],
    ]);
    expect(
      shown({ Azure: [{ Id: '/a/b', Condition: kept('@Request[x] = 1'), Description: kept('') }] }),
    ).toEqual([...['Azure 0 Id: /a/b', 'Azure 0 Condition: @Request[x] = 1']]);
    expect(shown({ Hosts: [{ Number: 0, Texts: [kept('1.2.3')], Text: kept('O:BA') }] })).toEqual([
      ...['Hosts 0 Number: 0', 'Hosts 0 Texts 0: 1.2.3', 'Hosts 0 Text: O:BA'],
    ]);
    expect(
      shown({ Entries: [{ Base: '<GUID=1>', At: 0, Ace: 'AAAkAP8BDwABBQAA' }], Bytes: ['AQUAAA=='] }),
    ).toEqual([...['Entries 0 Base: <GUID=1>', 'Entries 0 At: 0']]);
    // UTF-16 has an even number of bytes, and half of a pair is not a character.
    expect(shown({ Member: 'AQID' })).toEqual(['Member: AQID']);
    expect(shown({ Owner: `${'x'.repeat(199)}\u{1f600}` })).toEqual([`Owner: ${'x'.repeat(199)}?`]);
    expect(shown({ Member: kept('y'.repeat(1_000_000)) })).toEqual([`Member: ${'y'.repeat(200)}`]);
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
    expect([saved.length, saved[0]?.value.length]).toEqual([4, 200]);
    const small = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`n${at}`, at]));
    expect(readKitEvidence(JSON.stringify({ ...BACKUP, Saved: small }))?.runs[0]?.saved).toHaveLength(10);
  });
});

it('every key that an engine keeps as base64 is known to the reader', () => {
  const keys = Object.values(ENGINES).flatMap((text) =>
    [...text.matchAll(/(\w+) = @?\([^;}]*?ConvertTo-Kept/g)].map(([, name]) => name),
  );
  expect([...new Set(keys)].sort()).toEqual([
    ...['Condition', 'Description', 'End', 'Link', 'Member', 'Policy', 'Text', 'Texts', 'Values'],
  ]);
});

it('every engine writes the lines that are read, and no line has a name of a collection', () => {
  for (const [name, text] of Object.entries(ENGINES)) {
    const written = [...text.matchAll(/Write-(?:Record|State) '([a-z]+)'/g)].map(([, record]) => record);
    expect([name, [...new Set(written)].sort()]).toEqual([
      name,
      ['after', 'before', 'change', 'changed', 'code', 'computer', 'fact', 'host', 'mode', 'pending', 'time'],
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

it('all facts of the longest script are read from its transcript', () => {
  const values = Array.from({ length: MAX_DIGESTS + 1 }, (_, at) => ({
    ...{ object: { objectId: `S-1-5-21-1-2-3-${at}`, kind: 'User' }, property: 'enabled' },
    ...{ now: at, wanted: false },
  }));
  const written = digestsOf({ removed: [], values } as never);
  const text = [...RUN, ...written.map((fact) => record('fact', fact))]
    .join('\n')
    .replace(`${FACT}:${OLD}`, '-');
  const read = readKitEvidence(text)?.runs[0]?.facts ?? [];
  expect(read.map(({ fact, old }) => `${fact}:${old}`)).toEqual(written);
  expect(written).toHaveLength(MAX_DIGESTS);
});
