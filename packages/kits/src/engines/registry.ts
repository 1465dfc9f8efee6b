/** Engine: a registry value on one or more hosts. */
import { HEAD, REMOTE, TAIL } from './common.ts';

export const REGISTRY = `# Clew change kit, engine Registry 4: changes one value of the registry of each host, and restarts a service.
${HEAD}${REMOTE}${String.raw`
# {Active} stands for the authority that the host runs.
$ReadBlock = {
  param($Key, $Name)
  if ($Key.Contains('{Active}')) {
    $root = 'HKLM:\SYSTEM\CurrentControlSet\Services\CertSvc\Configuration'
    $Key = $Key.Replace('{Active}', (Get-ItemProperty -LiteralPath $root).Active)
  }
  $item = Get-Item -LiteralPath ('HKLM:\' + $Key) -ErrorAction SilentlyContinue
  if ($null -eq $item -or -not ($item.GetValueNames() -contains $Name)) { return @{ IsSet = $false; Number = 0; Texts = @(); Text = '' } }
  $value = $item.GetValue($Name)
  if ($value -is [array]) { return @{ IsSet = $true; Number = 0; Texts = @($value); Text = '' } }
  if ($value -is [string]) { return @{ IsSet = $true; Number = 0; Texts = @(); Text = $value } }
  return @{ IsSet = $true; Number = [int] $value; Texts = @(); Text = '' }
}

$WriteBlock = {
  param($Key, $Name, $Type, $IsSet, $Value, $Service)
  if ($Key.Contains('{Active}')) {
    $root = 'HKLM:\SYSTEM\CurrentControlSet\Services\CertSvc\Configuration'
    $Key = $Key.Replace('{Active}', (Get-ItemProperty -LiteralPath $root).Active)
  }
  $path = 'HKLM:\' + $Key
  if (-not $IsSet) { Remove-ItemProperty -LiteralPath $path -Name $Name -Confirm:$false }
  else {
    if (-not (Test-Path -LiteralPath $path)) { $null = New-Item -Path $path -Confirm:$false }
    if ($Type -eq 'MultiString') { $Value = [string[]] @($Value) }
    $null = New-ItemProperty -LiteralPath $path -Name $Name -PropertyType $Type -Value $Value -Force -Confirm:$false
  }
  if ($Service -ne '') { Restart-Service -Name $Service -Confirm:$false }
}

function Get-Next($Now) {
  if ($Change.Operation -eq 'RemoveText') { return @{ IsSet = $true; Type = 'MultiString'; Value = [string[]] @($Now.Texts | Where-Object { $_ -ne $Change.Text }) } }
  if ($Change.Operation -eq 'DeleteValue') { return @{ IsSet = $false; Type = 'String'; Value = '' } }
  $number = [int] $Change.Number
  if ($Change.Operation -eq 'ClearBits') { $number = $Now.Number -band (-bnot $number) }
  if ($Change.Operation -eq 'SetBits') { $number = $Now.Number -bor $number }
  return @{ IsSet = $true; Type = 'DWord'; Value = $number }
}

function Test-Reached($Now) {
  if ($Change.Operation -eq 'RemoveText') { return -not (@($Now.Texts) -contains $Change.Text) }
  if ($Change.Operation -eq 'DeleteValue') { return -not $Now.IsSet }
  if ($Change.Operation -eq 'ClearBits') { return ($Now.Number -band [int] $Change.Number) -eq 0 }
  return $Now.IsSet -and $Now.Number -eq (Get-Next $Now).Value
}

# A host that does not answer does not keep others from their change.
function Read-State {
  $lines = @()
  $saved = @()
  $reached = $true
  $silent = @()
  foreach ($place in @($Change.Hosts)) {
    try { $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value) }
    catch {
      if (@($Change.Hosts).Count -eq 1) { throw }
      $silent += $place.Sid
      $lines += $place.Sid + ': not read, and not changed: ' + $_.Exception.Message
      continue
    }
    $done = Test-Reached $now
    $reached = $reached -and $done
    $lines += $place.Sid + ': ' + $Change.Value + ' = ' + [string] $now.Number + ' ' + (@($now.Texts) -join ' ') + $now.Text + ', set: ' + $now.IsSet
    if (-not $done) { $saved += @{ Sid = $place.Sid; IsSet = $now.IsSet; Number = $now.Number; Texts = @($now.Texts | ForEach-Object { ConvertTo-Kept $_ }); Text = (ConvertTo-Kept $now.Text) } }
  }
  if ($silent.Count -eq @($Change.Hosts).Count) { throw ('none of the hosts was read: ' + ($lines -join ' ')) }
  if ($silent.Count -gt 0 -and $saved.Count -eq 0 -and $Mode -eq 'Apply' -and -not $script:IsChanging) { throw ('the other hosts are as wanted: ' + ($lines -join ' ')) }
  if ($Change.Service -ne '') { $lines += 'The service restarts: ' + $Change.Service }
  return @{ Reached = ($reached -and $silent.Count -eq 0); IsPartial = ($reached -and $silent.Count -gt 0); Lines = $lines; Saved = @{ Hosts = $saved } }
}

# Only hosts in the backup: another one may have begun to answer since then.
function Set-Change($State) {
  $failed = @()
  foreach ($old in @($State.Saved.Hosts)) {
    $place = @($Change.Hosts | Where-Object { $_.Sid -eq $old.Sid })[0]
    try {
      $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value)
      if (Test-Reached $now) { continue }
      $next = Get-Next $now
      $null = Invoke-Host $place $WriteBlock @($Change.RegistryKey, $Change.Value, $next.Type, $next.IsSet, $next.Value, $Change.Service)
      Write-Line ('  ' + $place.Sid + ': changed.')
    } catch { $failed += $place.Sid; Write-Line ('  ' + $place.Sid + ': failed: ' + $_.Exception.Message) }
  }
  Stop-Failed $failed
}

# The value may be written, and the service not restarted.
function Stop-Failed($Failed) {
  if ($Failed.Count -eq 0) { return }
  $text = 'failed on ' + $Failed.Count + ' hosts, and the backup stays: run it again for them'
  if ($Change.Service -ne '') { $text += ', and check on them that the service has restarted: ' + $Change.Service }
  throw $text
}

# The bits, the text or the number of this change go back; others that were set since then stay.
function Restore-Change($Saved) {
  $failed = @()
  foreach ($old in @($Saved.Hosts)) {
    try { Restore-Host $old }
    catch { $failed += $old.Sid; Write-Line ('  ' + $old.Sid + ': failed: ' + $_.Exception.Message) }
  }
  Stop-Failed $failed
}

function Restore-Host($Old) {
  $place = @($Change.Hosts | Where-Object { $_.Sid -eq $Old.Sid })[0]
  $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value)
  $bits = [int] $Change.Number
  $type = 'DWord'
  $isSet = [bool] $Old.IsSet
  $value = [int] $Old.Number
  # Not reached: this host was never changed, or others have set the value since then.
  if (-not (Test-Reached $now)) { Write-Line ($Old.Sid + ': not as this change left it, and stays.'); return }
  if ($Change.Operation -eq 'ClearBits' -or $Change.Operation -eq 'SetBits') {
    $value = ($now.Number -band (-bnot $bits)) -bor ($value -band $bits)
    $isSet = $isSet -or $value -ne 0
  }
  if ($Change.Operation -eq 'RemoveText') { $type = 'MultiString'; $value = [string[]] (@($now.Texts) + $Change.Text) }
  if ($Change.Operation -eq 'DeleteValue') { $type = 'String'; $value = ConvertFrom-Kept $Old.Text }
  $null = Invoke-Host $place $WriteBlock @($Change.RegistryKey, $Change.Value, $type, $isSet, $value, $Change.Service)
}
`}${TAIL}`;
