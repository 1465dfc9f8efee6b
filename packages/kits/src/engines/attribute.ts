/** Engine: bits, a number, values and links in an attribute of one object. */
import { HEAD, LDAP, TAIL } from './common.ts';
import { withOption } from './options.ts';

export const ATTRIBUTE = `# Clew change kit, engine Attribute 5: changes bits, a number or values of one attribute.
${withOption(HEAD, 'Subject')}${LDAP}${String.raw`
function Get-Number($Texts) {
  if ($Texts.Count -eq 0) { return 0 }
  return [int] $Texts[0]
}

# A template that takes no name from the directory would issue certificates without any: bit 0x40 of its flags stands for machines.
function Get-AddedName([int] $Now) {
  if (($Now -band [int] $Change.Names) -ne 0) { return 0 }
  $type = $Subject
  if ($type -eq 'Default') {
    $flags = Get-Number (Read-Texts (Read-Entry (Get-Opened).Connection $Change.Object @('flags') 0) 'flags')
    if (($flags -band 64) -ne 0) { $type = 'Machine' } else { $type = 'User' }
  }
  if ($type -eq 'Machine') { return [int] $Change.NameOfMachine }
  return [int] $Change.NameOfUser
}

# The security extension binds a certificate to its account; without it, a name is matched that others may be able to write.
function Get-NameLines([int] $Added) {
  if ($Added -eq 0) { return , @('The template takes a name from the directory: no flag is added.') }
  $name = 'the distinguished name and the UPN of the user'
  if ($Added -eq [int] $Change.NameOfMachine) { $name = 'the DNS name of the computer' }
  $lines = @('The template takes no name from the directory: added is ' + $name + '. Use -Subject User or -Subject Machine if this does not fit.')
  $flags = Get-Number (Read-Texts (Read-Entry (Get-Opened).Connection $Change.Object @('msPKI-Enrollment-Flag') 0) 'msPKI-Enrollment-Flag')
  if (($flags -band 524288) -ne 0) { $lines += 'Certificates of the template lack the security extension (NO_SECURITY_EXTENSION): enable it before this change.' }
  return , $lines
}

function Get-WantedNumber([int] $Now) {
  if ($Change.Operation -eq 'ClearBits') { return $Now -band (-bnot [int] $Change.Number) }
  if ($Change.Operation -eq 'SetBits') { return $Now -bor [int] $Change.Number }
  if ($Change.Operation -eq 'BuildSubject') { return ($Now -band (-bnot [int] $Change.Number)) -bor (Get-AddedName $Now) }
  return [int] $Change.Number
}

# A service name is service/host[:port][/name]; the host stands for all values that name it.
function Test-Value([string] $Value, $Wanted) {
  foreach ($one in $Wanted) {
    if ($Change.Operation -eq 'RemoveServices') {
      $parts = $Value.Split('/')
      if ($parts.Count -gt 1 -and $parts[1].Split(':')[0] -eq $one) { return $true }
    } elseif ($Value -ieq $one) { return $true }
  }
  return $false
}

function Get-Wanted {
  $wanted = @($Change.Values)
  foreach ($base in @($Change.ValuesOf)) {
    $entry = Read-Entry (Get-Opened).Connection $base.Base @($base.Attribute) 0
    $wanted += Read-Texts $entry $base.Attribute
  }
  return , $wanted
}

# A link names its policy by distinguished name, with the domain: default policies have the same GUID in each domain.
function Test-Link([string] $Link) {
  $name = $Link.ToLowerInvariant() -replace '\s*,\s*', ','
  return $name.Contains('/' + [string] $Change.Values[0] + ';')
}

function Read-State {
  $opened = Get-Opened
  $entry = Read-Entry $opened.Connection $Change.Object @('distinguishedName', 'objectClass', $Change.Attribute) 0
  Test-Class $entry $Change.Class
  $lines = @('Object: ' + (Read-Texts $entry 'distinguishedName')[0])
  if ($Change.Operation -eq 'RemoveSid') {
    $kept = @()
    if ($entry.Attributes.Contains($Change.Attribute)) {
      foreach ($bytes in $entry.Attributes[$Change.Attribute].GetValues([byte[]])) {
        if ((New-Object System.Security.Principal.SecurityIdentifier([byte[]] $bytes, 0)).Value -eq $Change.Values[0]) { $kept += [Convert]::ToBase64String($bytes) }
      }
    }
    foreach ($one in $kept) { $lines += 'Value that goes: ' + $Change.Values[0] }
    return @{ Reached = ($kept.Count -eq 0); Lines = $lines; Saved = @{ Bytes = $kept } }
  }
  $texts = Read-Texts $entry $Change.Attribute
  if (@('ClearBits', 'SetBits', 'SetNumber', 'BuildSubject') -contains $Change.Operation) {
    $now = Get-Number $texts
    # Undo needs no type of the template.
    if ($Mode -eq 'Undo' -and $Change.Operation -eq 'BuildSubject') { return @{ Reached = (($now -band [int] $Change.Number) -eq 0); Lines = ($lines + @($Change.Attribute + ': ' + $now)); Saved = @{} } }
    $next = Get-WantedNumber $now
    $lines += ($Change.Attribute + ': ' + $now + ', wanted ' + $next)
    if ($Change.Operation -eq 'BuildSubject') {
      $added = Get-AddedName $now
      $lines += (Get-NameLines $added)
      return @{ Reached = ($now -eq $next); Lines = $lines; Saved = @{ Number = $now; WasSet = ($texts.Count -gt 0); Added = $added } }
    }
    # A number that is not set is a default of the version of Windows.
    $isSet = $texts.Count -gt 0 -or $Change.Operation -ne 'SetNumber'
    return @{ Reached = ($isSet -and $now -eq $next); Lines = $lines; Saved = @{ Number = $now; WasSet = ($texts.Count -gt 0) } }
  }
  if ($Change.Operation -eq 'RemoveLink') {
    $links = [regex]::Matches(($texts -join ''), '\[[^\]]*\]')
    $kept = @()
    for ($at = 0; $at -lt $links.Count; $at++) {
      if (Test-Link ($links[$at].Value)) { $kept += @{ At = $at; Link = (ConvertTo-Kept $links[$at].Value) } }
    }
    $lines += 'Objects below: ' + (Measure-Objects $opened.Connection (Read-Texts $entry 'distinguishedName')[0] '(objectClass=*)')
    $lines += 'Links that go: ' + $kept.Count
    return @{ Reached = ($kept.Count -eq 0); Lines = $lines; Saved = @{ Links = $kept } }
  }
  $wanted = Get-Wanted
  $kept = @($texts | Where-Object { Test-Value $_ $wanted })
  foreach ($value in $kept) { $lines += 'Value that goes: ' + $value }
  return @{ Reached = ($kept.Count -eq 0); Lines = $lines; Saved = @{ Values = @($kept | ForEach-Object { ConvertTo-Kept $_ }) } }
}

# The old value is part of the request: the server refuses it where someone changed the value in between.
function Write-Number([bool] $WasSet, [int] $Now, [int] $Next) {
  $all = @()
  if ($WasSet) { $all += , (New-Modification $Change.Attribute 'Delete' ([string] $Now)) }
  $all += , (New-Modification $Change.Attribute 'Add' ([string] $Next))
  Write-Entry (Get-Opened).Connection $Change.Object $all 0
}

function Read-Links {
  $entry = Read-Entry (Get-Opened).Connection $Change.Object @($Change.Attribute) 0
  $text = (Read-Texts $entry $Change.Attribute) -join ''
  return , @([regex]::Matches($text, '\[[^\]]*\]') | ForEach-Object { $_.Value })
}

function Write-Links($Links) {
  $text = $Links -join ''
  if ($text -eq '') { $text = ' ' }
  Write-Entry (Get-Opened).Connection $Change.Object (, (New-Modification $Change.Attribute 'Replace' $text)) 0
}

function Set-Change($State) {
  $saved = $State.Saved
  if ($saved.ContainsKey('Number')) { Write-Number $saved.WasSet $saved.Number (Get-WantedNumber $saved.Number); return }
  if ($saved.ContainsKey('Links')) {
    $gone = @($saved.Links | ForEach-Object { ConvertFrom-Kept $_.Link })
    Write-Links @((Read-Links) | Where-Object { -not ($gone -contains $_) })
    return
  }
  $all = @()
  if ($saved.ContainsKey('Bytes')) { foreach ($one in @($saved.Bytes)) { $all += , (New-Modification $Change.Attribute 'Delete' ([Convert]::FromBase64String($one))) } }
  else { foreach ($one in @($saved.Values)) { $all += , (New-Modification $Change.Attribute 'Delete' (ConvertFrom-Kept $one)) } }
  Write-Entry (Get-Opened).Connection $Change.Object $all 0
}

# Only the bits, the number or the values of this change go back.
function Restore-Change($Saved) {
  if ($Change.Operation -eq 'RemoveSid') { throw 'a SID history is not written over LDAP: this change cannot be undone' }
  if ($Change.Operation -eq 'RemoveLink') {
    $links = New-Object System.Collections.ArrayList
    foreach ($link in (Read-Links)) { $null = $links.Add($link) }
    # A link of the policy that others made since then stays as it is.
    $isThere = @((Read-Links) | Where-Object { Test-Link $_ }).Count -gt 0
    if ($isThere) { return }
    foreach ($one in @($Saved.Links)) { $links.Insert([Math]::Min([int] $one.At, $links.Count), (ConvertFrom-Kept $one.Link)) }
    Write-Links $links
    return
  }
  if (@('ClearBits', 'SetBits', 'SetNumber', 'BuildSubject') -contains $Change.Operation) {
    $texts = Read-Texts (Read-Entry (Get-Opened).Connection $Change.Object @($Change.Attribute) 0) $Change.Attribute
    $now = Get-Number $texts
    $bits = [int] $Change.Number
    if ($Change.Operation -eq 'BuildSubject') { $bits = $bits -bor [int] $Saved.Added }
    $next = [int] $Saved.Number
    if ($Change.Operation -eq 'SetNumber') {
      if ($texts.Count -eq 0 -or $now -ne $bits) { Write-Line 'The number was changed by others since then, and stays.'; return }
      if (-not $Saved.WasSet) { Write-Entry (Get-Opened).Connection $Change.Object (, (New-Modification $Change.Attribute 'Delete' ([string] $now))) 0; return }
    } else { $next = ($now -band (-bnot $bits)) -bor ([int] $Saved.Number -band $bits) }
    if ($next -ne $now) { Write-Number ($texts.Count -gt 0) $now $next }
    return
  }
  $all = @()
  $texts = Read-Texts (Read-Entry (Get-Opened).Connection $Change.Object @($Change.Attribute) 0) $Change.Attribute
  foreach ($one in @($Saved.Values)) {
    $value = ConvertFrom-Kept $one
    if (-not ($texts -contains $value)) { $all += , (New-Modification $Change.Attribute 'Add' $value) }
  }
  if ($all.Count -gt 0) { Write-Entry (Get-Opened).Connection $Change.Object $all 0 }
}
`}${TAIL}`;
