/** Tests kits: reproducible bytes, complete engines, and a readme that untrusted names do not change. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readPowerShell } from '../test/powershell.ts';
import { cloudMembership, KINDS, sampleFacts } from '../test/sampleFacts.ts';
import { isScripted } from './change.ts';
import { changeKit } from './changeKit.ts';
import { ENGINES } from './engines/index.ts';
import type { KitInput } from './plannedChange.ts';
import { planOf } from './planOf.ts';

const NAMES = { object: 'HOST.CORP.EXAMPLE', principal: 'ANN@CORP.EXAMPLE' };

const inputOf = (
  kind: (typeof KINDS)[number],
  names = NAMES,
  facts = sampleFacts(kind, names),
): KitInput => ({
  ...{ facts, title: `Change ${names.object}`, affected: 3 },
  ...{ change: 'Change it.', check: 'It is changed.', risk: 'Something may stop.' },
});

/** Kinds of manual changes. */
const BY_HAND = [
  ...[
    'authority-web-enrollment',
    'remove-policy-member',
    'remove-logon-right',
    'filter-trust',
    'protect-host',
  ],
  ...['unsynchronize'],
];

describe('a change kit', () => {
  it('has a script, or steps with the reason, for every kind', () => {
    const found = KINDS.filter((kind) => !isScripted(planOf(sampleFacts(kind, NAMES))));
    expect(found.sort()).toEqual([...BY_HAND].sort());
    const { changes } = changeKit(KINDS.map((kind) => inputOf(kind)));
    for (const { script, why, steps } of changes)
      if (script === null) expect([why, ...steps].every((text) => (text ?? '').length > 20)).toBe(true);
      else expect(script).toContain('$Change = @{');
  });

  it('is reproducible, with a digest of every file', () => {
    const [one, other] = [
      changeKit(KINDS.map((kind) => inputOf(kind))),
      changeKit(KINDS.map((kind) => inputOf(kind))),
    ];
    expect(one).toEqual(other);
    const sums = one.files.find((file) => file.name === 'SHA256SUMS')?.text ?? '';
    for (const { name, text } of one.files.filter((file) => file.name !== 'SHA256SUMS'))
      expect(sums).toContain(`${createHash('sha256').update(text).digest('hex')}  ${name}\n`);
  });

  it('says above each script what may stop, and that a change has no Undo', () => {
    const { changes } = changeKit([
      { ...inputOf('clear-sid-history'), risk: 'Files of OLD\n; calc stop.' },
      inputOf('template-approval'),
    ]);
    const [history = '', approval = ''] = changes.map(({ script }) => script ?? '');
    const head = (script: string): string => script.slice(0, script.indexOf('#Requires'));
    expect(head(history)).toContain('# May stop: Files of OLD\\u000A; calc stop.\n');
    expect(head(history)).toContain('# This change cannot be undone');
    expect(history).toContain('  CanUndo = $false\n');
    expect(head(approval)).toContain('# May stop: Something may stop.\n');
    expect(head(approval)).not.toContain('cannot be undone');
    expect(approval).toContain('  CanUndo = $true\n');
  });

  it('asks before the change: in the readme, above the script, in its table, and before its steps', () => {
    const question = 'Does *SYNC* read password hashes? If so, leave this change out.';
    const asking = (kind: (typeof KINDS)[number]): KitInput => ({ ...inputOf(kind), questions: [question] });
    const [asked, manual] = [asking('remove-permission'), asking('filter-trust')];
    const { files, changes } = changeKit([asked, manual]);
    const [readme, script] = ['README.md', 'change-01.ps1'].map(
      (file) => files.find(({ name }) => name === file)?.text ?? '',
    );
    expect(readme?.match(/^- \*\*Ask first\*\*: Does \\\*SYNC\\\* read password hashes\?.*$/gm)).toHaveLength(
      2,
    );
    expect(script).toContain('# Ask first: Does *SYNC* read password hashes');
    expect(script).toContain(`  Questions = @(\n    '${question}'\n  )`);
    for (const { steps } of changes) expect(steps[0]).toBe(`Ask first: ${question}`);
    // Declared changes have no questions, so that an answer does not make another backup.
    const declaredIn = (inputs: readonly KitInput[]) =>
      changeKit(inputs).files.find(({ name }) => name === 'changes.json');
    expect(declaredIn([asked])).toEqual(declaredIn([inputOf('remove-permission')]));
    expect(changeKit([inputOf('remove-permission')]).files[0].text).not.toContain('Ask first');
  });

  it('warns of denied service accounts, and exempts accounts only of logons that are separated', () => {
    const filesOf = (kind: (typeof KINDS)[number]) =>
      Object.fromEntries(changeKit([inputOf(kind)]).files.map(({ name, text }) => [name, text]));
    const separate = filesOf('separate-logons');
    const warning = /ANN.*CORP.EXAMPLE is a service account in HOST.CORP.EXAMPLE: its services stop/;
    for (const name of ['README.md', 'change-01.ps1']) {
      expect(separate[name]).toMatch(warning);
      expect(separate[name]).toContain('-Exempt: SIDs of accounts');
    }
    expect(separate['change-01.ps1']).toContain('[string[]] $Exempt = @()');
    expect(filesOf('keep-off')['change-01.ps1']).not.toContain('Exempt');
  });

  it('declares what the table of the script contains', () => {
    const { files } = changeKit([inputOf('template-approval')]);
    const [declared] = JSON.parse(files.find(({ name }) => name === 'changes.json')?.text ?? '');
    expect(declared).toMatchObject({
      ...{
        engine: 'Attribute',
        settings: { Attribute: 'msPKI-Enrollment-Flag', Operation: 'SetBits', Number: 2 },
      },
      can_be_undone: true,
    });
  });

  it('has no script with an invalid id, or without a required fact', () => {
    const facts = sampleFacts('remove-member', NAMES);
    const principal = { ...facts.object, sid: "S-1-5-21-1'; calc; '", guid: null };
    expect(isScripted(planOf({ ...facts, principal }))).toBe(false);
    const vm = sampleFacts('remove-relation', NAMES);
    const scope = { ...vm.object, objectId: '/SUBSCRIPTIONS/1/RESOURCEGROUPS/A)B' };
    expect(isScripted(planOf({ ...vm, object: scope }))).toBe(false);
    const owner = {
      ...sampleFacts('change-owner', NAMES),
      facts: { 'new-owner': { missing: 'Its domain is unknown.' } },
    };
    expect(planOf(owner)).toMatchObject({ why: 'Its domain is unknown.' });
  });

  it('looks for an entry at its origin: the object, the container, its parents, AdminSDHolder', () => {
    const facts = sampleFacts('remove-permission', NAMES);
    const inherited = facts.removed.map((one) => ({ ...one, isInherited: true }));
    const unit = { ...facts.object, sid: null, guid: '0000000b-aaaa-bbbb-cccc-dddddddddddd' };
    const placesOf = (more: Partial<typeof facts>) => {
      const plan = planOf({ ...facts, ...more });
      return isScripted(plan) ? (plan.settings.Places as { Kind: string }[]).map(({ Kind }) => Kind) : [];
    };
    expect(placesOf({})).toEqual(['Object']);
    expect(
      placesOf({ removed: inherited, facts: { container: { value: unit }, protection: { value: null } } }),
    ).toEqual(['Container']);
    expect(
      placesOf({ removed: inherited, facts: { container: { missing: 'X' }, protection: { value: null } } }),
    ).toEqual(['Above']);
    expect(placesOf({ facts: { container: { value: null }, protection: { value: 'unknown' } } })).toEqual([
      'AdminSDHolder',
      'Object',
    ]);
    expect(placesOf({ facts: { container: { value: null }, protection: { value: 'own' } } })).toEqual([
      'Object',
    ]);
    expect(isScripted(planOf({ ...facts, removed: [] }))).toBe(false);
  });

  it('notes that a policy of one domain does not reach computers of others', () => {
    const facts = sampleFacts('separate-logons', NAMES);
    const account = sampleFacts('remove-member', NAMES).principal!;
    const computer = { ...facts.object, domain: { sid: 'S-1-5-21-9-9-9', name: 'OTHER.EXAMPLE' } };
    const sessions = { value: [{ computer, account }] };
    expect(planOf({ ...facts, facts: { ...facts.facts, sessions } })).toMatchObject({
      asks: expect.stringContaining('computers of other domains (1)'),
    });
    expect(planOf(facts)).toMatchObject({ asks: expect.stringMatching(/start with pilot computers$/) });
    // The policy has to reach the computers of its own domain.
    const own = { computer: sampleFacts('keep-off', NAMES).object, account };
    const both = { value: [...sessions.value, own, own] };
    expect(planOf({ ...facts, facts: { ...facts.facts, sessions: both } })).toMatchObject({
      settings: { Computers: ['<SID=S-1-5-21-1-2-3-1106>'] },
    });
    for (const kind of ['keep-off', 'computer-smb-signing'] as const)
      expect(planOf(sampleFacts(kind, NAMES))).toMatchObject({
        settings: { Computers: ['<SID=S-1-5-21-1-2-3-1106>'] },
      });
  });

  it('finds links of a policy by its name and domain, which the domain of the container need not be', () => {
    const facts = sampleFacts('unlink-policy', NAMES);
    const nameIn = (domain: string): string =>
      `cn={31b2f340-016d-11d2-945f-00c04fb984f9},cn=policies,cn=system,${domain}`;
    expect(planOf(facts)).toMatchObject({
      settings: { Domain: { Name: 'corp.example' }, ValuesOf: [], Values: [nameIn('dc=corp,dc=example')] },
    });
    const other = { ...facts.object, domain: { sid: 'S-1-5-21-9-9-9', name: 'OTHER.EXAMPLE' } };
    const named = (value: string) => ({ ...facts, object: other, facts: { 'policy-name': { value } } });
    expect(planOf(named(nameIn('dc=other,dc=example')))).toMatchObject({
      settings: { Domain: { Name: 'corp.example' }, Values: [nameIn('dc=other,dc=example')] },
    });
    // Names that are of another domain, or of no policy, are not matched with links.
    for (const name of [nameIn('dc=corp,dc=example'), "cn={31b2f340'},cn=policies", ''])
      expect(planOf(named(name))).toMatchObject({ why: expect.stringContaining('distinguished name') });
    expect(planOf({ ...facts, object: { ...other, domain: null } })).toHaveProperty('why');
    expect(planOf({ ...facts, facts: { 'policy-name': { missing: 'Unknown.' } } })).toMatchObject({
      why: 'Unknown.',
    });
  });

  it('identifies an application by its appId, and removes permissions only from service principals', () => {
    const facts = sampleFacts('remove-relation', NAMES);
    const id = '0000000a-aaaa-bbbb-cccc-dddddddddddd';
    const ofApp = { ...facts.object, kind: 'AZApp', objectId: id.toUpperCase(), guid: id };
    expect(planOf({ ...facts, object: ofApp, relations: ['AZOwns'] })).toMatchObject({
      settings: { Path: `applications(appId='${id}')/owners` },
    });
    const relations = ['AZMGGroup_ReadWrite_All'] as const;
    expect(isScripted(planOf({ ...facts, object: ofApp, relations }))).toBe(false);
    const principal = { ...facts.object, kind: 'AZServicePrincipal', guid: id };
    expect(isScripted(planOf({ ...facts, principal, object: ofApp, relations }))).toBe(true);
  });

  it('has the text of the change as steps where no engine and no command of Azure applies', () => {
    const facts = sampleFacts('remove-relation', NAMES);
    const elsewhere = { ...facts.object, kind: '', objectId: 'DESK-1', tenant: null };
    const texts = {
      ...{ title: 'Remove it', affected: null, risk: 'Something may stop.' },
      ...{ change: 'Open the user in the administration of Desk.', check: 'The user lacks the role.' },
    };
    const ofDesk = { ...facts, object: elsewhere, relations: ['Desk_AdminOf'] as never };
    const whole = [texts.change, `Successful if: ${texts.check}`];
    const { files, changes } = changeKit([
      { ...texts, facts: ofDesk },
      { ...texts, facts: { ...ofDesk, relations: ['AZGetSecrets', 'AZOwner'], object: facts.object } },
      { ...texts, facts: { ...sampleFacts('remove-member', NAMES), principal: undefined as never } },
    ]);
    expect(changes[0]).toMatchObject({ script: null, steps: whole });
    expect(changes[0]?.why).toContain('of a platform that the scripts');
    expect(changes[1]?.steps.join(' ')).toContain('az role assignment delete');
    const nodes = { ...ofDesk, relations: ['AZNodeResourceGroup'] as const, object: facts.object };
    expect(changeKit([{ ...texts, facts: nodes }]).changes[0]?.steps).toEqual(whole);
    expect(changes[2]).toMatchObject({ script: null, steps: whole, why: 'The change has no principal.' });
    const [one] = JSON.parse(files.find(({ name }) => name === 'changes.json')?.text ?? '');
    expect(one.steps).toEqual(whole);
    const readme = files[0]?.text ?? '';
    expect(readme.slice(0, readme.indexOf('## 2.')).split(texts.change)).toHaveLength(2);
  });

  it('has the command that changes an access policy for permissions of a vault', () => {
    const facts = sampleFacts('remove-relation', NAMES);
    const object = { ...facts.object, kind: 'AZKeyVault', objectId: '/SUBSCRIPTIONS/1/VAULTS/KEYS-1' };
    const stepsOf = (objectId: string, ...relations: readonly string[]) => {
      const plan = planOf({ ...facts, object: { ...object, objectId }, relations: relations as never });
      return isScripted(plan) ? '' : plan.steps.join(' ');
    };
    expect(stepsOf(object.objectId, 'AZGetSecrets')).toContain(
      'az keyvault set-policy --name keys-1 --object-id ID --secret-permissions OTHERS.',
    );
    const both = stepsOf(object.objectId, 'AZGetKeys', 'AZGetCertificates');
    expect(both).toContain('--key-permissions OTHERS --certificate-permissions OTHERS');
    expect(both).not.toContain('role assignment');
    expect(stepsOf('/VAULTS/A;calc', 'AZGetSecrets')).not.toContain('calc');
  });

  it('removes an Azure role at the scopes of its assignments, which may be above the object', () => {
    const facts = sampleFacts('remove-relation', NAMES);
    const root = '/PROVIDERS/MICROSOFT.MANAGEMENT/MANAGEMENTGROUPS/11111111-2222-3333-4444-555555555555';
    const planAt = (scopes: readonly string[]) =>
      planOf({
        ...{
          ...facts,
          relations: ['AZUserAccessAdministrator'],
          object: { ...facts.object, objectId: root },
        },
        facts: { 'assignment-scopes': { value: scopes } },
      });
    expect(planAt([])).toMatchObject({ settings: { Scopes: [root] } });
    expect(planAt(['/', root])).toMatchObject({
      settings: { Scopes: ['/', root] },
      needs: expect.stringContaining('elevated access'),
    });
    for (const hostile of ["/'; calc", '//', '/a b', '']) expect(isScripted(planAt([hostile]))).toBe(false);
  });

  it('changes members of a group where Entra ID allows it, by an administrator who may', () => {
    expect(planOf(cloudMembership({ isRoleAssignable: true }))).toMatchObject({
      needs: 'owner of the group, or Privileged Role Administrator (RoleManagement.ReadWrite.Directory)',
    });
    expect(planOf(cloudMembership({ isRoleAssignable: false }))).toMatchObject({
      needs: 'owner of the group, or Groups Administrator (GroupMember.ReadWrite.All)',
    });
    expect(planOf(cloudMembership({}))).toMatchObject({ needs: expect.stringContaining('can have roles') });
    const synchronized = planOf(
      cloudMembership({ isSynchronized: true, onPremisesSid: 'S-1-5-21-1-2-3-1105' }),
    );
    expect(synchronized).toMatchObject({
      why: expect.stringContaining('synchronized from Active Directory'),
    });
    expect(JSON.stringify(synchronized)).toContain('Get-ADGroup -Identity S-1-5-21-1-2-3-1105');
    expect(planOf(cloudMembership({ isSynchronized: true }))).toMatchObject({
      steps: expect.arrayContaining([expect.stringContaining('onPremisesSecurityIdentifier')]),
    });
    expect(planOf(cloudMembership({ hasRule: true }))).toMatchObject({
      why: expect.stringContaining('rule'),
    });
    const owner = { ...cloudMembership({ isRoleAssignable: true }), kind: 'remove-relation' as const };
    expect(planOf({ ...owner, relations: ['AZOwns'] })).toMatchObject({
      needs: expect.stringContaining('Privileged Role Administrator'),
    });
  });

  it('has the folder of a policy in SYSVOL in its steps, and reports no success on the directory alone', () => {
    for (const kind of ['remove-permission', 'change-owner'] as const) {
      const facts = sampleFacts(kind, NAMES);
      const kitOf = (object: typeof facts.object) => changeKit([inputOf(kind, NAMES, { ...facts, object })]);
      const guid = '0000000b-aaaa-bbbb-cccc-dddddddddddd';
      const ofPolicy = kitOf({ ...facts.object, kind: 'GPO', sid: null, guid });
      const [change] = ofPolicy.changes;
      const texts = [
        ofPolicy.files[0].text.replaceAll('\\', ''),
        change.script ?? '',
        change.steps.join('\n'),
      ];
      for (const text of texts) {
        expect(text).toContain('Group Policy Management');
        expect(text).toContain(`/remove:g *${facts.principal?.sid}`);
      }
      const ofUser = kitOf(facts.object);
      expect(ofUser.changes[0].steps).toEqual(['Change it.']);
      expect(ofUser.files[0].text).not.toContain('SYSVOL');
    }
    const { AccessList } = ENGINES;
    // Both operations pass their state through the check of the folder.
    expect(AccessList.match(/return Test-PolicyFolder @\{ Reached = /g)).toHaveLength(2);
    expect(AccessList).not.toContain('return @{ Reached');
    expect(AccessList).toMatch(/if \(\$isPassed\) \{ \$lines \+= 'Objects below: '/);
    expect(AccessList).toContain('$State.Reached = $false\n  $State.IsPending = $true');
  });

  it('has the text of the change in the readme and in the comments of a script', () => {
    const change = 'Restart HOST, so that no session data stays in memory.';
    const { files, changes } = changeKit([{ ...inputOf('keep-off'), change }]);
    expect(files[0].text).toContain(`- Change: ${change}\n- Script: `);
    expect(files.find(({ name }) => name === 'change-01.ps1')?.text).toContain(change);
    expect(changes[0]).toMatchObject({ script: expect.stringContaining(change), steps: [change] });
  });

  it('says that a policy denies logons on all computers below its place', () => {
    for (const kind of ['keep-off', 'separate-logons'] as const)
      expect(planOf(sampleFacts(kind, NAMES))).toMatchObject({
        asks: expect.stringContaining('denies the rights on all computers below'),
      });
    expect(planOf(sampleFacts('computer-smb-signing', NAMES))).toMatchObject({
      asks: expect.not.stringContaining('denies'),
    });
    expect(ENGINES.Policy).toContain("$lines += 'The rights are denied on all of these computers");
  });

  it('says that hosts keep the values of a policy that undo removes, and how to set them back', () => {
    const key = 'HKLM\\System\\CurrentControlSet\\Services\\NTDS\\Parameters';
    for (const [kind, name] of [
      ['controllers-channel-binding', 'LdapEnforceChannelBinding'],
      ['controllers-ldap-signing', 'LDAPServerIntegrity'],
    ] as const) {
      const { changes, files } = changeKit([inputOf(kind)]);
      const steps = changes[0].steps.join('\n');
      expect(steps).toContain(`reg query "${key}" /v ${name}`);
      expect(steps).toContain(`reg add "${key}" /v ${name} /t REG_DWORD`);
      expect(files[0].text).toContain('Hosts that applied it keep its values until they are set back');
    }
    for (const kind of ['computer-smb-signing', 'domain-smb-signing'] as const)
      expect(planOf(sampleFacts(kind, NAMES))).toHaveProperty('further');
    expect(planOf(sampleFacts('keep-off', NAMES))).not.toHaveProperty('further');
    // The end of Undo promises no more than the engine does.
    expect(ENGINES.Policy).toContain("Write-Line 'Hosts keep registry values of the policy");
  });

  it('turns off ticket delegation on the trusted side, and SID filtering on on the trusting side', () => {
    const plan = planOf(sampleFacts('filter-trust', NAMES));
    const steps = isScripted(plan) ? [] : plan.steps;
    const [filtering, delegation] = ['/EnableSIDHistory:no', '/EnableTGTDelegation:no'].map((option) =>
      steps.filter((step) => step.includes(option)),
    );
    expect(filtering).toEqual([expect.stringMatching(/^SID filtering is a setting of the trusting side/)]);
    expect(delegation).toEqual([
      expect.stringMatching(/^Ticket delegation is a setting of the trusted side/),
    ]);
    expect(steps.at(-1)).toContain('of ticket delegation on the trusted side');
  });

  it('has a readme in which names are not interpreted as markup', () => {
    const names = { object: '\n# X\n[a](http://x) <b> `c` | \u202e', principal: 'Y' };
    const readme = (of: typeof NAMES): string => changeKit([inputOf('remove-member', of)]).files[0].text;
    const headings = (text: string): number => text.match(/^#+ /gm)?.length ?? 0;
    expect(headings(readme(names))).toBe(headings(readme(NAMES)));
    expect(readme(names)).not.toContain('[a](');
    expect(readme(names)).not.toContain('\u202e');
  });
});

describe('an engine', () => {
  it.each(Object.entries(ENGINES))('is ASCII, closes its brackets, and has the four modes: %s', (_, text) => {
    expect(text).toMatch(/^[\n -~]*$/);
    const { code } = readPowerShell(text);
    // Texts in double quotes are part of the code; engines have no brackets in them.
    expect(bracketsOf(code)).toBe('');
    for (const name of ['Read-State', 'Set-Change', 'Restore-Change'])
      expect(code.match(new RegExp(`function ${name}\\b`, 'g'))).toHaveLength(1);
    for (const [, called] of code.matchAll(
      /(?<![-\w$])((?:Get|Read|Write|Test|Open|Connect|New|Move|Find|Select|Send|Invoke|ConvertTo|ConvertFrom|Measure|Save|Show|Stop|Restore|Set)-[A-Z]\w+)/g,
    ))
      expect(code.includes(`function ${called}`) || CMDLETS.has(called ?? ''), called).toBe(true);
  });
});

/** Windows commands used by engines. */
const CMDLETS = new Set([
  ...[
    'New-Object',
    'Get-Location',
    'Test-Path',
    'Write-Host',
    'Start-Transcript',
    'Stop-Transcript',
    'New-Item',
    'Set-StrictMode',
  ],
  ...[
    'ConvertTo-Json',
    'ConvertFrom-Json',
    'New-PSSession',
    'Invoke-Command',
    'Get-CimInstance',
    'Remove-PSSession',
    'Resolve-Path',
    'Import-Module',
  ],
  ...[
    'Get-ItemProperty',
    'Get-Item',
    'Remove-ItemProperty',
    'New-ItemProperty',
    'Restart-Service',
    'Select-Object',
  ],
  ...[
    'Get-GPO',
    'New-GPO',
    'Get-GPInheritance',
    'New-GPLink',
    'Set-GPLink',
    'Remove-GPO',
    'Get-Acl',
    'Get-MgContext',
    'Invoke-MgGraphRequest',
  ],
]);

const OPEN: Readonly<Record<string, string>> = { ')': '(', '}': '{', ']': '[' };

/** @returns the unclosed brackets, with a question mark for each mismatched one */
function bracketsOf(code: string): string {
  const open: string[] = [];
  for (const [found] of code.matchAll(/[(){}[\]]/g)) {
    if (OPEN[found] === undefined) open.push(found);
    else if (open.pop() !== OPEN[found]) return '?';
  }
  return open.join('');
}
