/**
 * Engine: a new group policy with a security template. No cmdlet writes user rights, so the template is written as a file of the policy.
 */
import { HEAD, LDAP, TAIL } from './common.ts';

export const POLICY = `# Clew change kit, engine Policy 2: makes, links and removes one group policy with a security template.
${HEAD}${LDAP}${String.raw`
$PolicyName = 'Clew ' + $Change.Id + ' ' + $Change.Key.Substring(0, 12)
$Security = '[{827D319E-6EAC-11D2-A4EA-00C04F79F83A}{803E14A0-B4FB-11D0-A0D0-00A0C90F574B}]'
function Get-DomainName { return (((Get-Opened).Place -replace 'DC=', '') -replace ',', '.') }

# All reads and writes are on one controller: a new policy is not on the others at once.
function Get-Where {
  Import-Module GroupPolicy
  return @{ Domain = (Get-DomainName); Server = (Get-Opened).Controller }
}

function Get-PlaceName {
  $opened = Get-Opened
  if ($Change.Place -eq 'Domain') { return $opened.Place }
  # The well-known GUID of the container of domain controllers.
  if ($Change.Place -eq 'Controllers') { $base = '<WKGUID=A361B2FFFFD211D1AA4B00C04FD7D83A,' + $opened.Place + '>' }
  else {
    if ($Target -eq '') { Stop-NotAsCollected 'name the unit with -Target GUID, pilots first; Clew never chooses it' }
    $base = '<GUID=' + ([System.Guid] $Target).ToString() + '>'
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

# Groups that only the root of a forest has are left out elsewhere; any other account has to be there.
function Get-Accounts {
  $found = @()
  foreach ($sid in @($Change.Accounts)) {
    if ($sid.StartsWith($Change.Domain.Sid + '-')) {
      try { $null = Read-Entry (Get-Opened).Connection ('<SID=' + $sid + '>') @('distinguishedName') 0 }
      catch { if ($sid -match '-51[89]$') { continue } else { throw } }
    }
    $found += '*' + $sid
  }
  return , $found
}

# A list of a policy replaces the one of policies below it in order, and does not add to it: the first that has the right decides.
function Get-EffectiveList([string] $Right, [string] $Place) {
  foreach ($link in (Get-Inheritance $Place).InheritedGpoLinks) {
    if (-not $link.Enabled -or $link.DisplayName -eq $PolicyName) { continue }
    $path = Get-TemplatePath $link.GpoId
    if (-not (Test-Path -LiteralPath $path)) { continue }
    foreach ($line in [System.IO.File]::ReadAllLines($path)) {
      $parts = $line.Split('=')
      if ($parts.Count -eq 2 -and $parts[0].Trim() -eq $Right) { return , @($parts[1].Split(',') | ForEach-Object { $_.Trim() } | Where-Object { $_ -ne '' }) }
    }
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
      $all = @((Get-EffectiveList $right $Place) + (Get-Accounts) | Select-Object -Unique)
      $lines += ($right + ' = ' + ($all -join ','))
    }
  }
  return , $lines
}

function Read-State {
  $lines = @('Policy: ' + $PolicyName)
  $policy = Find-Policy
  $reached = $false
  if ($null -ne $policy) {
    $reached = Test-Path -LiteralPath (Get-TemplatePath $policy.Id)
    if ($reached -and ($Target -ne '' -or $Change.Place -ne 'Target')) {
      $place = Get-PlaceName
      $reached = @((Get-Inheritance $place).GpoLinks | Where-Object { $_.DisplayName -eq $PolicyName -and $_.Enabled }).Count -eq 1
    }
  }
  if ($Mode -eq 'Apply' -or $Target -ne '' -or $Change.Place -ne 'Target') {
    $place = Get-PlaceName
    $lines += 'Place: ' + $place
    $lines += 'Computers below: ' + (Measure-Objects (Get-Opened).Connection $place '(objectClass=computer)')
    if (@($Change.Rights).Count -gt 0) {
      $lines += 'Lists that hosts have of their own for these rights are replaced; policies of units below the place come first there.'
      $controllers = Measure-Objects (Get-Opened).Connection $place '(&(objectClass=computer)(userAccountControl:1.2.840.113556.1.4.803:=8192))'
      if ($controllers -ne '0') { Stop-NotAsCollected ('domain controllers are below the place: ' + $controllers) }
    }
    foreach ($sid in @($Change.Forbidden)) {
      $name = (Read-Texts (Read-Entry (Get-Opened).Connection ('<SID=' + $sid + '>') @('distinguishedName') 0) 'distinguishedName')[0]
      if ($name.EndsWith(',' + $place, [System.StringComparison]::OrdinalIgnoreCase)) { Stop-NotAsCollected ('a Tier Zero host is below the place: ' + $name) }
    }
    foreach ($line in (Get-Template $place)) { $lines += '  ' + $line }
  }
  return @{ Reached = $reached; Lines = $lines; Saved = @{ Policy = (ConvertTo-Kept $PolicyName) } }
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
  if (@((Get-Inheritance $place).GpoLinks | Where-Object { $_.DisplayName -eq $PolicyName }).Count -eq 0) {
    $null = New-GPLink -Guid $policy.Id -Target $place -LinkEnabled Yes -Order 1 @where -Confirm:$false
  }
}

# The policy is new, so undoing it removes it with its links; no other policy was changed.
function Restore-Change($Saved) {
  $where = Get-Where
  $policy = Find-Policy
  if ($null -ne $policy) { Remove-GPO -Guid $policy.Id @where -Confirm:$false }
}
`}${TAIL}`;
