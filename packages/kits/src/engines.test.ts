/**
 * Checks PowerShell rules in the text of engines: the result of a function is unrolled, a collection in `@()` is unrolled again, and
 * command output becomes part of the calling function's result. No engine is run here.
 */
import { describe, expect, it } from 'vitest';
import { wholeScript } from './changeScript.ts';
import { ENGINES } from './engines/index.ts';

const TEXTS = Object.entries(ENGINES);
/** Engines that write over LDAP. */
const OVER_LDAP = TEXTS.filter(([, text]) => text.includes('New-Modification'));

/** Functions that return a list as a single object. */
const listsOf = (text: string): string[] =>
  [...text.matchAll(/^function ([\w-]+)[^\n]*\{([\s\S]*?)(?=^function |^# |\n\}\n)/gm)].flatMap(
    ([, name = '', body = '']) => (/return , (?!\$null)/.test(body) ? [name] : []),
  );

describe('an engine', () => {
  it.each(TEXTS)('does not pipe or nest a list that is returned as a single object: %s', (_, text) => {
    for (const name of listsOf(text)) {
      expect(text).not.toMatch(new RegExp(`@\\(${name}\\b`));
      for (const [line] of text.matchAll(new RegExp(`^.*\\b${name}\\b.*\\|.*$`, 'gm'))) {
        if (line.startsWith('function ')) continue;
        const before = line.slice(0, line.indexOf(' | '));
        const at = before.lastIndexOf(name);
        if (at < 0) continue;
        // The call is in its own brackets, which are closed before the pipe.
        expect(before.charAt(at - 1), line).toBe('(');
        expect(depthOf(before.slice(at - 1)), line).toBe(0);
      }
    }
  });

  it('has functions that return lists, all known to the test', () => {
    expect(listsOf(ENGINES.Cloud)).toEqual(expect.arrayContaining(['Get-All', 'Get-Assignments']));
    expect(listsOf(ENGINES.Attribute)).toEqual(
      expect.arrayContaining(['Read-Texts', 'Read-Links', 'Get-Wanted', 'New-Modification']),
    );
  });

  it.each(OVER_LDAP)(
    'passes modifications on as elements of a list, because each is itself a list: %s',
    (_, text) => {
      for (const [line] of text.matchAll(/^.*New-Modification.*$/gm))
        if (!line.startsWith('function '))
          expect(line).toMatch(/, \(New-Modification|@\(\(New-Modification.*\), \(New-M/);
    },
  );

  it.each(TEXTS)(
    'sets each variable of the script before reading it, also in a single file: %s',
    (name, text) => {
      const plan = { engine: name as keyof typeof ENGINES, settings: {}, needs: '', undo: '' };
      const names = { object: '', principal: '' };
      const script = wholeScript({
        id: 'change-01',
        key: 'a',
        title: '',
        notes: [],
        names,
        facts: ['a'],
        plan,
      });
      for (const [, variable = ''] of text.matchAll(/\$script:(\w+)/g)) {
        const first = script.indexOf(`\n$script:${variable} = `);
        expect(first, variable).toBeGreaterThan(0);
        expect(script).not.toMatch(new RegExp(`\\n\\$${variable} = `));
      }
    },
  );

  it.each(TEXTS)('keeps output of changes out of its exit code, and writes no raw names: %s', (_, text) => {
    expect(text).toContain('$null = Set-Change $state');
    expect(text).toContain('$null = Restore-Change $saved');
    for (const [line] of text.matchAll(/^.*Write-Host.*$/gm))
      expect(line).toMatch(/Write-Host '|function Write-Line/);
    for (const [line] of text.matchAll(/^.*(?<![-\w'])az (?:role|account|rest)[ -].*$/gm))
      expect(line).toMatch(/^ *#|\$\w+ = az /);
  });

  it.each(TEXTS)('says what it changes, and undoes without a look at the state afterward: %s', (_, text) => {
    const order = (...parts: readonly string[]): void => {
      const places = parts.map((part) => text.indexOf(part));
      expect([parts, places]).toEqual([parts, places.toSorted((a, b) => a - b)]);
      expect(places[0]).toBeGreaterThan(0);
    };
    const [unknown, changed] = ["Write-Record 'changed' 'unknown'", "Write-Record 'changed' 'yes'"];
    order(
      `${unknown}\n    $null = Restore-Change $saved\n    ${changed}`,
      '[System.IO.File]::Move($BackupPath, ',
      "try { Write-State 'after' (Read-State) } catch {",
    );
    expect(text.match(/^.*Write-State 'after' \(Read-State\).*$/gm)).toHaveLength(1);
    order(`${unknown}\n  $null = Set-Change $state\n  ${changed}`, "Write-State 'after' $after");
    order("Write-Record 'pending' 'yes'", 'if (Test-Pending $after) { return 2 }');
  });

  it.each(TEXTS)('shows its questions before the first change, and in a preview: %s', (_, text) => {
    const apply = text.slice(text.indexOf("if ($Mode -eq 'Preview') { Show-Questions }"));
    const places = [
      "if ($Mode -ne 'Apply')",
      '\n  Show-Questions\n',
      'ShouldProcess($Change.Id, $action)',
    ].map((part) => apply.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('gives an Azure role back with its condition, and not if it had an end', () => {
    const { Cloud } = ENGINES;
    for (const name of ['condition', 'description'])
      expect(Cloud).toContain(`(ConvertTo-Kept (Get-Text $_ '${name}'))`);
    expect(Cloud).toContain("ConditionVersion = (Get-Text $_ 'conditionVersion')");
    expect(Cloud).toContain('$properties.condition = $condition; $properties.conditionVersion = ');
    expect(Cloud).not.toContain('az role assignment create');
    expect(Cloud).toContain('/providers/Microsoft.Authorization/roleAssignmentScheduleInstances?');
    expect(Cloud).toMatch(
      /if \(\(\$Change\.Operation -eq 'RoleActive' -or \$Change\.Operation -eq 'AzureRole'\) -and \$end -ne ''\) \{ throw/,
    );
    // A condition never is an argument: az is a batch file on Windows.
    for (const [line] of Cloud.matchAll(/^.* az .*$/gm)) expect(line).not.toContain('ondition');
  });

  it('lists members and owners of groups in the version of Graph that has service principals', () => {
    expect(ENGINES.Cloud).toContain("if ($Change.Path.StartsWith('groups/')) { $root = $GraphOfGroups }");
    expect(ENGINES.Cloud).toContain("$GraphOfGroups = 'https://graph.microsoft.com/beta/'");
    expect(ENGINES.Cloud).toContain('Get-All ($root + $Change.Path');
  });

  it('treats an unknown parent as no answer, and not as a different container', () => {
    for (const text of [ENGINES.Move, ENGINES.AccessList])
      expect(text).toContain('if ([string]::IsNullOrEmpty($parent)) { Stop-NotAsCollected');
  });

  it('does not restore from a backup alone', () => {
    expect(ENGINES.AccessList).toContain('if ($old.SecurityIdentifier.Value -ne $Change.Principal) { throw');
    expect(ENGINES.LocalGroup).not.toMatch(/\$Saved\.\w/);
    expect(ENGINES.Member).not.toMatch(/\$Saved\.\w/);
  });

  it('removes nothing if the schema lacks the attribute of the right', () => {
    expect(ENGINES.AccessList).toContain('$fits = @($Change.Marks).Count -eq 0');
    expect(ENGINES.AccessList).toContain(
      'if ($found.Count -eq 0 -and @($Change.Marks).Count -gt 0) { Stop-NotAsCollected',
    );
    expect(ENGINES.AccessList).toContain("Stop-NotAsCollected ('the access control list cannot be read: '");
    // Casting generic bits to the enumeration fails.
    expect(ENGINES.AccessList).not.toContain('[System.DirectoryServices.ActiveDirectoryRights] $');
  });

  it.each(TEXTS)('stops an Undo that cannot work before its question: %s', (_, text) => {
    const undo = text.slice(text.indexOf("if ($Mode -eq 'Undo') {"));
    const places = [
      'if (-not (Test-CanUndo)) { Stop-NotAsCollected',
      '$saved = Read-Backup',
      "ShouldProcess($Change.Id, 'Undo the change')",
      "$action = 'Apply the change, which cannot be undone'",
      'ShouldProcess($Change.Id, $action)',
    ].map((part) => undo.indexOf(part));
    expect(places[0]).toBeGreaterThan(0);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('counts accounts by their primary group, too, and says when a principal stands for everyone', () => {
    expect(ENGINES.Member).toContain("'(primaryGroupID=' + $one.Split('-')[-1] + ')'");
    for (const text of [ENGINES.Member, ENGINES.AccessList]) {
      expect(text.match(/Get-HolderLines/g)).toHaveLength(2);
      // One place counts: no engine asks memberOf on its own.
      expect(text.match(/memberOf:/g)).toHaveLength(1);
    }
    for (const text of [ENGINES.Member, ENGINES.AccessList, ENGINES.LocalGroup])
      expect(text.match(/Test-Everyone/g)?.length).toBeGreaterThan(1);
    const everyone = /return \$Sid -match '([^']+)'/.exec(ENGINES.LocalGroup)?.[1] ?? '';
    const of = (rid: number): boolean => new RegExp(everyone).test(`S-1-5-21-1-2-3-${rid}`);
    // Domain Guests and other groups are counted, and do not stand for everyone.
    expect([513, 515, 512, 514, 5130, 1513].map(of)).toEqual([true, true, false, false, false, false]);
  });

  it.each(OVER_LDAP)('looks for a writable controller, and stops at a read-only one: %s', (_, text) => {
    expect(text).toContain(
      'LocatorFlag = [System.DirectoryServices.Protocols.LocatorFlags]::WriteableRequired',
    );
    const stop = text.indexOf("-contains '1.2.840.113556.1.4.1920') { Stop-NotAsCollected");
    expect(stop).toBeGreaterThan(text.indexOf('function Open-Domain'));
    expect(stop).toBeLessThan(text.indexOf('Controller = (Read-Texts $root'));
    expect(text).toContain("'dnsHostName', 'supportedCapabilities')");
  });

  it('reads all hosts that answer, changes only hosts in the backup, and fails if one fails', () => {
    const { Registry } = ENGINES;
    const bodyOf = (name: string): string =>
      Registry.slice(Registry.indexOf(`function ${name}`)).split('\n}\n')[0] ?? '';
    for (const name of ['Read-State', 'Set-Change', 'Restore-Change'])
      expect(bodyOf(name), name).toMatch(/try \{[\s\S]*catch \{/);
    expect(bodyOf('Set-Change')).toContain('foreach ($old in @($State.Saved.Hosts))');
    for (const name of ['Set-Change', 'Restore-Change'])
      expect(bodyOf(name), name).toMatch(/\n {2}Stop-Failed \$failed$/);
    expect(bodyOf('Read-State')).toContain('Reached = ($reached -and $silent.Count -eq 0)');
  });

  it('finds a policy applied only with its contents, an enabled link, and no other policy before it', () => {
    const { Policy } = ENGINES;
    const [, state = ''] = Policy.split('function Read-State {');
    const reached = /Reached = \(([^\n]*?)\); IsPartial/.exec(state)?.[1];
    expect(reached).toBe('$lacking.Count -eq 0 -and $isCovered -and $open.Count -eq 0');
    for (const part of [
      "$lacking += 'The policy does not exist.'",
      "if ($Mode -ne 'Undo') { $lacking += (Get-Lacking $policy) }",
      "$lacking += 'No container of the domain has an enabled link of the policy.'",
      "$lacking += 'No enabled link at: ' + $place",
      '$lacking += (Get-Overriding $unit)',
    ])
      expect(state).toContain(part);
    // The unit of Apply is in the backup, for Verify without -Target.
    expect(state).toContain("if ($Change.Place -eq 'Target') { $saved.Target = Get-TargetId }");
    // Links are read over LDAP: properties of links are texts in PowerShell 7.
    expect(Policy).not.toContain('.GpoLinks');
    expect(state.indexOf('Test-Edition')).toBeLessThan(state.indexOf('Find-Policy'));
    expect(Policy).toContain("if ($PSVersionTable.PSEdition -ne 'Desktop') { Stop-NotAsCollected");
    expect(state).toContain(
      '(userAccountControl:1.2.840.113556.1.4.803:=67108864)(primaryGroupID=516)(primaryGroupID=521)',
    );
  });

  it('denies nothing to exempted accounts, their groups, or through another policy', () => {
    const { Policy } = ENGINES;
    expect(Policy).toContain('[string[]] $Exempt = @()');
    for (const part of [
      // Also by nested groups and primary groups.
      "@('tokenGroups') 0",
      "foreach ($one in (Get-Denied $sid @())) { $found += '*' + $one }",
      'if ((Get-Exempt) -contains $Sid -or $Above -contains $Sid) { return , @() }',
      'if (-not ((Get-ExemptGroups) -contains $Sid)) { return , @($Sid) }',
      'foreach ($account in (Get-Hitting $list)) { $missing += ',
      "Stop-NotAsCollected ('another policy already denies '",
      // A list that is cut off would leave administrators out.
      "if ($name -like 'member;*') { Stop-NotAsCollected",
      '$saved.Exempt = Get-ExemptText',
      'foreach ($line in (Get-ExemptLines)) { $lines += $line }',
    ])
      expect(Policy).toContain(part);
  });

  it('finds an object moved only if it is outside of the collected container', () => {
    expect(ENGINES.Move).toContain('Reached = (-not $isInside); IsMoved = ($parent -ine $from)');
    expect(ENGINES.Move).toContain('if (-not (Read-State).IsMoved) { return }');
    expect(ENGINES.Move).toContain("Stop-NotAsCollected 'the new container is inside the collected one");
  });

  it('shows the SID that leaves a history', () => {
    expect(ENGINES.Attribute).toContain("'Value that goes: ' + $Change.Values[0]");
  });

  it.each(TEXTS)('continues an Apply that did not end, and keeps its saved values: %s', (_, text) => {
    const save = text.slice(text.indexOf('function Save-Backup'), text.indexOf('function Read-Backup'));
    expect(save).not.toContain('Stop-NotAsCollected');
    expect(save).toContain('$Saved = Merge-Saved (Read-Backup) $Saved');
    // The change acts on the present values: those of the earlier Apply are changed already.
    const merge = text.slice(text.indexOf('function Merge-Saved'), text.indexOf('function Save-Backup'));
    expect(merge).toContain('$merged = $New.Clone()');
    expect(merge).not.toContain('$New[$name] =');
    expect(save).toContain('[System.IO.File]::Replace($part, $BackupPath, $earlier)');
    // A backup of another change stops before the question.
    expect(text.indexOf('$null = Read-Backup')).toBeLessThan(
      text.indexOf('ShouldProcess($Change.Id, $action)'),
    );
  });

  it('removes the rights of the change from an entry, and the entry only if nothing else is in it', () => {
    const { AccessList } = ENGINES;
    expect(AccessList).toContain('$bits = $bits -bor $mark.Mask');
    expect(AccessList).toContain('if (($Mask -band (-bnot $Bits)) -eq 0) { return 0 }');
    expect(AccessList).toContain(
      'if ($saved.Left -eq 0) { $acl.RemoveAce($at) } else { $acl[$at].AccessMask = $saved.Left }',
    );
    // Undo gives the rights back to the entry that is left, or as an entry of their own.
    expect(AccessList).toContain('if ($reduced -ge 0) { $acl[$reduced].AccessMask = $mask }');
    expect(AccessList).toContain('$old.AccessMask = $mask -band (-bnot $left)');
    expect(AccessList).toContain("'  The entry keeps: 0x'");
  });

  it('compares links with the whole name of the policy, and reads no policy', () => {
    expect(ENGINES.Attribute).toContain("$name.Contains('/' + [string] $Change.Values[0] + ';')");
    expect(ENGINES.Attribute.match(/Test-Link/g)).toHaveLength(3);
    expect(ENGINES.Attribute.match(/Get-Wanted(?!Number)/g)).toHaveLength(2);
  });

  it('stops at domain controllers before denying logon rights, and uses one controller', () => {
    expect(ENGINES.Policy).toContain("Stop-NotAsCollected ('domain controllers are below the place");
    for (const [line] of ENGINES.Policy.matchAll(
      /^.*(?:Get-GPO|New-GPO|New-GPLink|Set-GPLink|Remove-GPO|Get-GPInheritance) .*$/gm,
    ))
      expect(line).toContain('@where');
  });
});

function depthOf(text: string): number {
  const count = (sign: string): number => text.split(sign).length - 1;
  return count('(') - count(')');
}
