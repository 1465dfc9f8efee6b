/** Engine: entries of an access list, its owner, and lists that are attributes of their own. */
import { HEAD, LDAP, TAIL } from './common.ts';

export const ACCESS_LIST = `# Clew change kit, engine AccessList 1: removes entries of one principal from access lists, or sets an owner.
${HEAD}${LDAP}
$Opened = $null
function Get-Opened {
  if ($null -eq $script:Opened) { $script:Opened = Open-Domain $Change.Domain }
  return $script:Opened
}

# GUIDs of attributes that only the schema of this forest has.
function Get-Marks {
  $opened = Get-Opened
  $found = @()
  foreach ($mark in @($Change.Marks)) {
    $types = @($mark.Types)
    foreach ($name in @($mark.Attributes)) {
      $request = New-Object System.DirectoryServices.Protocols.SearchRequest($opened.Schema, ('(lDAPDisplayName=' + (ConvertTo-FilterText $name) + ')'), [System.DirectoryServices.Protocols.SearchScope]::OneLevel, [string[]] @('schemaIDGUID'))
      foreach ($entry in $opened.Connection.SendRequest($request).Entries) {
        $types += (New-Object System.Guid(, (Read-Bytes $entry 'schemaIDGUID'))).ToString()
      }
    }
    if (@($mark.Attributes).Count -gt 0 -and $types.Count -eq 0) { continue }
    $found += @{ Mask = [int] $mark.Mask; Types = $types }
  }
  return , $found
}

function Test-Bits([int] $Mask, [int] $Bits) { return ($Mask -band $Bits) -eq $Bits }

# Explicit entries that allow, are of the principal, and give the right; entries of full control only where full control is meant.
function Select-Entries($Acl, [bool] $IsPassedOn, $Marks) {
  $found = @()
  if ($null -eq $Acl) { return , $found }
  for ($at = 0; $at -lt $Acl.Count; $at++) {
    $ace = $Acl[$at]
    if (-not ($ace -is [System.Security.AccessControl.QualifiedAce])) { continue }
    if ($ace.AceQualifier -ne [System.Security.AccessControl.AceQualifier]::AccessAllowed) { continue }
    if (([int] $ace.AceFlags -band 16) -ne 0) { continue }
    if ($ace.SecurityIdentifier.Value -ne $Change.Principal) { continue }
    if ($IsPassedOn -and ([int] $ace.AceFlags -band 2) -eq 0) { continue }
    $type = ''
    $below = ''
    if ($ace -is [System.Security.AccessControl.ObjectAce]) {
      if (([int] $ace.ObjectAceFlags -band 1) -ne 0) { $type = $ace.ObjectAceType.ToString() }
      if (([int] $ace.ObjectAceFlags -band 2) -ne 0) { $below = $ace.InheritedObjectAceType.ToString() }
    }
    if ($IsPassedOn -and $below -ne '' -and $Change.ClassType -ne '' -and $below -ne $Change.ClassType) { continue }
    $isFull = $type -eq '' -and ((Test-Bits $ace.AccessMask 0xF01FF) -or (Test-Bits $ace.AccessMask 0x10000000))
    if ($isFull -and -not $Change.TakesFullControl) { continue }
    $fits = $Marks.Count -eq 0
    foreach ($mark in $Marks) {
      if (-not (Test-Bits $ace.AccessMask $mark.Mask)) { continue }
      if (@($mark.Types).Count -eq 0) { if ($type -eq '') { $fits = $true } }
      elseif (@($mark.Types) -contains $type) { $fits = $true }
    }
    if ($fits) { $found += @{ At = $at; Ace = $ace; Type = $type } }
  }
  return , $found
}

function Read-Descriptor([string] $Base, [int] $Sections) {
  $opened = Get-Opened
  $entry = Read-Entry $opened.Connection $Base @('distinguishedName', 'objectClass', $Change.Attribute) $Sections
  $bytes = Read-Bytes $entry $Change.Attribute
  $descriptor = $null
  if ($null -ne $bytes) { $descriptor = New-Object System.Security.AccessControl.RawSecurityDescriptor($bytes, 0) }
  return @{ Entry = $entry; Name = (Read-Texts $entry 'distinguishedName')[0]; Descriptor = $descriptor }
}

function Write-Descriptor([string] $Base, $Descriptor, [int] $Sections) {
  $bytes = New-Object byte[] $Descriptor.BinaryLength
  $Descriptor.GetBinaryForm($bytes, 0)
  Write-Entry (Get-Opened).Connection $Base @((New-Modification $Change.Attribute 'Replace' $bytes)) $Sections
}

# Objects whose lists have the entries: the object, the container that passes them on, AdminSDHolder.
function Get-Places($Marks) {
  $opened = Get-Opened
  $places = @()
  foreach ($place in @($Change.Places)) {
    if ($place.Kind -eq 'AdminSDHolder') { $places += @{ Base = 'CN=AdminSDHolder,CN=System,' + $opened.Place; PassedOn = $false }; continue }
    if ($place.Kind -ne 'Above') { $places += @{ Base = $place.Base; PassedOn = ($place.Kind -eq 'Container') }; continue }
    # The nearest container above that passes such an entry on; nothing above the domain does.
    $name = (Read-Descriptor $place.Base 4).Name
    while ($name -ne $opened.Place -and $name.Contains(',')) {
      $name = (Read-Texts (Read-Entry $opened.Connection $name @('msDS-parentdistname') 0) 'msDS-parentdistname')[0]
      $read = Read-Descriptor $name 4
      if ((Select-Entries $read.Descriptor.DiscretionaryAcl $true $Marks).Count -gt 0) { $places += @{ Base = $name; PassedOn = $true }; break }
    }
  }
  return , $places
}

function Read-State {
  $opened = Get-Opened
  $object = Read-Descriptor $Change.Object 5
  Test-Class $object.Entry $Change.Class
  $lines = @('Object: ' + $object.Name)
  if ($Change.Operation -eq 'SetOwner') {
    $owner = $object.Descriptor.Owner.Value
    $lines += 'Owner: ' + $owner
    if ($owner -ne $Change.NewOwner -and $owner -ne $Change.Principal) { Stop-NotAsCollected ('the owner is ' + $owner) }
    return @{ Reached = ($owner -eq $Change.NewOwner); Lines = $lines; Saved = @{ Owner = $owner } }
  }
  if ($Change.Principal.StartsWith($Change.Domain.Sid + '-')) {
    $holder = Read-Entry $opened.Connection ('<SID=' + $Change.Principal + '>') @('distinguishedName') 0
    $name = (Read-Texts $holder 'distinguishedName')[0]
    $lines += 'Principal: ' + $name
    $lines += 'Members at any depth that lose the right: ' + (Measure-Objects $opened.Connection $opened.Place ('(memberOf:1.2.840.113556.1.4.1941:=' + (ConvertTo-FilterText $name) + ')'))
  }
  $marks = Get-Marks
  $saved = @()
  foreach ($place in (Get-Places $marks)) {
    $read = Read-Descriptor $place.Base 4
    if ($null -eq $read.Descriptor) { continue }
    $lines += 'List: ' + $read.Name
    if ($place.PassedOn) { $lines += 'Objects below: ' + (Measure-Objects $opened.Connection $read.Name '(objectClass=*)') }
    foreach ($one in (Select-Entries $read.Descriptor.DiscretionaryAcl $place.PassedOn $marks)) {
      $rights = [System.DirectoryServices.ActiveDirectoryRights] $one.Ace.AccessMask
      $lines += 'Entry: ' + $rights.ToString() + ' ' + $one.Type + ' (' + $one.Ace.AceFlags.ToString() + ')'
      $bytes = New-Object byte[] $one.Ace.BinaryLength
      $one.Ace.GetBinaryForm($bytes, 0)
      $saved += @{ Base = $place.Base; At = $one.At; Ace = [Convert]::ToBase64String($bytes) }
    }
  }
  return @{ Reached = ($saved.Count -eq 0); Lines = $lines; Saved = @{ Entries = $saved } }
}

function Set-Change($State) {
  if ($Change.Operation -eq 'SetOwner') {
    $read = Read-Descriptor $Change.Object 1
    $read.Descriptor.Owner = New-Object System.Security.Principal.SecurityIdentifier($Change.NewOwner)
    Write-Descriptor $Change.Object $read.Descriptor 1
    return
  }
  foreach ($base in @($State.Saved.Entries | ForEach-Object { $_.Base } | Select-Object -Unique)) {
    $read = Read-Descriptor $base 4
    $acl = $read.Descriptor.DiscretionaryAcl
    foreach ($saved in @($State.Saved.Entries | Where-Object { $_.Base -eq $base })) {
      for ($at = 0; $at -lt $acl.Count; $at++) {
        $bytes = New-Object byte[] $acl[$at].BinaryLength
        $acl[$at].GetBinaryForm($bytes, 0)
        if ([Convert]::ToBase64String($bytes) -eq $saved.Ace) { $acl.RemoveAce($at); break }
      }
    }
    Write-Descriptor $base $read.Descriptor 4
  }
}

# Entries go back one by one: what others changed since then stays.
function Restore-Change($Saved) {
  if ($Change.Operation -eq 'SetOwner') {
    $read = Read-Descriptor $Change.Object 1
    $read.Descriptor.Owner = New-Object System.Security.Principal.SecurityIdentifier($Saved.Owner)
    Write-Descriptor $Change.Object $read.Descriptor 1
    return
  }
  foreach ($one in @($Saved.Entries)) {
    $read = Read-Descriptor $one.Base 4
    $acl = $read.Descriptor.DiscretionaryAcl
    $place = [Math]::Min([int] $one.At, $acl.Count)
    for ($at = 0; $at -lt $place; $at++) { if (([int] $acl[$at].AceFlags -band 16) -ne 0) { $place = $at } }
    $acl.InsertAce($place, [System.Security.AccessControl.GenericAce]::CreateFromBinaryForm([Convert]::FromBase64String($one.Ace), 0))
    Write-Descriptor $one.Base $read.Descriptor 4
  }
}
${TAIL}`;
