/**
 * Definitions in the forms that public repositories have, with invented names and values: which members are there, which are empty, and how
 * values are written. Each with the warnings that its installation has to give, by their places.
 */
export interface PublishedDefinition {
  /** Says what is special about the form. */
  readonly form: string;
  readonly definition: {
    readonly schema: { readonly namespace: string; readonly [name: string]: unknown };
  } & Readonly<Record<string, unknown>>;
  /** Places of the warnings. */
  readonly warnings: readonly string[];
  /** Names to show of its node kinds, by kind. */
  readonly shown: Readonly<Record<string, string>>;
}

const kind = (name: string, more: object = {}) => ({
  ...{ name, display_name: '', description: '', is_display_kind: true, icon: 'server', color: '#42b9f5' },
  ...more,
});
const step = (name: string, is_traversable: boolean, more: object = {}) => ({
  ...{ name, description: '', is_traversable },
  ...more,
});

export const PUBLISHED_DEFINITIONS: readonly PublishedDefinition[] = [
  {
    form: 'every name to show is empty, the environment is a principal, findings are an empty list',
    definition: {
      schema: {
        name: 'LedgerHound',
        display_name: 'Ledger (LedgerHound)',
        version: 'v0.0.1',
        namespace: 'LEDGER',
      },
      node_kinds: [kind('LEDGER_Book'), kind('LEDGER_Clerk', { icon: 'user-gear' })],
      relationship_kinds: [step('LEDGER_Signs', true), step('LEDGER_Reads', false)],
      environments: [
        {
          ...{ environment_kind: 'LEDGER_Book', source_kind: 'LEDGER' },
          principal_kinds: ['LEDGER_Book', 'LEDGER_Clerk'],
        },
      ],
      relationship_findings: [],
    },
    warnings: ['/node_kinds/0/display_name', '/node_kinds/1/display_name'],
    shown: { LEDGER_Book: 'Book', LEDGER_Clerk: 'Clerk' },
  },
  {
    form: 'no findings at all, and an environment that is not a principal',
    definition: {
      schema: { name: 'DEPOT', display_name: 'Depot', version: 'v0.0.1', namespace: 'DEPOT' },
      node_kinds: [kind('DEPOT_Site', { icon: 'city' }), kind('DEPOT_Device', { display_name: 'Device' })],
      relationship_kinds: [step('DEPOT_HasClient', true)],
      environments: [
        { environment_kind: 'DEPOT_Site', source_kind: 'DEPOT', principal_kinds: ['DEPOT_Device'] },
      ],
    },
    warnings: ['/node_kinds/0/display_name'],
    shown: { DEPOT_Site: 'Site', DEPOT_Device: 'Device' },
  },
  {
    form: 'names to show of relationships, and neither environments nor findings',
    definition: {
      schema: { name: 'BeaconHound', display_name: 'BeaconHound', version: 'v0.7.0', namespace: 'BC' },
      node_kinds: [kind('BC_Agent', { display_name: 'Beacon Agent', icon: 'laptop' })],
      relationship_kinds: [step('BC_MemberOf', true, { display_name: 'Member Of' })],
    },
    warnings: [],
    shown: { BC_Agent: 'Beacon Agent' },
  },
  {
    form: 'an environment kind without looks, and all kinds as principals',
    definition: {
      schema: { name: 'Kiln', display_name: 'Kiln', version: 'v3.2.1', namespace: 'Kiln' },
      node_kinds: [
        { name: 'Kiln_Environment', display_name: 'Kiln environment', is_display_kind: false },
        kind('Kiln_Oven', { display_name: 'Oven', icon: 'fire' }),
      ],
      relationship_kinds: [step('Kiln_Heats', true, { description: 'Heats' })],
      environments: [
        { environment_kind: 'Kiln_Environment', source_kind: 'Kiln', principal_kinds: ['Kiln_Oven'] },
      ],
    },
    warnings: [],
    shown: { Kiln_Environment: 'Kiln environment', Kiln_Oven: 'Oven' },
  },
  {
    form: 'a version without v, no name to show, flags as texts, colors in another notation, an icon of an early release',
    definition: {
      schema: { name: 'quarry_hound', version: '1.0.0', namespace: 'QR' },
      node_kinds: [
        {
          ...{ name: 'QR_Pit', display_name: 'Pit', description: 'A pit', is_display_kind: 'true' },
          ...{ icon: 'group', color: '0xFF00FF' },
        },
        kind('QR_Miner', { display_name: 'Miner', color: '00FF00', icon: 'fa-solid fa-user' }),
      ],
      relationship_kinds: [step('QR_Digs', true)],
      environments: [{ environment_kind: 'QR_Pit', source_kind: 'QRBase', principal_kinds: ['QR_Miner'] }],
      relationship_findings: [
        {
          ...{ name: 'QR_DigsInto', display_name: 'Digs into a pit', environment_kind: 'QR_Pit' },
          relationship_kind: 'QR_Digs',
          remediation: {
            ...{ short_description: 'A miner digs', long_description: '# Digs\n\n1. **Look**\n2. Ask' },
            ...{ short_remediation: 'Stop it', long_remediation: '- [ ] stop' },
          },
        },
      ],
    },
    warnings: [
      ...['/schema/display_name', '/schema/version', '/node_kinds/0/is_display_kind'],
      ...['/node_kinds/0/icon', '/node_kinds/0/color', '/node_kinds/1/icon', '/node_kinds/1/color'],
    ],
    shown: { QR_Pit: 'Pit', QR_Miner: 'Miner' },
  },
  {
    form: 'icons that there are not, a color by its name, a namespace with its underscore, a version of two numbers',
    definition: {
      schema: { name: 'Tide', display_name: ' ', version: '2.1', namespace: 'TD_' },
      node_kinds: [kind('TD_Harbor', { icon: 'harbor-crane', color: 'teal' })],
      relationship_kinds: null,
    },
    warnings: [
      ...['/schema/display_name', '/schema/version', '/schema/namespace'],
      ...['/node_kinds/0/display_name', '/node_kinds/0/icon', '/node_kinds/0/color'],
    ],
    shown: { TD_Harbor: 'Harbor' },
  },
  {
    form: 'sections for the panels of kinds, and members that are not known',
    definition: {
      $schema: 'https://schemas.example/extension.json',
      schema: {
        name: 'Orchard',
        display_name: 'Orchard',
        version: 'v1.4.0-rc.2',
        namespace: 'Orch',
        author: 'A. Pear',
      },
      node_kinds: [
        kind('Orch_Tree', {
          display_name: 'Tree',
          info: {
            overview: {
              title: 'Overview',
              position: 1,
              markdown: { content: 'A tree.\n\n| a | b |\n|---|---|\n| 1 | 2 |' },
            },
            abuse: { title: 'What follows', position: 2, markdown: { content: '```\nlook\n```' } },
          },
        }),
      ],
      relationship_kinds: [step('Orch_Bears', true, { info: {} })],
      environments: [],
      relationship_findings: [],
    },
    warnings: ['/schema/author'],
    shown: { Orch_Tree: 'Tree' },
  },
];
