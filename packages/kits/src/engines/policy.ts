/**
 * Engine: a new group policy with a security template. No cmdlet writes user rights, so the template is written as a file of the policy.
 */
import { HEAD, LDAP, TAIL } from './common.ts';
import { withOption } from './options.ts';

export const POLICY = `# Clew change kit, engine Policy 4: makes, links and removes one group policy with a security template.
${withOption(HEAD, 'Exempt')}${LDAP}${String.raw`
$PolicyName = 'Clew ' + $Change.Id + ' ' + $Change.Key.Substring(0, 12)
$Security = '[{827D319E-6EAC-11D2-A4EA-00C04F79F83A}{803E14A0-B4FB-11D0-A0D0-00A0C90F574B}]'
function Get-DomainName { return (((Get-Opened).Place -replace 'DC=', '') -replace ',', '.') }

# In PowerShell 7, the module runs in another process: its objects are copies whose links are texts.
function Test-Edition {
  if ($PSVersionTable.PSEdition -ne 'Desktop') { Stop-NotAsCollected 'the module GroupPolicy needs Windows PowerShell 5.1: run powershell.exe instead of pwsh.exe' }
}

# All reads and writes are on one controller: a new policy is not on the others at once.
function Get-Where {
  Import-Module GroupPolicy
  return @{ Domain = (Get-DomainName); Server = (Get-Opened).Controller }
}

# Without -Target, the unit of the backup.
function Get-TargetId {
  if ($Target -ne '') { return ([System.Guid] $Target).ToString() }
  if (Test-Path -LiteralPath $BackupPath) {
    $saved = Read-Backup
    if ($null -ne $saved.PSObject.Properties['Target']) { return ([System.Guid] [string] $saved.Target).ToString() }
  }
  return ''
}

# Empty if no one has named the unit.
function Get-PlaceName {
  $opened = Get-Opened
  if ($Change.Place -eq 'Domain') { return $opened.Place }
  # The well-known GUID of the container of domain controllers.
  if ($Change.Place -eq 'Controllers') { $base = '<WKGUID=A361B2FFFFD211D1AA4B00C04FD7D83A,' + $opened.Place + '>' }
  else {
    $id = Get-TargetId
    if ($id -eq '') { return '' }
    $base = '<GUID=' + $id + '>'
  }
  return (Read-Texts (Read-Entry $opened.Connection $base @('distinguishedName') 0) 'distinguishedName')[0]
}

function Get-Folder([System.Guid] $Id) { return '\\' + (Get-Opened).Controller + '\SYSVOL\' + (Get-DomainName) + '\Policies\{' + $Id.ToString().ToUpperInvariant() + '}' }
function Get-TemplatePath([System.Guid] $Id) { return (Get-Folder $Id) + '\Machine\Microsoft\Windows NT\SecEdit\GptTmpl.inf' }

function Find-Policy {
  $where = Get-Where
  return Get-GPO -All @where | Where-Object { $_.DisplayName -eq $PolicyName } | Select-Object -First 1
}
function Get-Inheritance([string] $Place) {
  $where = Get-Where
  return Get-GPInheritance -Target $Place @where
}

# Accounts to which the rights are not denied: from -Exempt, or else from the backup. One text, so that a backup has the last list.
function Get-ExemptText {
  if (@($Exempt).Count -gt 0) { return (@($Exempt) -join ',') -replace '\s', '' }
  if (Test-Path -LiteralPath $BackupPath) {
    $saved = Read-Backup
    if ($null -ne $saved.PSObject.Properties['Exempt']) { return [string] $saved.Exempt }
  }
  return ''
}
function Get-Exempt {
  $found = @((Get-ExemptText).Split(',') | Where-Object { $_ -ne '' })
  foreach ($sid in $found) { if ($sid -notmatch '^S-1-5-21-[0-9-]+$') { Stop-NotAsCollected ('-Exempt needs SIDs of accounts, not: ' + $sid) } }
  return , $found
}

# The groups of the exempted accounts at any depth, also by their primary groups.
$script:ExemptGroups = $null
function Get-ExemptGroups {
  if ($null -ne $script:ExemptGroups) { return , $script:ExemptGroups }
  $found = @()
  foreach ($sid in (Get-Exempt)) {
    $entry = Read-Entry (Get-Opened).Connection ('<SID=' + $sid + '>') @('tokenGroups') 0
    if (-not $entry.Attributes.Contains('tokenGroups')) { Stop-NotAsCollected ('the groups of an exempted account cannot be read: ' + $sid) }
    foreach ($bytes in $entry.Attributes['tokenGroups'].GetValues([byte[]])) { $found += (New-Object System.Security.Principal.SecurityIdentifier([byte[]] $bytes, 0)).Value }
  }
  $script:ExemptGroups = $found
  return , $found
}

# SIDs of the members of a group, also of other domains, which only the extended names of members have.
function Read-Members([string] $Sid) {
  $opened = Get-Opened
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest(('<SID=' + $Sid + '>'), '(objectClass=group)', [System.DirectoryServices.Protocols.SearchScope]::Base, [string[]] @('member'))
  $null = $request.Controls.Add((New-Object System.DirectoryServices.Protocols.ExtendedDNControl([System.DirectoryServices.Protocols.ExtendedDNFlag]::StandardString)))
  $response = $opened.Connection.SendRequest($request)
  if ($response.Entries.Count -ne 1) { Stop-NotAsCollected ('the group of an exempted account was not found: ' + $Sid) }
  $entry = $response.Entries[0]
  foreach ($name in @($entry.Attributes.AttributeNames)) { if ($name -like 'member;*') { Stop-NotAsCollected ('the group of an exempted account has too many members to list: ' + $Sid) } }
  $found = @()
  foreach ($text in (Read-Texts $entry 'member')) {
    $mark = [regex]::Match($text, '<SID=(S-[0-9-]+)>')
    if (-not $mark.Success) { Stop-NotAsCollected ('a member without a SID is in the group ' + $Sid) }
    $found += $mark.Groups[1].Value
  }
  if ($Sid.StartsWith($Change.Domain.Sid + '-')) {
    $filter = '(primaryGroupID=' + $Sid.Split('-')[-1] + ')'
    $count = Measure-Objects $opened.Connection $opened.Place $filter
    if ($count -notmatch '^[0-9]+$') { Stop-NotAsCollected ('the members by primary group cannot be listed: ' + $Sid) }
    $found += (Read-Sids $opened.Connection $opened.Place $filter)
  }
  return , $found
}

# A deny right outweighs all others: a group of an exempted account is replaced by its other members.
function Get-Denied([string] $Sid, [string[]] $Above) {
  if ((Get-Exempt) -contains $Sid -or $Above -contains $Sid) { return , @() }
  if (-not ((Get-ExemptGroups) -contains $Sid)) { return , @($Sid) }
  $found = @()
  foreach ($member in (Read-Members $Sid)) { $found += (Get-Denied $member (@($Above) + $Sid)) }
  return , $found
}

# Accounts of a list that deny a right to an exempted account: itself, and its groups.
function Get-Hitting($List) {
  $free = (Get-Exempt) + (Get-ExemptGroups)
  return , @($List | Where-Object { $free -contains ([string] $_).TrimStart('*') })
}

function Get-ExemptLines {
  $lines = @()
  foreach ($sid in (Get-Exempt)) { $lines += 'Exempted, so that it can still log on: ' + $sid }
  foreach ($sid in @($Change.Accounts)) {
    if ((Get-ExemptGroups) -contains $sid) { $lines += 'Replaced by its other members; those that it gets later are not denied until the next Apply: ' + $sid }
  }
  return , $lines
}

# Groups that only the root of a forest has are left out elsewhere; any other account has to be there.
function Get-Accounts {
  $found = @()
  foreach ($sid in @($Change.Accounts)) {
    if ($sid.StartsWith($Change.Domain.Sid + '-')) {
      try { $null = Read-Entry (Get-Opened).Connection ('<SID=' + $sid + '>') @('distinguishedName') 0 }
      catch { if ($sid -match '-51[89]$') { continue } else { throw } }
    }
    foreach ($one in (Get-Denied $sid @())) { $found += '*' + $one }
  }
  return , @($found | Select-Object -Unique)
}

# Settings of a security template, by name.
function Read-Template([string] $Path) {
  $found = @{}
  if (-not (Test-Path -LiteralPath $Path)) { return $found }
  foreach ($line in [System.IO.File]::ReadAllLines($Path)) {
    $at = $line.IndexOf('=')
    if ($at -gt 0) { $found[$line.Substring(0, $at).Trim()] = $line.Substring($at + 1).Trim() -replace '\s*,\s*', ',' }
  }
  return $found
}

# Containers that link the policy, read over LDAP. Bit 1 turns a link off.
function Read-PolicyLinks([System.Guid] $Id) {
  $opened = Get-Opened
  $mark = '{' + $Id.ToString() + '}'
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($opened.Place, ('(gPLink=*' + (ConvertTo-FilterText $mark) + '*)'), [System.DirectoryServices.Protocols.SearchScope]::Subtree, [string[]] @('distinguishedName', 'gPLink'))
  $found = @()
  foreach ($entry in $opened.Connection.SendRequest($request).Entries) {
    foreach ($link in [regex]::Matches(((Read-Texts $entry 'gPLink') -join ''), '\[[^\]]*\]')) {
      if (-not $link.Value.ToLowerInvariant().Contains($mark)) { continue }
      $options = [int] $link.Value.TrimEnd(']').Split(';')[-1]
      $found += @{ Place = (Read-Texts $entry 'distinguishedName')[0]; IsOn = (($options -band 1) -eq 0) }
    }
  }
  return , $found
}

# Names of the settings of this change in a template.
function Get-Keys { return , (@($Change.Rights) + @($Change.RegistryValues | ForEach-Object { $_.Path })) }

# Parts of a setting that a template does not have.
function Get-Missing($Found, [string] $Key) {
  $missing = @()
  foreach ($one in @($Change.RegistryValues)) {
    $wanted = '4,' + $one.Number
    if ($one.Path -eq $Key -and (-not $Found.ContainsKey($Key) -or $Found[$Key] -ne $wanted)) { $missing += $Key + '=' + $wanted }
  }
  if (@($Change.Rights) -contains $Key) {
    $list = @()
    if ($Found.ContainsKey($Key)) { $list = $Found[$Key].Split(',') }
    foreach ($account in (Get-Accounts)) { if (-not ($list -contains $account)) { $missing += $Key + ' of ' + $account } }
    foreach ($account in (Get-Hitting $list)) { $missing += $Key + ' free of ' + $account + ', which denies it to an exempted account' }
  }
  return , $missing
}

# Settings of this change that the policy does not have.
function Get-Lacking($Policy) {
  $lacking = @()
  $found = Read-Template (Get-TemplatePath $Policy.Id)
  foreach ($key in (Get-Keys)) { foreach ($one in (Get-Missing $found $key)) { $lacking += 'Not in the template: ' + $one } }
  $entry = Read-Entry (Get-Opened).Connection $Policy.Path @('gPCMachineExtensionNames', 'flags') 0
  if (-not ((Read-Texts $entry 'gPCMachineExtensionNames') -join '').ToUpperInvariant().Contains('{827D319E-6EAC-11D2-A4EA-00C04F79F83A}')) { $lacking += 'The policy does not name its security settings.' }
  # Bit 2 turns the computer part off.
  if (([int] ('0' + ((Read-Texts $entry 'flags') -join '')) -band 2) -ne 0) { $lacking += 'The computer part of the policy is turned off.' }
  return , $lacking
}

# The first policy that has a setting decides: one that is enforced above, or linked in a lower unit, may lack what the change wants. A
# unit may also block the policy of the change.
function Get-Overriding([string] $Unit) {
  $found = @()
  $links = @((Get-Inheritance $Unit).InheritedGpoLinks | Where-Object { $_.Enabled })
  foreach ($key in (Get-Keys)) {
    $first = ''
    foreach ($link in $links) {
      $template = Read-Template (Get-TemplatePath $link.GpoId)
      if (-not $template.ContainsKey($key)) { continue }
      $first = $link.DisplayName
      foreach ($one in (Get-Missing $template $key)) { $found += 'Another policy decides at ' + $Unit + ', without ' + $one + ': ' + $first }
      break
    }
    if ($first -eq '') { $found += 'No policy with ' + $key + ' reaches ' + $Unit }
  }
  return , $found
}

# The unit of a computer, which may be in a container below it.
function Get-Unit([string] $Name) {
  $above = $Name
  do {
    $above = (Read-Texts (Read-Entry (Get-Opened).Connection $above @('msDS-parentdistname') 0) 'msDS-parentdistname') -join ''
    if ($above -eq '') { Stop-NotAsCollected ('the controller does not say what is above ' + $Name) }
  } while ($above -notmatch '^(OU|DC)=')
  return $above
}

function Test-Below([string] $Name, [string[]] $Places) {
  foreach ($one in $Places) { if ($Name.EndsWith(',' + $one, [System.StringComparison]::OrdinalIgnoreCase)) { return $true } }
  return $false
}

# Collected computers: their units if an enabled link covers them, and the names of the others.
function Read-Computers([string] $Place, [string[]] $On) {
  $units = @()
  $open = @()
  $isAtPlace = @($Change.Computers).Count -eq 0
  foreach ($base in @($Change.Computers)) {
    try { $name = (Read-Texts (Read-Entry (Get-Opened).Connection $base @('distinguishedName') 0) 'distinguishedName')[0] }
    catch { Write-Line ('  Not found: ' + $base); continue }
    if ($Place -ne '' -and (Test-Below $name @($Place))) { $isAtPlace = $true }
    if (Test-Below $name $On) { $units += (Get-Unit $name) } else { $open += $name }
  }
  return @{ Units = @($units | Select-Object -Unique); Open = $open; IsAtPlace = $isAtPlace }
}

# A list of a policy replaces the one of policies below it in order, and does not add to it: the first that has the right decides.
function Get-EffectiveList([string] $Right, [string] $Place) {
  foreach ($link in (Get-Inheritance $Place).InheritedGpoLinks) {
    if (-not $link.Enabled -or $link.DisplayName -eq $PolicyName) { continue }
    $found = Read-Template (Get-TemplatePath $link.GpoId)
    if ($found.ContainsKey($Right)) { return , @($found[$Right].Split(',') | Where-Object { $_ -ne '' }) }
  }
  return , @()
}

function Get-Template([string] $Place) {
  $lines = @('[Unicode]', 'Unicode=yes', '[Version]', 'signature="$CHICAGO$"', 'Revision=1')
  if (@($Change.RegistryValues).Count -gt 0) {
    $lines += '[Registry Values]'
    foreach ($one in @($Change.RegistryValues)) { $lines += ($one.Path + '=4,' + $one.Number) }
  }
  if (@($Change.Rights).Count -gt 0) {
    $lines += '[Privilege Rights]'
    foreach ($right in @($Change.Rights)) {
      $others = Get-EffectiveList $right $Place
      $hitting = Get-Hitting $others
      if ($hitting.Count -gt 0) { Stop-NotAsCollected ('another policy already denies ' + $right + ' to an exempted account or its group, so change it first: ' + ($hitting -join ', ')) }
      $all = @($others + (Get-Accounts) | Select-Object -Unique)
      $lines += ($right + ' = ' + ($all -join ','))
    }
  }
  return , $lines
}

function Read-State {
  Test-Edition
  $lines = @('Policy: ' + $PolicyName)
  $policy = Find-Policy
  # Undo works without the unit, which may be gone.
  $place = ''
  if ($Mode -ne 'Undo') { $place = Get-PlaceName }
  if ($place -eq '' -and $Mode -eq 'Apply') { Stop-NotAsCollected 'name the unit with -Target GUID, pilots first; Clew never chooses it' }
  $on = @()
  $lacking = @()
  if ($null -eq $policy) { $lacking += 'The policy does not exist.' }
  else {
    foreach ($link in (Read-PolicyLinks $policy.Id)) {
      if ($link.IsOn) { $on += $link.Place; $lines += 'Linked at: ' + $link.Place } else { $lines += 'Its link is turned off at: ' + $link.Place }
    }
    # Undo needs no account of the change, which may be removed by now.
    if ($Mode -ne 'Undo') { $lacking += (Get-Lacking $policy) }
    if ($on.Count -eq 0) { $lacking += 'No container of the domain has an enabled link of the policy.' }
    elseif ($place -ne '' -and -not ($on -contains $place)) { $lacking += 'No enabled link at: ' + $place }
  }
  $computers = Read-Computers $place $on
  if ($place -ne '') {
    $isNew = $Mode -ne 'Verify' -and -not $script:IsChanging
    if ($isNew -and -not $computers.IsAtPlace) { Stop-NotAsCollected ('no collected computer is below the place: ' + $place) }
    $lines += 'Place: ' + $place
    $lines += 'All computers below get the policy: ' + (Measure-Objects (Get-Opened).Connection $place '(objectClass=computer)')
    if (@($Change.Rights).Count -gt 0) {
      $lines += 'The rights are denied on all of these computers, also on those that the collection does not name.'
      $lines += 'Lists that hosts have of their own for these rights are replaced; policies of units below the place come first there.'
      # Bits 0x2000 and 0x4000000, and the primary groups: controllers, and read-only ones.
      $controllers = Measure-Objects (Get-Opened).Connection $place '(&(objectClass=computer)(|(userAccountControl:1.2.840.113556.1.4.803:=8192)(userAccountControl:1.2.840.113556.1.4.803:=67108864)(primaryGroupID=516)(primaryGroupID=521)))'
      if ($controllers -ne '0') { Stop-NotAsCollected ('domain controllers are below the place: ' + $controllers) }
    }
    foreach ($sid in @($Change.Forbidden)) {
      $name = (Read-Texts (Read-Entry (Get-Opened).Connection ('<SID=' + $sid + '>') @('distinguishedName') 0) 'distinguishedName')[0]
      if (Test-Below $name @($place)) { Stop-NotAsCollected ('a Tier Zero host is below the place: ' + $name) }
    }
    foreach ($line in (Get-ExemptLines)) { $lines += $line }
    foreach ($line in (Get-Template $place)) { $lines += '  ' + $line }
  }
  # A policy of a whole domain, or of its controllers, is looked at where it is linked.
  $units = $computers.Units
  if (@($Change.Computers).Count -eq 0) { $units = $on }
  if ($lacking.Count -eq 0 -and $Mode -ne 'Undo') { foreach ($unit in $units) { $lacking += (Get-Overriding $unit) } }
  foreach ($line in $lacking) { $lines += $line }
  $open = $computers.Open
  if ($on.Count -gt 0 -and $open.Count -gt 0) {
    $lines += 'Computers that no enabled link covers: ' + $open.Count
    foreach ($name in @($open | Select-Object -First 20)) { $lines += '  ' + $name }
  }
  $saved = @{ Policy = (ConvertTo-Kept $PolicyName) }
  # Pilots first: the links that exist do what they should, and others have to follow.
  $isPartial = $lacking.Count -eq 0 -and $computers.Units.Count -gt 0 -and $open.Count -gt 0
  $isCovered = @($Change.Computers).Count -eq 0 -or $computers.Units.Count -gt 0
  if ($Change.Place -eq 'Target') { $saved.Target = Get-TargetId }
  $saved.Exempt = Get-ExemptText
  return @{ Reached = ($lacking.Count -eq 0 -and $isCovered -and $open.Count -eq 0); IsPartial = $isPartial; Lines = $lines; Saved = $saved }
}

function Set-Change($State) {
  $opened = Get-Opened
  $where = Get-Where
  $place = Get-PlaceName
  $policy = Find-Policy
  if ($null -eq $policy) { $policy = New-GPO -Name $PolicyName @where -Confirm:$false }
  $path = Get-TemplatePath $policy.Id
  $null = New-Item -ItemType Directory -Force -Path (Split-Path -Parent $path) -Confirm:$false
  [System.IO.File]::WriteAllLines($path, [string[]] (Get-Template $place), [System.Text.Encoding]::Unicode)
  # Version of the computer part: the lower half of both numbers.
  $entry = Read-Entry $opened.Connection $policy.Path @('versionNumber') 0
  $version = [int] (Read-Texts $entry 'versionNumber')[0] + 1
  Write-Entry $opened.Connection $policy.Path @((New-Modification 'gPCMachineExtensionNames' 'Replace' $Security), (New-Modification 'versionNumber' 'Replace' ([string] $version))) 0
  $gpt = (Get-Folder $policy.Id) + '\GPT.INI'
  [System.IO.File]::WriteAllText($gpt, ("[General]" + [Environment]::NewLine + 'Version=' + $version + [Environment]::NewLine), [System.Text.Encoding]::ASCII)
  $links = @((Read-PolicyLinks $policy.Id) | Where-Object { $_.Place -eq $place })
  if ($links.Count -eq 0) { $null = New-GPLink -Guid $policy.Id -Target $place -LinkEnabled Yes -Order 1 @where -Confirm:$false }
  elseif (-not $links[0].IsOn) { $null = Set-GPLink -Guid $policy.Id -Target $place -LinkEnabled Yes @where -Confirm:$false }
}

# The policy is new, so undoing it removes it with its links; no other policy was changed. Values that hosts applied stay there.
function Restore-Change($Saved) {
  $where = Get-Where
  $policy = Find-Policy
  if ($null -ne $policy) { Remove-GPO -Guid $policy.Id @where -Confirm:$false }
  if (@($Change.RegistryValues).Count -gt 0) { Write-Line 'Hosts keep registry values of the policy until they are set back on each host: see the readme or the comments of the script.' }
}
`}${TAIL}`;
