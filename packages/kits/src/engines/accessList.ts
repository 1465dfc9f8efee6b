/** Engine: entries of an access list, its owner, and access lists stored in attributes. */
import { HEAD, LDAP, TAIL } from './common.ts';
import { POLICY_FOLDER } from './policyFolder.ts';

export const ACCESS_LIST = `# Clew change kit, engine AccessList 4: removes rights of one principal from access control lists, or sets an owner.
${HEAD}${LDAP}
# GUIDs in the schema of this forest.
function Find-SchemaIds([string] $Name) {
  $opened = Get-Opened
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($opened.Schema, ('(lDAPDisplayName=' + (ConvertTo-FilterText $Name) + ')'), [System.DirectoryServices.Protocols.SearchScope]::OneLevel, [string[]] @('schemaIDGUID'))
  $found = @()
  foreach ($entry in $opened.Connection.SendRequest($request).Entries) { $found += (New-Object System.Guid(, (Read-Bytes $entry 'schemaIDGUID'))).ToString() }
  return , $found
}

# The class of the object: its last one. An entry that is passed on may be meant for one class alone.
$script:ClassType = ''
function Get-ClassType {
  if ($script:ClassType -eq '') {
    $classes = Read-Texts (Read-Entry (Get-Opened).Connection $Change.Object @('objectClass') 0) 'objectClass'
    $script:ClassType = (Find-SchemaIds $classes[-1])[0]
  }
  return $script:ClassType
}

# Attributes of a right that only some schemas have are looked up.
function Get-Marks {
  $found = @()
  foreach ($mark in @($Change.Marks)) {
    $types = @($mark.Types)
    foreach ($name in @($mark.Attributes)) { $types += (Find-SchemaIds $name) }
    if (@($mark.Attributes).Count -gt 0 -and $types.Count -eq 0) { continue }
    $found += @{ Mask = [int] $mark.Mask; Types = $types }
  }
  # Without a mark no entry fits; a list of its own has no marks, and all entries of the principal are meant.
  if ($found.Count -eq 0 -and @($Change.Marks).Count -gt 0) { Stop-NotAsCollected 'the schema has none of the attributes of the right' }
  return , $found
}

function Test-Bits([int] $Mask, [int] $Bits) { return ($Mask -band $Bits) -eq $Bits }

# Rights that stay in an entry without these bits; 0 if the whole entry goes. Reading the list (0x20000) is a part of some rights: it stays
# if the entry gives anything else.
function Get-Left([int] $Mask, [int] $Bits, [bool] $IsFull) {
  if ($IsFull -or $Bits -eq 0) { return 0 }
  if (($Mask -band (-bnot $Bits)) -eq 0) { return 0 }
  return $Mask -band (-bnot ($Bits -band (-bnot 0x20000)))
}

# Property sets of marks: their entries give the right to all attributes of the set.
$PropertySets = @('bc0ac240-79a9-11d0-9020-00c04fc2d4cf', 'e48d0154-bcf8-11d1-8702-00c04fb96050', '4c164200-20c0-11d0-a768-00aa006e0529')

# Entries that allow, are of the principal, and give the right; entries of full control only where full control is meant.
function Select-Entries($Acl, [bool] $IsPassedOn, $Marks, [bool] $IsInherited = $false) {
  $found = @()
  if ($null -eq $Acl) { return , $found }
  for ($at = 0; $at -lt $Acl.Count; $at++) {
    $ace = $Acl[$at]
    if (-not ($ace -is [System.Security.AccessControl.QualifiedAce])) { continue }
    if ($ace.AceQualifier -ne [System.Security.AccessControl.AceQualifier]::AccessAllowed) { continue }
    if ((([int] $ace.AceFlags -band 16) -ne 0) -ne $IsInherited) { continue }
    if ($ace.SecurityIdentifier.Value -ne $Change.Principal) { continue }
    if ($IsPassedOn -and ([int] $ace.AceFlags -band 2) -eq 0) { continue }
    # An entry that is only passed on gives nothing at the object itself.
    if (-not $IsPassedOn -and ([int] $ace.AceFlags -band 8) -ne 0) { continue }
    $type = ''
    $below = ''
    if ($ace -is [System.Security.AccessControl.ObjectAce]) {
      if (([int] $ace.ObjectAceFlags -band 1) -ne 0) { $type = $ace.ObjectAceType.ToString() }
      if (([int] $ace.ObjectAceFlags -band 2) -ne 0) { $below = $ace.InheritedObjectAceType.ToString() }
    }
    if ($IsPassedOn -and $below -ne '' -and $below -ne (Get-ClassType)) { continue }
    $isFull = $type -eq '' -and ((Test-Bits $ace.AccessMask 0xF01FF) -or (Test-Bits $ace.AccessMask 0x10000000))
    if ($isFull -and -not $Change.TakesFullControl) { continue }
    $fits = @($Change.Marks).Count -eq 0
    $bits = 0
    foreach ($mark in $Marks) {
      if (-not (Test-Bits $ace.AccessMask $mark.Mask)) { continue }
      $isMeant = @($mark.Types) -contains $type
      if (@($mark.Types).Count -eq 0) { $isMeant = $type -eq '' }
      if ($isMeant) { $fits = $true; $bits = $bits -bor $mark.Mask }
    }
    if ($fits) { $found += @{ At = $at; Ace = $ace; Type = $type; Left = (Get-Left $ace.AccessMask $bits $isFull) } }
  }
  return , $found
}

function Get-RightNames([int] $Mask) { return [System.Enum]::ToObject([System.DirectoryServices.ActiveDirectoryRights], $Mask).ToString() }

function Read-Descriptor([string] $Base, [int] $Sections) {
  $opened = Get-Opened
  $entry = Read-Entry $opened.Connection $Base @('distinguishedName', 'objectGUID', 'objectClass', $Change.Attribute) $Sections
  $bytes = Read-Bytes $entry $Change.Attribute
  # A list that may not be read is not an empty one.
  if ($null -eq $bytes -and $Change.Attribute -eq 'nTSecurityDescriptor') { Stop-NotAsCollected ('the access control list cannot be read: ' + $Base) }
  $descriptor = $null
  if ($null -ne $bytes) { $descriptor = New-Object System.Security.AccessControl.RawSecurityDescriptor($bytes, 0) }
  return @{ Entry = $entry; Name = (Read-Texts $entry 'distinguishedName')[0]; Descriptor = $descriptor }
}

function Write-Descriptor([string] $Base, $Descriptor, [int] $Sections) {
  $bytes = New-Object byte[] $Descriptor.BinaryLength
  $Descriptor.GetBinaryForm($bytes, 0)
  Write-Entry (Get-Opened).Connection $Base (, (New-Modification $Change.Attribute 'Replace' $bytes)) $Sections
}

# Objects whose lists have the entries: the object, the container that passes them on, AdminSDHolder.
function Get-Places($Marks) {
  $opened = Get-Opened
  $places = @()
  foreach ($place in @($Change.Places)) {
    if ($place.Kind -eq 'AdminSDHolder') { $places += @{ Base = 'CN=AdminSDHolder,CN=System,' + $opened.Place; PassedOn = $false }; continue }
    if ($place.Kind -ne 'Above') { $places += @{ Base = $place.Base; PassedOn = ($place.Kind -eq 'Container') }; continue }
    # The nearest container above that passes such an entry on; nothing above the domain, the configuration or a closed list does.
    $read = Read-Descriptor $place.Base 4
    while ($read.Name -ne $opened.Place -and $read.Name -ne $opened.Configuration) {
      if (([int] $read.Descriptor.ControlFlags -band 0x1000) -ne 0) { break }
      $parent = (Read-Texts (Read-Entry $opened.Connection $read.Name @('msDS-parentdistname') 0) 'msDS-parentdistname')[0]
      if ([string]::IsNullOrEmpty($parent)) { Stop-NotAsCollected ('the controller does not say what is above ' + $read.Name) }
      $read = Read-Descriptor $parent 4
      if ((Select-Entries $read.Descriptor.DiscretionaryAcl $true $Marks).Count -gt 0) {
        $id = New-Object System.Guid(, (Read-Bytes $read.Entry 'objectGUID'))
        $places += @{ Base = '<GUID=' + $id.ToString() + '>'; PassedOn = $true }
        break
      }
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
    return Test-PolicyFolder @{ Reached = ($owner -eq $Change.NewOwner); Lines = $lines; Saved = @{ Owner = $owner } } $object.Name
  }
  $name = ''
  if ($Change.Principal.StartsWith($Change.Domain.Sid + '-') -or $Change.Principal.StartsWith('S-1-5-32-')) {
    # An entry may outlive its principal.
    try { $name = (Read-Texts (Read-Entry $opened.Connection ('<SID=' + $Change.Principal + '>') @('distinguishedName') 0) 'distinguishedName')[0] }
    catch { if (-not $_.Exception.Message.StartsWith('NOT-AS-COLLECTED: ')) { throw } }
    $lines += 'Principal: ' + $name
  }
  $lines += (Get-HolderLines 'Members at any depth that lose the right' $Change.Principal $name)
  $marks = Get-Marks
  $saved = @()
  foreach ($place in (Get-Places $marks)) {
    $read = Read-Descriptor $place.Base 4
    if ($null -eq $read.Descriptor) { continue }
    $lines += 'List: ' + $read.Name
    # An entry of the object itself may be passed on, too: its removal reaches the objects below.
    $isPassed = $place.PassedOn -or @((Select-Entries $read.Descriptor.DiscretionaryAcl $false $marks) | Where-Object { ([int] $_.Ace.AceFlags -band 2) -ne 0 }).Count -gt 0
    if ($isPassed) { $lines += 'Objects below: ' + (Measure-Objects $opened.Connection $read.Name '(objectClass=*)') }
    foreach ($one in (Select-Entries $read.Descriptor.DiscretionaryAcl $place.PassedOn $marks)) {
      # A cast to the enumeration refuses generic bits.
      $lines += 'Entry: 0x' + $one.Ace.AccessMask.ToString('X') + ' ' + (Get-RightNames $one.Ace.AccessMask) + ' ' + $one.Type + ' (' + $one.Ace.AceFlags.ToString() + ')'
      if ($one.Left -eq 0) { $lines += '  The whole entry goes.' } else { $lines += '  The entry keeps: 0x' + $one.Left.ToString('X') + ' ' + (Get-RightNames $one.Left) }
      if ($PropertySets -contains $one.Type) { $lines += '  The entry is for a property set: its other attributes lose the right, too.' }
      $bytes = New-Object byte[] $one.Ace.BinaryLength
      $one.Ace.GetBinaryForm($bytes, 0)
      $text = [Convert]::ToBase64String($bytes)
      if (@($saved | Where-Object { $_.Base -eq $place.Base -and $_.At -eq $one.At }).Count -eq 0) { $saved += @{ Base = $place.Base; At = $one.At; Ace = $text; Left = $one.Left } }
    }
  }
  $left = 0
  if ($null -ne $object.Descriptor) { $left = (Select-Entries $object.Descriptor.DiscretionaryAcl $false $marks $true).Count }
  $isPending = $saved.Count -eq 0 -and $left -gt 0
  if ($isPending) {
    $lines += 'The object inherits ' + $left + ' such entries, and no container that was looked at passes them on: they go when the directory has worked through the objects below, or a container further above has them.'
    if ($Mode -eq 'Apply' -and -not $script:IsChanging) { Stop-NotAsCollected 'the container that passes the entry on was not found' }
  }
  return Test-PolicyFolder @{ Reached = ($saved.Count -eq 0 -and $left -eq 0); IsPending = $isPending; Lines = $lines; Saved = @{ Entries = $saved } } $object.Name
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
        if ([Convert]::ToBase64String($bytes) -eq $saved.Ace) {
          if ($saved.Left -eq 0) { $acl.RemoveAce($at) } else { $acl[$at].AccessMask = $saved.Left }
          break
        }
      }
    }
    Write-Descriptor $base $read.Descriptor 4
  }
}

# Position of the entry that Apply left with fewer rights; -1 if there is none.
function Find-Left($Acl, $Old, [int] $Left) {
  if ($Left -eq 0) { return -1 }
  $Old.AccessMask = $Left
  for ($at = 0; $at -lt $Acl.Count; $at++) { if ($Acl[$at].Equals($Old)) { return $at } }
  return -1
}

# Entries go back one by one: what others changed since then stays. A backup that was written by others gives nothing to anyone else.
function Restore-Change($Saved) {
  if ($Change.Operation -eq 'SetOwner') {
    if ($Saved.Owner -ne $Change.Principal) { throw 'the backup names another owner than this change' }
    $read = Read-Descriptor $Change.Object 1
    $read.Descriptor.Owner = New-Object System.Security.Principal.SecurityIdentifier($Change.Principal)
    Write-Descriptor $Change.Object $read.Descriptor 1
    return
  }
  foreach ($one in @($Saved.Entries)) {
    $old = [System.Security.AccessControl.GenericAce]::CreateFromBinaryForm([Convert]::FromBase64String($one.Ace), 0)
    if ($old.SecurityIdentifier.Value -ne $Change.Principal) { throw 'the backup has an entry of another principal' }
    $read = Read-Descriptor $one.Base 4
    if ($null -eq $read.Descriptor) { throw 'the list was removed since then' }
    $acl = $read.Descriptor.DiscretionaryAcl
    # Where it was, behind entries that deny and before inherited ones.
    $place = [Math]::Min([int] $one.At, $acl.Count)
    $isThere = $false
    for ($at = 0; $at -lt $acl.Count; $at++) {
      $isInherited = ([int] $acl[$at].AceFlags -band 16) -ne 0
      if ($acl[$at].Equals($old)) { $isThere = $true }
      if ($isInherited -and $at -lt $place) { $place = $at }
      if (-not $isInherited -and @('AccessDenied', 'AccessDeniedObject') -contains $acl[$at].AceType.ToString() -and $at -ge $place) { $place = $at + 1 }
    }
    if ($isThere) { continue }
    $left = 0
    if ($null -ne $one.PSObject.Properties['Left']) { $left = [int] $one.Left }
    $mask = $old.AccessMask
    $reduced = Find-Left $acl $old $left
    if ($reduced -ge 0) { $acl[$reduced].AccessMask = $mask }
    else {
      # Others removed the rest of the entry since then: only the rights of this change go back.
      $old.AccessMask = $mask -band (-bnot $left)
      $acl.InsertAce($place, $old)
    }
    Write-Descriptor $one.Base $read.Descriptor 4
  }
}
${POLICY_FOLDER}${TAIL}`;
