/** Engine: moves an object to a container chosen by the administrator. */
import { HEAD, LDAP, TAIL } from './common.ts';

export const MOVE = `# Clew change kit, engine Move 4: moves one object below the container of -Target (its GUID).
${HEAD}${LDAP}
function Get-TargetName { return (Read-Texts (Read-Entry (Get-Opened).Connection ('<GUID=' + ([System.Guid] $Target).ToString() + '>') @('distinguishedName') 0) 'distinguishedName')[0] }

function Read-State {
  $opened = Get-Opened
  $entry = Read-Entry $opened.Connection $Change.Object @('distinguishedName', 'objectClass', 'msDS-parentdistname') 0
  Test-Class $entry $Change.Class
  $old = Read-Entry $opened.Connection $Change.OldParent @('distinguishedName') 0
  $from = (Read-Texts $old 'distinguishedName')[0]
  $parent = (Read-Texts $entry 'msDS-parentdistname')[0]
  if ([string]::IsNullOrEmpty($parent)) { Stop-NotAsCollected 'the controller does not say in which container the object is' }
  $name = (Read-Texts $entry 'distinguishedName')[0]
  $lines = @(('Object: ' + $name), ('Collected in: ' + $from))
  $isInside = $name.EndsWith(',' + $from, [System.StringComparison]::OrdinalIgnoreCase)
  if ($isInside -and $parent -ine $from) { $lines += 'It is in another container by now, which is still inside the collected one.' }
  if ($Target -ne '' -and $Mode -ne 'Undo') {
    $next = Get-TargetName
    $lines += 'New container: ' + $next
    if ($Mode -ne 'Verify' -and ($next -ieq $from -or $next.EndsWith(',' + $from, [System.StringComparison]::OrdinalIgnoreCase))) { Stop-NotAsCollected 'the new container is inside the collected one, so the right stays: choose another' }
  }
  if ($Mode -eq 'Apply' -and $Target -eq '') { Stop-NotAsCollected 'name the container with -Target GUID; Clew never chooses it' }
  return @{ Reached = (-not $isInside); IsMoved = ($parent -ine $from); Lines = $lines; Saved = @{ OldParent = $Change.OldParent } }
}

function Move-Below([string] $Parent) {
  $opened = Get-Opened
  $entry = Read-Entry $opened.Connection $Change.Object @('distinguishedName', 'msDS-parentdistname') 0
  $name = (Read-Texts $entry 'distinguishedName')[0]
  $old = (Read-Texts $entry 'msDS-parentdistname')[0]
  $first = $name.Substring(0, $name.Length - $old.Length - 1)
  $next = (Read-Texts (Read-Entry $opened.Connection $Parent @('distinguishedName') 0) 'distinguishedName')[0]
  $request = New-Object System.DirectoryServices.Protocols.ModifyDNRequest($name, $next, $first)
  $null = $opened.Connection.SendRequest($request)
}

function Set-Change($State) { Move-Below ('<GUID=' + ([System.Guid] $Target).ToString() + '>') }

function Restore-Change($Saved) {
  if (-not (Read-State).IsMoved) { return }
  Move-Below $Change.OldParent
}
${TAIL}`;
