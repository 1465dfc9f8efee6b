/** Engine: a member of a local group on one host. */
import { HEAD, REMOTE, TAIL } from './common.ts';

export const LOCAL_GROUP = `# Clew change kit, engine LocalGroup 4: takes one member out of a local group of a host.
${HEAD}${REMOTE}${String.raw`
# ADSI lists members whose accounts are gone, too.
$ReadBlock = {
  param($Group, $Member)
  $name = (New-Object System.Security.Principal.SecurityIdentifier($Group)).Translate([System.Security.Principal.NTAccount]).Value.Split('\')[-1]
  $found = @(([ADSI] ('WinNT://./' + $name + ',group')).psbase.Invoke('Members') | ForEach-Object {
      $bytes = $_.GetType().InvokeMember('objectSid', 'GetProperty', $null, $_, $null)
      (New-Object System.Security.Principal.SecurityIdentifier([byte[]] $bytes, 0)).Value
    })
  return @{ IsMember = ($found -contains $Member); Count = $found.Count }
}

function Read-State {
  $now = Invoke-Host $Change.Host $ReadBlock @($Change.Group, $Change.Member)
  $lines = @(('Group ' + $Change.Group + ' of ' + $Change.Host.Sid), ('Members: ' + $now.Count))
  # A host does not resolve groups of the domain.
  if (Test-Everyone $Change.Member) { $lines += $EveryoneLine } else { $lines += 'Accounts below the member: not counted.' }
  return @{ Reached = (-not $now.IsMember); Lines = $lines; Saved = @{ Group = $Change.Group; Member = $Change.Member } }
}

function Set-Change($State) {
  Invoke-Host $Change.Host { param($Group, $Member) Remove-LocalGroupMember -SID $Group -Member $Member -Confirm:$false } @($Change.Group, $Change.Member)
}

function Restore-Change($Saved) {
  if (-not (Read-State).Reached) { return }
  Invoke-Host $Change.Host { param($Group, $Member) Add-LocalGroupMember -SID $Group -Member $Member -Confirm:$false } @($Change.Group, $Change.Member)
}
`}${TAIL}`;
