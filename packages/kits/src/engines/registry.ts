/** Engine: a registry value on one or more hosts. */
import { HEAD, REMOTE, TAIL } from './common.ts';

export const REGISTRY = `# Clew change kit, engine Registry 2: changes one value of the registry of each host, and restarts a service.
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

function Read-State {
  $lines = @()
  $saved = @()
  $reached = $true
  foreach ($place in @($Change.Hosts)) {
    $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value)
    $done = Test-Reached $now
    $reached = $reached -and $done
    $lines += $place.Sid + ': ' + $Change.Value + ' = ' + [string] $now.Number + ' ' + (@($now.Texts) -join ' ') + $now.Text + ', set: ' + $now.IsSet
    if (-not $done) { $saved += @{ Sid = $place.Sid; IsSet = $now.IsSet; Number = $now.Number; Texts = @($now.Texts | ForEach-Object { ConvertTo-Kept $_ }); Text = (ConvertTo-Kept $now.Text) } }
  }
  if ($Change.Service -ne '') { $lines += 'The service restarts: ' + $Change.Service }
  return @{ Reached = $reached; Lines = $lines; Saved = @{ Hosts = $saved } }
}

function Set-Change($State) {
  foreach ($place in @($Change.Hosts)) {
    $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value)
    if (Test-Reached $now) { continue }
    $next = Get-Next $now
    Invoke-Host $place $WriteBlock @($Change.RegistryKey, $Change.Value, $next.Type, $next.IsSet, $next.Value, $Change.Service)
  }
}

# The bits, the text or the number of this change go back; others that were set since then stay.
function Restore-Change($Saved) {
  foreach ($old in @($Saved.Hosts)) {
    $place = @($Change.Hosts | Where-Object { $_.Sid -eq $old.Sid })[0]
    $now = Invoke-Host $place $ReadBlock @($Change.RegistryKey, $Change.Value)
    $bits = [int] $Change.Number
    $type = 'DWord'
    $isSet = [bool] $old.IsSet
    $value = [int] $old.Number
    # Not reached: this host was never changed, or others have set the value since then.
    if (-not (Test-Reached $now)) { Write-Line ($old.Sid + ': not as this change left it, and stays.'); continue }
    if ($Change.Operation -eq 'ClearBits' -or $Change.Operation -eq 'SetBits') {
      $value = ($now.Number -band (-bnot $bits)) -bor ($value -band $bits)
      $isSet = $isSet -or $value -ne 0
    }
    if ($Change.Operation -eq 'RemoveText') { $type = 'MultiString'; $value = [string[]] (@($now.Texts) + $Change.Text) }
    if ($Change.Operation -eq 'DeleteValue') { $type = 'String'; $value = ConvertFrom-Kept $old.Text }
    Invoke-Host $place $WriteBlock @($Change.RegistryKey, $Change.Value, $type, $isSet, $value, $Change.Service)
  }
}
`}${TAIL}`;
