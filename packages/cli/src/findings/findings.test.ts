/** Tests findings on a terminal and on a page, with the most hostile names that directories allow. */
import type { DifferenceRecord, Finding, PostureSummary, UnifiedFindingRow, UnifiedGraph } from '@clew/api';
import { builtInPhrase } from '@clew/connector';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { testScreen } from '../../test/testScreen.ts';
import { causeText } from '../commands/diff.ts';
import { formatStory } from '../commands/finding.ts';
import { formatFindings } from '../commands/findings.ts';
import { formatPosture } from '../commands/posture.ts';
import { escapeHtml, html } from '../report/html.ts';
import { markdownToHtml } from '../report/markdown.ts';
import { reportPage } from '../report/page.ts';
import { sparkLine } from '../terminal/spark.ts';
import type { Story } from './readFindings.ts';
import { formatMeasure, type Posture } from './readPosture.ts';

const HOSTILE = `<script>alert(1)</script>"' onload=x\u001b[2J\u202e\r\n${'A'.repeat(10_000)}`;
/** C0 and C1 control characters except the line feed, and bidirectional marks. */
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/;

const row = (over: Partial<UnifiedFindingRow> = {}): UnifiedFindingRow => ({
  id: 7,
  severity: 'critical',
  finding: 'T0GenericAll',
  title: 'Full Control of Tier Zero Objects',
  finding_type: 'relationship',
  platform: 'ad',
  environment_id: 'S-1-5-21-1',
  environment_name: 'CORP.LOCAL',
  asset_group_tag_id: 1,
  zone_name: 'Tier Zero',
  source_principal_id: 'S-1-5-21-1-1101',
  source_principal_kind: 'User',
  source_principal_name: 'EVE@CORP.LOCAL',
  target_principal_id: 'S-1-5-21-1-512',
  target_principal_kind: 'Group',
  target_principal_name: 'DOMAIN ADMINS@CORP.LOCAL',
  exposure_count: 1200,
  exposure_percentage: 0.96,
  impact_count: 12,
  impact_percentage: 0.012,
  status: 'active',
  group_id: '0123456789abcdef',
  exposure_from: [],
  first_seen: '2026-01-02T03:04:05.000000Z',
  last_seen: '2026-01-02T03:04:05.000000Z',
  ...{ began_by: 'data', changed_by: 'data', rules_version: '0123456789ab' },
  ...{ owner_id: null, owner_name: null },
  ...over,
});

function story(name = 'EVE@CORP.LOCAL'): Story {
  const node = (objectId: string, label: string, kind: string) => ({
    ...{ objectId, label, kind, kinds: [kind], lastSeen: '', isOwnedObject: false },
    isTierZero: kind === 'Group',
  });
  const graph: UnifiedGraph = {
    nodes: { 1: node('S-1-5-21-1-1101', name, 'User'), 2: node('S-1-5-21-1-512', name, 'Group') },
    edges: [{ source: '1', target: '2', label: 'GenericAll', kind: 'GenericAll', lastSeen: '' }],
  };
  const finding = {
    FromPrincipal: 'S-1-5-21-1-1101',
    RelProps: { kind: 'GenericAll' },
    IsInherited: true,
    ExposurePercentage: 0.96,
    ExposureCount: 1200,
    ImpactPercentage: 0.012,
    ImpactCount: 12,
  } as unknown as Finding;
  const names = { source_principal_name: name, target_principal_name: name, environment_name: name };
  return {
    row: row(names),
    finding,
    path: { graph, from: 'S-1-5-21-1-1101', to: 'S-1-5-21-1-512' },
  };
}

const posture = (name = 'CORP.LOCAL', values: readonly number[] = [40, 20, 10]): Posture => ({
  environment: {
    ...{ type: 'active-directory', name, id: 'S-1-5-21-1', collected: true, impactValue: 0 },
    environment_kind_id: 1,
    environment_kind_name: 'Domain',
    environment_kind_display_name: 'Domain',
  },
  measures: [
    {
      title: 'Findings',
      unit: '',
      days: values.map((value, at) => ({ date: `2026-01-0${at + 1}T00:00:00.000000Z`, value })),
    },
  ],
});

describe('the table of findings', () => {
  it('shows severity, exposure, impact and both ends', () => {
    expect(formatFindings(testScreen().screen, [row()])).toBe(
      [
        'ID  SEVERITY  EXPOSED  IMPACT  FINDING                            FROM            TO                        ENVIRONMENT',
        ' 7  critical    96.0%    1.2%  Full Control of Tier Zero Objects  EVE@CORP.LOCAL  DOMAIN ADMINS@CORP.LOCAL  CORP.LOCAL',
        '',
      ].join('\n'),
    );
  });

  it('has no exposure for list findings', () => {
    const list = row({ finding_type: 'list', source_principal_id: '', source_principal_name: '' });
    expect(formatFindings(testScreen().screen, [list])).not.toContain('96.0%');
  });
});

describe('the story of a finding', () => {
  it('shows source, relationship, target, path, and how to fix it', () => {
    const text = formatStory(testScreen().screen, story(), {
      ...{ why: 'Because.', how: '# Fix\n\n1. Remove it.', phraseOf: builtInPhrase },
    });
    for (const part of [
      'EVE@CORP.LOCAL',
      'has full control of, inherited',
      '96.0%',
      'Because.',
      '1. Remove it.',
      '1 step',
    ])
      expect(text).toContain(part);
  });

  it('says that an object without a description was only mentioned', () => {
    const one = (name: string, is_described: boolean) => ({
      ...{ object_id: name, name, kind: 'Domain', is_described },
      last_seen: '2026-11-25T12:00:00.000000Z' as const,
    });
    const none = { values: [], relations: [], advice: [], repairs: [], attack_path: null, closed: null };
    const text = formatStory(
      testScreen().screen,
      story(),
      { why: '', how: '', phraseOf: builtInPhrase },
      {
        ...{ generation: 7, ...none, seen: [one('CORP.EXAMPLE', true), one('PARTNER.EXAMPLE', false)] },
        ...{ relations_are_complete: true, repairs_are_complete: true },
      },
    );
    expect(text).toMatch(/CORP\.EXAMPLE {2}last collected 2026/);
    expect(text).toMatch(/PARTNER\.EXAMPLE {2}last mentioned 2026/);
  });

  it('shows since when the finding is closed', () => {
    const none = { values: [], relations: [], advice: [], seen: [], repairs: [], attack_path: null };
    const closed = { status: 'remediated', at: '2026-11-25T12:00:00.000000Z' } as const;
    const text = formatStory(
      testScreen().screen,
      story(),
      { why: '', how: '', phraseOf: builtInPhrase },
      { generation: 7, closed, ...none, relations_are_complete: true, repairs_are_complete: true },
    );
    expect(text).toContain('Closed (remediated) since 2026-11-25, so it has no path in the current graph.');
  });

  it('shows of each repair whether it closes the finding, its cost, who loses access and its risk', () => {
    const group = { object_id: 'S-1-5-21-1-512', name: 'DOMAIN ADMINS@CORP.LOCAL', kind: 'Group' };
    const repair = (title: string, closes: boolean, cost: number, affected: number | null) => ({
      ...{
        repair: { kind: 'remove-member', object_id: group.object_id },
        object: group,
        is_inherited: false,
      },
      ...{ inherited_from: null, title, change: `Do ${title}.`, check: '', risk: `Stops ${title}.` },
      ...{ change_count: 1, values: [], affected_count: affected, affected_holders: [], cost, closes },
    });
    const none = { values: [], relations: [], advice: [], seen: [], attack_path: null, closed: null };
    const text = formatStory(
      testScreen().screen,
      story(),
      { why: '', how: '', phraseOf: builtInPhrase },
      {
        ...{ generation: 7, ...none, relations_are_complete: true, repairs_are_complete: true },
        repairs: [repair('the first', true, 1, 2), repair('the second', false, 8.25, null)],
      },
    );
    expect(text).toContain(
      [
        '  - the first',
        '    closes the finding, cost 1 (low), 2 users and computers lose access',
        '    Do the first.',
        '    Risk: Stops the first.',
        '  - the second',
        '    removes one of several ways, cost 8.3 (very high)',
        '    Do the second.',
        '    Risk: Stops the second.',
        '',
      ].join('\n'),
    );
  });

  it('stays safe with any names', () => {
    const text = formatStory(testScreen().screen, story(HOSTILE), {
      ...{ why: HOSTILE, how: HOSTILE, phraseOf: () => HOSTILE },
    });
    expect(text).not.toMatch(UNSAFE);
  });
});

describe('posture', () => {
  it('has one bar per day, with the change over time', () => {
    expect(formatPosture(testScreen().screen, posture())).toMatch(
      /^CORP\.LOCAL\n {2}Findings {2}10 {2}█▅▃ -30\n$/,
    );
  });

  it('reports that no analysis ran', () => {
    expect(formatPosture(testScreen().screen, posture('X', []))).toBe('X\n  no analysis in this period\n');
  });

  it('has one bar for each of the latest values that fit', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000)), fc.integer({ min: 1, max: 40 }), (values, width) => {
        const bars = [...sparkLine({ hasUnicode: true }, values, width)];
        expect(bars).toHaveLength(Math.min(values.length, width));
        const shown = values.slice(-width);
        const most = Math.max(...shown, 0);
        for (const [at, value] of shown.entries()) if (value === most && most > 0) expect(bars[at]).toBe('█');
      }),
    );
  });

  it.each([
    [1234, '', '1,234'],
    [12.34, '%', '12.3%'],
    [0, '%', '0%'],
  ])('%d is written %s', (value, unit, text) => expect(formatMeasure(value, unit)).toBe(text));
});

describe('HTML', () => {
  it('never lets text become markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeHtml(text);
        expect(escaped).not.toMatch(/[<>"']/);
        expect(escaped.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
        expect(html`<p title="${text}">${[text]}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`);
      }),
    );
  });

  it('renders only the markdown of the texts', () => {
    expect(markdownToHtml('# A <b>\n\n1. one `x`\n2. two\n\n- [t](https://x.test/?a=1&b)\n\nend').html).toBe(
      [
        '<h4>A &lt;b&gt;</h4>',
        '<ol><li>one <code>x</code></li><li>two</li></ol>',
        '<ul><li><a href="https://x.test/?a=1&amp;b" rel="noreferrer">t</a></li></ul>',
        '<p>end</p>',
      ].join('\n'),
    );
    expect(markdownToHtml('[t](javascript:alert(1))').html).not.toContain('href');
  });
});

const summary = (name: string): PostureSummary => ({
  asset_group_tag_id: 1,
  score: {
    value: 41,
    parts: [{ name: 'exposure', points: 12.5, most: 60, because: `much comes in over ${name}` }],
  },
  findings: { critical: 1, high: 0, moderate: 0, low: 0 },
  overdue: { critical: 0, high: 0, moderate: 0, low: 0 },
  types: [
    {
      ...{ finding: 'T0GenericAll', title: name, category: 'Tier Zero Attack Paths', techniques: ['T1098'] },
      ...{ count: 1234, part_count: 0, came_count: 7, went_count: 0 },
    },
  ],
  authority_answers: [],
  not_reported: [],
  analysis_changes: [
    {
      at: '2026-01-03T08:00:00.000000Z',
      cause: 'zones',
      rules_version: 'b',
      came_count: 1,
      went_count: 2,
      because: [],
    },
    {
      at: '2026-01-03T09:00:00.000000Z',
      cause: 'zones',
      rules_version: 'b',
      came_count: 0,
      went_count: 3,
      because: [],
    },
  ],
  environments: [
    {
      ...{
        environment_id: 'S-1',
        name,
        type: 'active-directory',
        collected: true,
        collected_at: null,
        exposure: 0.25,
        principals: 12,
      },
      not_read: ['certificate-services'],
      not_said: [{ fields: ['haslaps'], findings: [name] }],
      ...{ users: 9, computers: 8, groups: 7, controllers: 2, authorities: 1, administrators: 3, trusts: 0 },
      ...{ active_computers: 4, session_computers: 3, group_computers: 0 },
    },
  ],
});

const difference = (name: string): DifferenceRecord => {
  const someone = { object_id: 'S-2', name, kind: 'User' };
  const none = { came_count: 0, went_count: 0 };
  return {
    from: { generation: 1, published_at: '2026-01-01T00:00:00.000000Z', rules_version: 'a' },
    to: { generation: 2, published_at: '2026-01-05T00:00:00.000000Z', rules_version: 'b' },
    ...{ reaches_back: true, asset_group_tag_id: 1, came_together: 4, went_together: 0 },
    not_shown: [],
    objects: { ...none, changed_count: 0, came: [], went: [], changed: [] },
    relations: { came_count: 1, went_count: 0, kinds: [], came: [], went: [] },
    settings: {
      changed_count: 1,
      changed: [{ ...someone, property: 'machineaccountquota', before: 0, after: name }],
    },
    findings: {
      ...none,
      types: [],
      causes: {
        ...{ data: none, rules: none, zones: none, answers: none, several: none },
        acceptance: { accepted_count: 0, ended_count: 0 },
      },
      because: [],
    },
    exposure: [{ environment_id: 'S-1', environment_name: name, before: 0.1, after: 0.5 }],
    moved_by: [
      {
        ...{ change: 'came', source: someone, target: someone, kinds: ['GenericAll'] },
        ...{ principal_count: 4, because: [] },
      },
    ],
  };
};

describe('a difference with one cause', () => {
  const textFor = (by: Parameters<typeof causeText>[2]): string => {
    const data = difference('CORP.LOCAL');
    const types = [{ finding: 'T0GenericAll', title: 'Full Control', came_count: 2, went_count: 5 }];
    const acceptance = { accepted_count: 3, ended_count: 1 };
    const findings = { ...data.findings, came_count: 2, went_count: 5, types };
    return causeText(
      testScreen().screen,
      { ...data, findings: { ...findings, causes: { ...findings.causes, acceptance } } },
      by,
    );
  };

  it('counts acceptances, and their ends', () => {
    expect(textFor('acceptance')).toContain('  findings    3 accepted, 1 acceptance ended\n');
  });

  it.each([
    ['data', 'because the data changed'],
    ['rules', 'because the rules changed, perhaps together with data or zones'],
    ['zones', 'because zones were edited, perhaps together with data or rules'],
  ] as const)('shows that findings started and ended by %s', (by, reason) => {
    expect(textFor(by)).toMatch(new RegExp(`^  findings    .*2.*5.* ${reason}$`, 'm'));
    expect(textFor(by)).toMatch(/^ *\+2 +-5 +Full Control$/m);
    expect(textFor(by).includes('rules a -> b')).toBe(by === 'rules');
  });
});

describe('the report', () => {
  it('reports unread data, and the effect of zone edits without a plan', () => {
    const text = page('CORP.LOCAL');
    expect(text).toContain('<p>Not collected from CORP.LOCAL: AD CS.</p>');
    expect(text).toContain(
      '<p>Note: on 2026-01-03 zones were edited; 1 finding opened and 5 closed because of that. Figures before and after are not comparable.</p>',
    );
  });

  const page = (name: string) =>
    reportPage({
      phraseOf: builtInPhrase,
      madeAt: new Date('2026-01-05T10:00:00Z'),
      server: 'http://clew.test',
      days: 30,
      summary: summary(name),
      difference: difference(name),
      postures: [posture(name)],
      counts: [['critical', 3]],
      stories: [story(name)],
      texts: [
        {
          anchor: 'T0GenericAll-1',
          title: 'Full Control',
          description: 'Why.',
          remediation: '1. Remove it.',
        },
      ],
    });

  it('has charts, findings with their path, and remedies, and loads nothing', () => {
    const text = page('EVE@CORP.LOCAL');
    for (const part of [
      '<polyline',
      'EVE@CORP.LOCAL',
      '↓ has full control of',
      '<ol><li>Remove it.</li></ol>',
      '1 most urgent of 3',
      '<b>41</b> of 100',
      'exposed 10.0% -> 50.0%',
      'new: lets in 4 principals',
      'machineaccountquota 0 ->',
      '12.5 of 60',
      '1,234',
      '+7',
      'T1098',
      '75.0%',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/<(script|img|link|iframe)|@import|url\(/);
  });

  it('stays safe with any names', () => {
    const text = page(HOSTILE);
    expect(text).not.toContain('<script');
    expect(text).not.toMatch(UNSAFE);
    // Exactly the elements of a harmless report: no name became one.
    const elements = (made: string) => made.match(/<[a-z!/][^\s>]*/g);
    expect(elements(text)).toEqual(elements(page('EVE')));
  });
});
