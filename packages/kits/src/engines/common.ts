/** Parts that all engines share: parameters, exit codes, backup, transcript, and the four modes. */

/** Precedes the functions of an engine. */
export const HEAD = `[CmdletBinding(SupportsShouldProcess = $true, ConfirmImpact = 'High')]
param(
  [Parameter(Mandatory = $true)] [hashtable] $Change,
  [ValidateSet('Preview', 'Apply', 'Verify', 'Undo')] [string] $Mode = 'Preview',
  [string] $Server = '',
  [string] $Target = '',
  [string] $Folder = ''
)
Set-StrictMode -Version 2.0
$ErrorActionPreference = 'Stop'
# 0: as wanted. 2: not yet. 3: not as collected, nothing was changed. 4: failed.
$Code = 4
$script:IsChanging = $false
$script:IsRecording = $false
# The domain and the controller of engines that use LDAP.
$script:Opened = $null
$BackupPath = ''

function Stop-NotAsCollected([string] $Why) { throw ('NOT-AS-COLLECTED: ' + $Why) }

# Control and direction marks of names do not act on the console.
function Write-Line([string] $Text) { Write-Host ($Text -replace '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]', '?') }

# Principals that stand for all or most accounts, whose members no group lists: 513 are Domain Users, 515 Domain Computers.
$EveryoneLine = 'Everyone loses it: the principal stands for all or most accounts or computers.'
function Test-Everyone([string] $Sid) {
  if (@('S-1-1-0', 'S-1-5-2', 'S-1-5-4', 'S-1-5-7', 'S-1-5-11', 'S-1-5-15', 'S-1-5-32-545', 'S-1-5-32-554') -contains $Sid) { return $true }
  return $Sid -match '^S-1-5-21-[0-9-]+-51[35]$'
}

# Lines that the service reads from a transcript. They have no names: a value with other characters is left out.
function Write-Record([string] $Name, [string] $Value) {
  if ($script:IsRecording -and $Value -cmatch '^[A-Za-z0-9._:-]{1,100}$') { Write-Line ('Clew-record: ' + $Name + ' ' + $Value) }
}

function Get-Time { return [DateTime]::UtcNow.ToString('yyyy-MM-ddTHH:mm:ssZ', [System.Globalization.CultureInfo]::InvariantCulture) }

function Write-State([string] $Name, $State) {
  if ($State.Reached) { Write-Record $Name 'wanted' } else { Write-Record $Name 'other' }
  if (Test-Pending $State) { Write-Record 'pending' 'yes' }
}

# An entry that a container no longer passes on goes from the objects below when the directory has worked through them.
function Test-Pending($State) { return $State.ContainsKey('IsPending') -and $State.IsPending }

function Test-CanUndo { return -not $Change.ContainsKey('CanUndo') -or $Change.CanUndo }

# Values of the same host, list or link are the same one in two backups.
function Get-SavedName($One) {
  if ($One -is [string]) { return $One }
  $found = ''
  foreach ($name in @('Sid', 'Base', 'Ace', 'Link')) {
    if ($null -ne $One.PSObject.Properties[$name]) { $found += $name + '=' + [string] $One.$name + ';' }
  }
  if ($found -eq '') { return ConvertTo-Json -InputObject $One -Depth 8 -Compress }
  return $found
}

# An earlier Apply that did not end has saved values that are changed by now: they stay. Other values are as they are now.
function Merge-Saved($Old, [hashtable] $New) {
  # A copy: the change itself acts on the present values alone.
  $merged = $New.Clone()
  $now = ConvertFrom-Json -InputObject (ConvertTo-Json -InputObject $New -Depth 8)
  foreach ($property in @($Old.PSObject.Properties)) {
    $name = $property.Name
    if (-not ($property.Value -is [array]) -or -not $New.ContainsKey($name)) { continue }
    $known = @(@($now.$name) | ForEach-Object { Get-SavedName $_ })
    $merged[$name] = @(@($property.Value) | Where-Object { -not ($known -contains (Get-SavedName $_)) }) + @($now.$name)
  }
  return $merged
}

function Save-Backup([hashtable] $Saved) {
  $earlier = ''
  if (Test-Path -LiteralPath $BackupPath) {
    $Saved = Merge-Saved (Read-Backup) $Saved
    $earlier = $BackupPath + '.' + [DateTime]::UtcNow.ToString('yyyyMMddHHmmss') + '.earlier'
  }
  $text = ConvertTo-Json -InputObject @{ Change = $Change.Id; Key = $Change.Key; Time = (Get-Time); Computer = [Environment]::MachineName; Facts = @($Change.Facts); Saved = $Saved } -Depth 8
  $part = $BackupPath + '.part'
  [System.IO.File]::WriteAllText($part, $text, (New-Object System.Text.UTF8Encoding($false)))
  # One step: a stop at any time leaves a whole backup.
  if ($earlier -ne '') { [System.IO.File]::Replace($part, $BackupPath, $earlier) } else { [System.IO.File]::Move($part, $BackupPath) }
}

function Read-Backup {
  if (-not (Test-Path -LiteralPath $BackupPath)) { Stop-NotAsCollected ('there is no backup of this change: ' + $BackupPath) }
  $read = ConvertFrom-Json -InputObject ([System.IO.File]::ReadAllText($BackupPath, [System.Text.Encoding]::UTF8))
  if ($read.Change -ne $Change.Id -or $read.Key -ne $Change.Key) { Stop-NotAsCollected 'the backup is of another change' }
  return $read.Saved
}

# Texts of others are kept in base64, since some versions turn texts that look like dates into dates.
function ConvertTo-Kept([string] $Text) { return [Convert]::ToBase64String([System.Text.Encoding]::Unicode.GetBytes($Text)) }
function ConvertFrom-Kept([string] $Text) { return [System.Text.Encoding]::Unicode.GetString([Convert]::FromBase64String($Text)) }
`;

/** Follows the functions of an engine, which define Read-State, Set-Change, and Restore-Change. */
export const TAIL = `
function Show-State($State) {
  if (-not (Test-CanUndo)) { Write-Host '  This change cannot be undone.' }
  foreach ($line in @($State.Lines)) { Write-Line ('  ' + $line) }
  if ($State.Reached) { Write-Host 'State: as wanted.' } else { Write-Host 'State: not changed yet.' }
}

function Show-Questions {
  if (-not $Change.ContainsKey('Questions')) { return }
  foreach ($question in @($Change.Questions)) { Write-Line ('Ask first: ' + $question) }
}

function Invoke-Mode {
  Write-Line ('Change ' + $Change.Id + ', ' + $Mode)
  Write-Record 'change' $Change.Id
  Write-Record 'mode' $Mode
  Write-Record 'time' (Get-Time)
  Write-Record 'computer' ([Environment]::MachineName)
  foreach ($fact in @($Change.Facts)) { Write-Record 'fact' $fact }
  Write-Line ('Collected as: ' + $Change.Collected.Object + ', principal: ' + $Change.Collected.Principal)
  if ($Mode -eq 'Undo') {
    if (-not (Test-CanUndo)) { Stop-NotAsCollected 'this change cannot be undone: the backup is only a record of the removed values' }
    $saved = Read-Backup
    Show-State (Read-State)
    if (-not $PSCmdlet.ShouldProcess($Change.Id, 'Undo the change')) { return 2 }
    $script:IsChanging = $true
    Write-Record 'changed' 'unknown'
    $null = Restore-Change $saved
    Write-Record 'changed' 'yes'
    [System.IO.File]::Move($BackupPath, ($BackupPath + '.' + [DateTime]::UtcNow.ToString('yyyyMMddHHmmss') + '.undone'))
    # The state is only for the record: undoing has worked, whether it can be read or not.
    try { Write-State 'after' (Read-State) } catch { Write-Line ('The state after it was not read: ' + $_.Exception.Message) }
    Write-Host 'What this change removed is back.'
    return 0
  }
  $state = Read-State
  Show-State $state
  if ($null -ne $script:Opened) { Write-Record 'host' $script:Opened.Controller }
  Write-State 'before' $state
  Write-State 'after' $state
  if ($state.Reached) { return 0 }
  if ($Mode -eq 'Preview') { Show-Questions }
  if ($Mode -ne 'Apply') { return 2 }
  if (Test-Path -LiteralPath $BackupPath) {
    $null = Read-Backup
    Write-Line ('This Apply continues an earlier one: its backup stays, and Undo restores the values of both: ' + $BackupPath)
  }
  $action = 'Apply the change'
  if (-not (Test-CanUndo)) { $action = 'Apply the change, which cannot be undone' }
  # The answer decides whether the change causes an outage.
  Show-Questions
  if (-not $PSCmdlet.ShouldProcess($Change.Id, $action)) { return 2 }
  Save-Backup $state.Saved
  $script:IsChanging = $true
  # Until the change has returned, a part of it may be made.
  Write-Record 'changed' 'unknown'
  $null = Set-Change $state
  Write-Record 'changed' 'yes'
  $after = Read-State
  Show-State $after
  Write-State 'after' $after
  if ($after.Reached) { return 0 }
  if (Test-Pending $after) { return 2 }
  # What was possible is made, and the lines name the rest.
  if ($after.ContainsKey('IsPartial') -and $after.IsPartial) { return 2 }
  return 4
}

$written = $false
try {
  # .NET has another present folder than PowerShell, so the path is made whole.
  if ($Folder -eq '') { $Folder = (Get-Location -PSProvider FileSystem).ProviderPath }
  $Folder = (Resolve-Path -LiteralPath $Folder).ProviderPath
  $BackupPath = Join-Path $Folder ($Change.Id + '.' + $Change.Key.Substring(0, 12) + '.backup.json')
  if ($Mode -ne 'Preview' -and -not $WhatIfPreference) {
    $null = Start-Transcript -LiteralPath (Join-Path $Folder ($Change.Id + '.' + $Mode + '.' + [DateTime]::UtcNow.ToString('yyyyMMddHHmmss') + '.txt')) -WhatIf:$false -Confirm:$false
    $written = $true
    $script:IsRecording = $true
  }
  $Code = [int] @(Invoke-Mode)[-1]
} catch {
  # 3 promises that nothing was changed.
  if ($_.Exception.Message.StartsWith('NOT-AS-COLLECTED: ') -and -not $script:IsChanging) { $Code = 3 } else { $Code = 4 }
  Write-Line $_.Exception.Message
} finally {
  Write-Record 'code' ([string] $Code)
  if ($written) { $null = Stop-Transcript }
}
exit $Code
`;

/** For engines that change objects over LDAP. */
export const LDAP = String.raw`
function Get-Opened {
  if ($null -eq $script:Opened) { $script:Opened = Open-Domain $Change.Domain }
  return $script:Opened
}

function Connect-Directory([string] $Name) {
  Add-Type -AssemblyName System.DirectoryServices.Protocols
  if ($Name -eq '') { Stop-NotAsCollected 'the name of the domain is not a DNS name: name a domain controller with -Server' }
  $place = New-Object System.DirectoryServices.Protocols.LdapDirectoryIdentifier($Name, 389, $false, $false)
  $connection = New-Object System.DirectoryServices.Protocols.LdapConnection($place)
  $connection.AuthType = [System.DirectoryServices.Protocols.AuthType]::Negotiate
  $connection.SessionOptions.ProtocolVersion = 3
  $connection.SessionOptions.Signing = $true
  $connection.SessionOptions.Sealing = $true
  # The name of a domain finds any controller of the site, and a read-only one refuses changes.
  if ($Name -ne $Server) { $connection.SessionOptions.LocatorFlag = [System.DirectoryServices.Protocols.LocatorFlags]::WriteableRequired }
  $connection.SessionOptions.ReferralChasing = [System.DirectoryServices.Protocols.ReferralChasingOptions]::None
  $connection.Bind()
  return $connection
}

# Sections of the descriptor: 1 owner, 4 access list, 0 none.
function Read-Entry($Connection, [string] $Base, [string[]] $Attributes, [int] $Sections) {
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($Base, '(objectClass=*)', [System.DirectoryServices.Protocols.SearchScope]::Base, $Attributes)
  if ($Sections -ne 0) {
    $null = $request.Controls.Add((New-Object System.DirectoryServices.Protocols.SecurityDescriptorFlagControl([System.DirectoryServices.Protocols.SecurityMasks] $Sections)))
  }
  try { $response = $Connection.SendRequest($request) }
  catch [System.DirectoryServices.Protocols.DirectoryOperationException] { Stop-NotAsCollected ('the object was not found: ' + $Base) }
  if ($response.Entries.Count -ne 1) { Stop-NotAsCollected ('the object was not found: ' + $Base) }
  return $response.Entries[0]
}

function Read-Texts($Entry, [string] $Name) {
  if (-not $Entry.Attributes.Contains($Name)) { return , [string[]] @() }
  return , [string[]] $Entry.Attributes[$Name].GetValues([string])
}

function Read-Bytes($Entry, [string] $Name) {
  if (-not $Entry.Attributes.Contains($Name)) { return , $null }
  return , [byte[]] $Entry.Attributes[$Name].GetValues([byte[]])[0]
}

# Ids of built-in groups are the same in every domain, so the domain is compared first.
function Open-Domain($Domain) {
  $name = $Server
  if ($name -eq '') { $name = $Domain.Name }
  $connection = Connect-Directory $name
  $root = Read-Entry $connection '' @('defaultNamingContext', 'schemaNamingContext', 'configurationNamingContext', 'dnsHostName', 'supportedCapabilities') 0
  # MS-ADTS 3.1.1.3.4.3: a controller with a part of the secrets is read-only.
  if ((Read-Texts $root 'supportedCapabilities') -contains '1.2.840.113556.1.4.1920') { Stop-NotAsCollected ('the controller is read-only: name a writable one with -Server, not ' + (Read-Texts $root 'dnsHostName')[0]) }
  $place = (Read-Texts $root 'defaultNamingContext')[0]
  $bytes = Read-Bytes (Read-Entry $connection $place @('objectSid') 0) 'objectSid'
  $sid = (New-Object System.Security.Principal.SecurityIdentifier($bytes, 0)).Value
  if ($sid -ne $Domain.Sid) { Stop-NotAsCollected ('the controller is of the domain ' + $sid + ', not of ' + $Domain.Sid) }
  return @{ Connection = $connection; Place = $place; Controller = (Read-Texts $root 'dnsHostName')[0]; Schema = (Read-Texts $root 'schemaNamingContext')[0]; Configuration = (Read-Texts $root 'configurationNamingContext')[0] }
}

function Test-Class($Entry, [string] $Class) {
  if ($Class -ne '' -and -not ((Read-Texts $Entry 'objectClass') -contains $Class)) { Stop-NotAsCollected ('the object is not of the class ' + $Class) }
}

function Write-Entry($Connection, [string] $Base, [object[]] $Modifications, [int] $Sections) {
  $request = New-Object System.DirectoryServices.Protocols.ModifyRequest
  $request.DistinguishedName = $Base
  foreach ($one in $Modifications) { $null = $request.Modifications.Add($one) }
  if ($Sections -ne 0) {
    $null = $request.Controls.Add((New-Object System.DirectoryServices.Protocols.SecurityDescriptorFlagControl([System.DirectoryServices.Protocols.SecurityMasks] $Sections)))
  }
  $null = $Connection.SendRequest($request)
}

function New-Modification([string] $Name, [string] $Operation, $Value) {
  $one = New-Object System.DirectoryServices.Protocols.DirectoryAttributeModification
  $one.Name = $Name
  $one.Operation = [System.DirectoryServices.Protocols.DirectoryAttributeOperation] $Operation
  $null = $one.Add($Value)
  # A modification is a list of its values, which PowerShell would unroll.
  return , $one
}

# RFC 4515.
function ConvertTo-FilterText([string] $Text) {
  $found = New-Object System.Text.StringBuilder
  foreach ($byte in [System.Text.Encoding]::UTF8.GetBytes($Text)) { $null = $found.AppendFormat('\{0:x2}', $byte) }
  return $found.ToString()
}

# At most 1000; the text says when there are more.
function Measure-Objects($Connection, [string] $Base, [string] $Filter) {
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($Base, $Filter, [System.DirectoryServices.Protocols.SearchScope]::Subtree, [string[]] @('1.1'))
  $request.SizeLimit = 1000
  try { return [string] $Connection.SendRequest($request).Entries.Count }
  catch [System.DirectoryServices.Protocols.DirectoryOperationException] {
    if ($_.Exception.GetBaseException().Response.ResultCode -eq [System.DirectoryServices.Protocols.ResultCode]::SizeLimitExceeded) { return '1000 or more' }
    return 'not counted'
  }
}

function Read-Sids($Connection, [string] $Base, [string] $Filter) {
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($Base, $Filter, [System.DirectoryServices.Protocols.SearchScope]::Subtree, [string[]] @('objectSid'))
  $request.SizeLimit = 1000
  $found = @()
  # With more of them, the count is 1000 or more anyway.
  try { $response = $Connection.SendRequest($request) } catch [System.DirectoryServices.Protocols.DirectoryOperationException] { return , $found }
  foreach ($entry in $response.Entries) {
    $bytes = Read-Bytes $entry 'objectSid'
    if ($null -ne $bytes) { $found += (New-Object System.Security.Principal.SecurityIdentifier($bytes, 0)).Value }
  }
  return , $found
}

# Who holds the rights of a principal, at any depth. An account is not in memberOf of its primary group: the number of the group finds it.
function Get-HolderLines([string] $Label, [string] $Sid, [string] $Name) {
  $opened = Get-Opened
  $isHere = $Name -ne '' -and ($Sid -eq '' -or $Sid.StartsWith($Change.Domain.Sid + '-') -or $Sid.StartsWith('S-1-5-32-'))
  $sids = @($Sid)
  $lines = @()
  if ($isHere) {
    $below = '(memberOf:1.2.840.113556.1.4.1941:=' + (ConvertTo-FilterText $Name) + ')'
    $groups = '(&(|(objectClass=group)(objectClass=foreignSecurityPrincipal))' + $below + ')'
    $sids += (Read-Sids $opened.Connection $opened.Place $groups)
    $parts = $below
    foreach ($one in $sids) { if ($one.StartsWith($Change.Domain.Sid + '-')) { $parts += '(primaryGroupID=' + $one.Split('-')[-1] + ')' } }
    $lines += $Label + ': ' + (Measure-Objects $opened.Connection $opened.Place ('(|' + $parts + ')'))
  }
  $isEveryone = $false
  foreach ($one in $sids) { if (Test-Everyone $one) { $isEveryone = $true } }
  if ($isEveryone) { $lines += $EveryoneLine }
  elseif (-not $isHere) { $lines += $Label + ': not counted, because the principal is not an account or group of this domain.' }
  return , $lines
}
`;

/** For engines that change something on a computer. */
export const REMOTE = String.raw`
# The computer is asked for its own account, so that a name that leads to another one stops the change.
function Invoke-Host($Place, [scriptblock] $Block, [object[]] $Values) {
  $name = $Place.Name
  # One name cannot stand for several hosts: of these it is that of the one without a name.
  $isOnly = -not $Change.ContainsKey('Hosts') -or @($Change.Hosts).Count -eq 1
  if ($Server -ne '' -and ($isOnly -or $name -eq '')) { $name = $Server }
  if ($name -eq '') { Stop-NotAsCollected 'the name of the computer is not a DNS name: name it with -Server' }
  $session = New-PSSession -ComputerName $name
  try {
    $sid = Invoke-Command -Session $session -ScriptBlock {
      $account = New-Object System.Security.Principal.NTAccount(((Get-CimInstance Win32_ComputerSystem).Domain + '\' + $env:COMPUTERNAME + '$'))
      $account.Translate([System.Security.Principal.SecurityIdentifier]).Value
    }
    if ($sid -ne $Place.Sid) { Stop-NotAsCollected ('the computer that answers is ' + $sid + ', not ' + $Place.Sid) }
    Write-Record 'host' $name
    return Invoke-Command -Session $session -ScriptBlock $Block -ArgumentList $Values
  } finally { Remove-PSSession $session -WhatIf:$false -Confirm:$false }
}
`;
