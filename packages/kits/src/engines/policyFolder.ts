/** For the engine of access lists: a policy has a second list, on its folder in SYSVOL, from which hosts read the settings. */
export const POLICY_FOLDER = String.raw`
# A policy has a second list, on its folder in SYSVOL. This script reads that list and never writes it. The path comes from the controller and from the
# name of the policy: those who control a policy can write the path that the directory has.
function Test-PolicyFolder([hashtable] $State, [string] $Name) {
  if ($Change.Class -ne 'groupPolicyContainer') { return $State }
  $isClear = $false
  $lines = @()
  if ($Name -notmatch '^CN=(\{[0-9A-Fa-f-]{36}\}),CN=Policies,CN=System,') { $lines += 'Folder: the name of the object is not the name of a policy.' }
  else {
    $opened = Get-Opened
    $path = '\\' + $opened.Controller + '\SYSVOL\' + (($opened.Place -replace 'DC=', '') -replace ',', '.') + '\Policies\' + $Matches[1]
    $lines += 'Folder: ' + $path
    try {
      $acl = Get-Acl -LiteralPath $path
      $isClear = $true
      if ($Change.Operation -eq 'SetOwner') {
        $owner = $acl.GetOwner([System.Security.Principal.SecurityIdentifier]).Value
        $lines += 'Owner of the folder: ' + $owner
        if ($owner -eq $Change.Principal) { $isClear = $false }
      } else {
        foreach ($rule in @($acl.GetAccessRules($true, $true, [System.Security.Principal.SecurityIdentifier]))) {
          if ($rule.IdentityReference.Value -ne $Change.Principal -or [string] $rule.AccessControlType -ne 'Allow') { continue }
          # Rights to write or delete files, to change the list, and to take the owner; generic rights include them.
          if (([int] $rule.FileSystemRights -band 0x500D0046) -eq 0) { continue }
          $isClear = $false
          $lines += 'Entry of the folder: 0x' + ([int] $rule.FileSystemRights).ToString('X') + ', inherited: ' + $rule.IsInherited
        }
      }
    } catch {
      $isClear = $false
      $lines += 'The list of the folder was not read: ' + $_.Exception.Message
    }
  }
  if (-not $isClear) { $lines += 'The folder is not as wanted: with the right to its files, the principal still changes the policy. This script does not change the folder; the readme and the comments of the script have the steps.' }
  $State.Lines = @($State.Lines) + $lines
  if (-not $State.Reached -or $isClear) { return $State }
  if ($Mode -eq 'Apply' -and -not $script:IsChanging) { Stop-NotAsCollected 'the directory is as wanted, and only the SYSVOL folder is left, which this script does not change' }
  $State.Reached = $false
  $State.IsPending = $true
  return $State
}
`;
