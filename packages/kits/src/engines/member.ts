/** Engine: a member of a directory group. */
import { HEAD, LDAP, TAIL } from './common.ts';

export const MEMBER = `# Clew change kit, engine Member 4: takes one member out of a group of Active Directory.
${HEAD}${LDAP}
$script:MemberName = $null

$script:PrimaryGroup = ''
$script:MemberSid = ''
# The name that the group has of the member: its object here, which a member of another forest has as well; else that of its own domain.
function Get-MemberName {
  if ($null -eq $script:MemberName) {
    try { $entry = Read-Entry (Get-Opened).Connection $Change.Member @('distinguishedName', 'primaryGroupID', 'objectSid') 0 }
    catch {
      if ($Change.MemberDomain.Sid -eq $Change.Domain.Sid) { throw }
      $entry = Read-Entry (Connect-Directory $Change.MemberDomain.Name) $Change.Member @('distinguishedName', 'objectSid') 0
    }
    $bytes = Read-Bytes $entry 'objectSid'
    if ($null -ne $bytes) { $script:MemberSid = (New-Object System.Security.Principal.SecurityIdentifier($bytes, 0)).Value }
    $script:PrimaryGroup = (Read-Texts $entry 'primaryGroupID') -join ''
    $script:MemberName = (Read-Texts $entry 'distinguishedName')[0]
  }
  return $script:MemberName
}

function Read-State {
  $opened = Get-Opened
  $group = Read-Entry $opened.Connection $Change.Group @('distinguishedName', 'objectClass', 'primaryGroupToken') 0
  Test-Class $group 'group'
  $name = Get-MemberName
  if ($Change.MemberDomain.Sid -eq $Change.Domain.Sid -and $script:PrimaryGroup -ne '' -and $script:PrimaryGroup -eq ((Read-Texts $group 'primaryGroupToken') -join '')) {
    Stop-NotAsCollected 'the group is the primary group of the member: give the member another primary group first'
  }
  $request = New-Object System.DirectoryServices.Protocols.SearchRequest($Change.Group, ('(member=' + (ConvertTo-FilterText $name) + ')'), [System.DirectoryServices.Protocols.SearchScope]::Base, [string[]] @('1.1'))
  $isMember = $opened.Connection.SendRequest($request).Entries.Count -eq 1
  $lines = @(('Group: ' + (Read-Texts $group 'distinguishedName')[0]), ('Member: ' + $name))
  $lines += (Get-HolderLines 'Accounts and groups below the member' $script:MemberSid $name)
  return @{ Reached = (-not $isMember); Lines = $lines; Saved = @{ Group = $Change.Group; Member = (ConvertTo-Kept $name) } }
}

function Set-Change($State) {
  Write-Entry (Get-Opened).Connection $Change.Group (, (New-Modification 'member' 'Delete' (Get-MemberName))) 0
}

function Restore-Change($Saved) {
  # Someone may have given the membership back since then.
  if (-not (Read-State).Reached) { return }
  Write-Entry (Get-Opened).Connection $Change.Group (, (New-Modification 'member' 'Add' (Get-MemberName))) 0
}
${TAIL}`;
