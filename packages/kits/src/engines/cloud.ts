/** Engine: assignments in an Entra ID tenant with Microsoft Graph, and Azure roles with `az`. */
import { HEAD, TAIL } from './common.ts';

export const CLOUD = `# Clew change kit, engine Cloud 4: removes one assignment of Entra ID (Microsoft Graph) or Azure (az).
${HEAD}
$GlobalAdministrator = '62e90394-69f5-4237-9190-012177145e10'
$Graph = 'https://graph.microsoft.com/v1.0/'
# Members and owners of groups: version 1.0 leaves out service principals.
$GraphOfGroups = 'https://graph.microsoft.com/beta/'

function Test-Tenant {
  if ($Change.Operation -eq 'AzureRole') {
    $tenant = az account show --query tenantId --output tsv
    if ($LASTEXITCODE -ne 0) { Stop-NotAsCollected 'sign in with az login first' }
  } else {
    $context = Get-MgContext
    if ($null -eq $context) { Stop-NotAsCollected 'sign in with Connect-MgGraph first' }
    $tenant = $context.TenantId
  }
  if ($tenant -ne $Change.Tenant) { Stop-NotAsCollected ('the tenant is ' + $tenant + ', not ' + $Change.Tenant) }
}

function Get-All([string] $Address) {
  $found = @()
  while ($null -ne $Address -and $Address -ne '') {
    $page = Invoke-MgGraphRequest -Method GET -Uri $Address -OutputType HashTable
    $found += @($page.value)
    $Address = $page['@odata.nextLink']
  }
  return , $found
}

function Get-Assignments {
  $principal = $Change.Principal
  if ($Change.Operation -eq 'RoleActive' -or $Change.Operation -eq 'RoleEligible') {
    $list = 'roleAssignments'
    if ($Change.Operation -eq 'RoleEligible') { $list = 'roleEligibilitySchedules' }
    $filter = "principalId eq '" + $principal + "' and roleDefinitionId eq '" + $Change.Role + "'"
    # A schedule that the principal has through a group is changed at the group.
    return , @((Get-All ($Graph + 'roleManagement/directory/' + $list + '?$filter=' + [Uri]::EscapeDataString($filter))) | Where-Object { $_.directoryScopeId -eq '/' -and ($list -eq 'roleAssignments' -or $_.memberType -eq 'Direct') })
  }
  if ($Change.Operation -eq 'AppRole') {
    return , @((Get-All ($Graph + 'servicePrincipals/' + $principal + '/appRoleAssignments')) | Where-Object { $_.appRoleId -eq $Change.Role -and $_.resourceId -eq $Change.Object })
  }
  if ($Change.Operation -eq 'AzureRole') {
    $found = @()
    foreach ($scope in @($Change.Scopes)) {
      $text = az role assignment list --assignee $principal --scope $scope --role $Change.Role --output json
      if ($LASTEXITCODE -ne 0) { throw 'az role assignment list failed' }
      $found += @(ConvertFrom-Json -InputObject ($text -join '') | ForEach-Object { $_ } | Where-Object { $_.scope -ieq $scope -and $_.principalId -eq $principal })
    }
    return , $found
  }
  $root = $Graph
  if ($Change.Path.StartsWith('groups/')) { $root = $GraphOfGroups }
  return , @((Get-All ($root + $Change.Path + '?$select=id')) | Where-Object { $_.id -eq $principal })
}

# The end of schedules as a text; the empty text where they have none.
function Get-End($Expirations) {
  foreach ($one in @($Expirations)) {
    if ($null -ne $one -and $null -ne $one['endDateTime']) { return ([DateTime] $one['endDateTime']).ToUniversalTime().ToString('o') }
  }
  return ''
}

# Tenants without Privileged Identity Management have no schedules, and no assignment with an end; their answer is a refusal of the license.
function Get-ActiveEnd {
  $filter = "principalId eq '" + $Change.Principal + "' and roleDefinitionId eq '" + $Change.Role + "'"
  try { $all = Get-All ($Graph + 'roleManagement/directory/roleAssignmentScheduleInstances?$filter=' + [Uri]::EscapeDataString($filter)) }
  catch { if (($_.Exception.Message + [string] $_.ErrorDetails) -match 'AadPremiumLicenseRequired') { return '' } else { return 'unknown' } }
  foreach ($one in $all) {
    if ($one['assignmentType'] -eq 'Activated' -or $null -ne $one['endDateTime']) { return 'timed' }
  }
  return ''
}

# The empty text if the answer lacks the value.
function Get-Text($One, [string] $Name) {
  $found = $One.PSObject.Properties[$Name]
  if ($null -eq $found -or $null -eq $found.Value) { return '' }
  return [string] $found.Value
}

# An assignment of Privileged Identity Management has a schedule. The answer is not filtered: on Windows, az is a batch file, which changes such addresses.
function Get-AzureEnd($Assignments) {
  # Lines that az writes to its second output are no errors of the script.
  $ErrorActionPreference = 'Continue'
  foreach ($one in @($Assignments)) {
    # Elevated access has no schedules.
    if ($one.scope -eq '/') { continue }
    $answer = az rest --method get --url ($one.scope + '/providers/Microsoft.Authorization/roleAssignmentScheduleInstances?api-version=2020-10-01') --only-show-errors --output json 2>&1
    $text = (@($answer) | ForEach-Object { [string] $_ }) -join ' '
    if ($LASTEXITCODE -ne 0) { if ($text -match 'AadPremiumLicenseRequired') { continue } else { return 'unknown' } }
    try { $read = ConvertFrom-Json -InputObject $text } catch { return 'unknown' }
    if ((Get-Text $read 'nextLink') -ne '') { return 'unknown' }
    foreach ($schedule in @($read.value)) {
      if ((Get-Text $schedule.properties 'originRoleAssignmentId') -ine $one.id) { continue }
      if ((Get-Text $schedule.properties 'assignmentType') -eq 'Activated' -or (Get-Text $schedule.properties 'endDateTime') -ne '') { return 'timed' }
    }
  }
  return ''
}

# Conditions limit what the holder may do, so an assignment is given back only with its own.
function Save-Azure($Assignments) {
  return , @($Assignments | ForEach-Object { @{
    Id = [string] $_.id; RoleDefinitionId = [string] $_.roleDefinitionId; ConditionVersion = (Get-Text $_ 'conditionVersion');
    Condition = (ConvertTo-Kept (Get-Text $_ 'condition')); Description = (ConvertTo-Kept (Get-Text $_ 'description'))
  } })
}

# The request is a file: conditions have quotes and brackets, which a batch file would change.
function Restore-Azure($Saved) {
  foreach ($one in @($Saved.Azure)) {
    $properties = @{ roleDefinitionId = $one.RoleDefinitionId; principalId = $Change.Principal; principalType = $Change.PrincipalType }
    $condition = ConvertFrom-Kept $one.Condition
    if ($condition -ne '') { $properties.condition = $condition; $properties.conditionVersion = $one.ConditionVersion }
    $description = ConvertFrom-Kept $one.Description
    if ($description -ne '') { $properties.description = $description }
    $file = [System.IO.Path]::GetTempFileName()
    try {
      [System.IO.File]::WriteAllText($file, (ConvertTo-Json -InputObject @{ properties = $properties } -Depth 4), (New-Object System.Text.UTF8Encoding($false)))
      $null = az rest --method put --url ($one.Id + '?api-version=2022-04-01') --body ('@' + $file) --output none
      if ($LASTEXITCODE -ne 0) { throw 'az rest failed: the assignment was not given back' }
    } finally { [System.IO.File]::Delete($file) }
  }
}

function Read-State {
  Test-Tenant
  $all = Get-Assignments
  $lines = @(('Operation: ' + $Change.Operation), ('Assignments that go: ' + $all.Count))
  if ($Change.Role -eq $GlobalAdministrator -and $Change.Operation -eq 'RoleActive' -and $all.Count -gt 0) {
    $filter = "roleDefinitionId eq '" + $Change.Role + "'"
    $others = @((Get-All ($Graph + 'roleManagement/directory/roleAssignments?$filter=' + [Uri]::EscapeDataString($filter))) | Where-Object { $_.principalId -ne $Change.Principal -and $_.directoryScopeId -eq '/' })
    $lines += 'Other Global Administrators: ' + $others.Count
    if ($Mode -eq 'Apply' -and -not $script:IsChanging -and $others.Count -lt 2) { Stop-NotAsCollected 'fewer than two other Global Administrators would stay' }
  }
  # Undoing never gives for longer than it was: the end of an assignment is kept, and one without a known end is not given back.
  $end = ''
  if ($Change.Operation -eq 'RoleEligible') { $end = Get-End @($all | ForEach-Object { $_.scheduleInfo.expiration }) }
  $azure = @()
  if ($Change.Operation -eq 'AzureRole') {
    $azure = Save-Azure $all
    $limited = @($all | Where-Object { (Get-Text $_ 'condition') -ne '' }).Count
    if ($limited -gt 0) { $lines += 'Assignments with a condition: ' + $limited }
  }
  if (($Change.Operation -eq 'RoleActive' -or $Change.Operation -eq 'AzureRole') -and $all.Count -gt 0) {
    if ($Change.Operation -eq 'AzureRole') { $end = Get-AzureEnd $all } else { $end = Get-ActiveEnd }
    if ($end -ne '') { $lines += 'The assignment is for a time only, or no schedule says that it has no end: undoing will not give it back.' }
  }
  return @{ Reached = ($all.Count -eq 0); Lines = $lines; Saved = @{ End = (ConvertTo-Kept $end); Azure = $azure; Ids = @($all | ForEach-Object { [string] $_.id }) } }
}

function Send-Eligible([string] $Action, [string] $End) {
  $body = @{ action = $Action; principalId = $Change.Principal; roleDefinitionId = $Change.Role; directoryScopeId = '/'; justification = 'Clew ' + $Change.Id }
  if ($Action -eq 'adminAssign') {
    $expiration = @{ type = 'noExpiration' }
    if ($End -ne '') { $expiration = @{ type = 'afterDateTime'; endDateTime = $End } }
    $body.scheduleInfo = @{ startDateTime = [DateTime]::UtcNow.ToString('o'); expiration = $expiration }
  }
  $null = Invoke-MgGraphRequest -Method POST -Uri ($Graph + 'roleManagement/directory/roleEligibilityScheduleRequests') -Body (ConvertTo-Json -InputObject $body -Depth 5) -ContentType 'application/json'
}

function Set-Change($State) {
  if ($Change.Operation -eq 'RoleEligible') { Send-Eligible 'adminRemove' ''; return }
  foreach ($id in @($State.Saved.Ids)) {
    if ($Change.Operation -eq 'AzureRole') { $null = az role assignment delete --ids $id; if ($LASTEXITCODE -ne 0) { throw 'az role assignment delete failed' }; continue }
    if ($Change.Operation -eq 'RoleActive') { $address = 'roleManagement/directory/roleAssignments/' + $id }
    elseif ($Change.Operation -eq 'AppRole') { $address = 'servicePrincipals/' + $Change.Principal + '/appRoleAssignments/' + $id }
    else { $address = $Change.Path + '/' + $id + '/$ref' }
    $null = Invoke-MgGraphRequest -Method DELETE -Uri ($Graph + $address)
  }
}

function Restore-Change($Saved) {
  # Someone may have given the assignment back since then.
  if (-not (Read-State).Reached) { return }
  $end = ConvertFrom-Kept $Saved.End
  if ($Change.Operation -eq 'RoleEligible') { Send-Eligible 'adminAssign' $end; return }
  if (($Change.Operation -eq 'RoleActive' -or $Change.Operation -eq 'AzureRole') -and $end -ne '') { throw 'the assignment was for a time only, or may have been: assign it in Privileged Identity Management' }
  if ($Change.Operation -eq 'AzureRole') { Restore-Azure $Saved; return }
  if ($Change.Operation -eq 'RoleActive') { $address = 'roleManagement/directory/roleAssignments'; $body = @{ principalId = $Change.Principal; roleDefinitionId = $Change.Role; directoryScopeId = '/' } }
  elseif ($Change.Operation -eq 'AppRole') { $address = 'servicePrincipals/' + $Change.Principal + '/appRoleAssignments'; $body = @{ principalId = $Change.Principal; resourceId = $Change.Object; appRoleId = $Change.Role } }
  else { $address = $Change.Path + '/$ref'; $body = @{ '@odata.id' = $Graph + 'directoryObjects/' + $Change.Principal } }
  $null = Invoke-MgGraphRequest -Method POST -Uri ($Graph + $address) -Body (ConvertTo-Json -InputObject $body -Depth 5) -ContentType 'application/json'
}
${TAIL}`;
