/** Engine: assignments in a tenant of Entra ID by Microsoft Graph, and of roles in Azure by `az`. */
import { HEAD, TAIL } from './common.ts';

export const CLOUD = `# Clew change kit, engine Cloud 1: removes one assignment of Entra ID (Microsoft Graph) or Azure (az).
${HEAD}
$GlobalAdministrator = '62e90394-69f5-4237-9190-012177145e10'
$Graph = 'https://graph.microsoft.com/v1.0/'

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
    return , @(Get-All ($Graph + 'roleManagement/directory/' + $list + '?$filter=' + [Uri]::EscapeDataString($filter)) | Where-Object { $_.directoryScopeId -eq '/' })
  }
  if ($Change.Operation -eq 'AppRole') {
    return , @(Get-All ($Graph + 'servicePrincipals/' + $principal + '/appRoleAssignments') | Where-Object { $_.appRoleId -eq $Change.Role -and $_.resourceId -eq $Change.Object })
  }
  if ($Change.Operation -eq 'AzureRole') {
    $text = az role assignment list --assignee-object-id $principal --scope $Change.Scope --role $Change.Role --output json
    if ($LASTEXITCODE -ne 0) { throw 'az role assignment list failed' }
    return , @(ConvertFrom-Json -InputObject ($text -join '') | ForEach-Object { $_ } | Where-Object { $_.scope -ieq $Change.Scope -and $_.principalId -eq $principal })
  }
  return , @(Get-All ($Graph + $Change.Path + '?$select=id') | Where-Object { $_.id -eq $principal })
}

function Read-State {
  Test-Tenant
  $all = Get-Assignments
  $lines = @(('Operation: ' + $Change.Operation), ('Assignments that go: ' + $all.Count))
  if ($Change.Role -eq $GlobalAdministrator -and $Change.Operation -eq 'RoleActive' -and $all.Count -gt 0) {
    $filter = "roleDefinitionId eq '" + $Change.Role + "'"
    $others = @(Get-All ($Graph + 'roleManagement/directory/roleAssignments?$filter=' + [Uri]::EscapeDataString($filter)) | Where-Object { $_.principalId -ne $Change.Principal })
    $lines += 'Other Global Administrators: ' + $others.Count
    if ($others.Count -lt 2) { Stop-NotAsCollected 'fewer than two other Global Administrators would stay' }
  }
  return @{ Reached = ($all.Count -eq 0); Lines = $lines; Saved = @{ Ids = @($all | ForEach-Object { [string] $_.id }) } }
}

function Send-Eligible([string] $Action) {
  $body = @{ action = $Action; principalId = $Change.Principal; roleDefinitionId = $Change.Role; directoryScopeId = '/'; justification = 'Clew ' + $Change.Id }
  if ($Action -eq 'adminAssign') { $body.scheduleInfo = @{ startDateTime = [DateTime]::UtcNow.ToString('o'); expiration = @{ type = 'noExpiration' } } }
  $null = Invoke-MgGraphRequest -Method POST -Uri ($Graph + 'roleManagement/directory/roleEligibilityScheduleRequests') -Body (ConvertTo-Json -InputObject $body -Depth 5) -ContentType 'application/json'
}

function Set-Change($State) {
  if ($Change.Operation -eq 'RoleEligible') { Send-Eligible 'adminRemove'; return }
  foreach ($id in @($State.Saved.Ids)) {
    if ($Change.Operation -eq 'AzureRole') { az role assignment delete --ids $id; if ($LASTEXITCODE -ne 0) { throw 'az role assignment delete failed' }; continue }
    if ($Change.Operation -eq 'RoleActive') { $address = 'roleManagement/directory/roleAssignments/' + $id }
    elseif ($Change.Operation -eq 'AppRole') { $address = 'servicePrincipals/' + $Change.Principal + '/appRoleAssignments/' + $id }
    else { $address = $Change.Path + '/' + $id + '/$ref' }
    $null = Invoke-MgGraphRequest -Method DELETE -Uri ($Graph + $address)
  }
}

function Restore-Change($Saved) {
  Test-Tenant
  if ($Change.Operation -eq 'RoleEligible') { Send-Eligible 'adminAssign'; return }
  if ($Change.Operation -eq 'AzureRole') {
    az role assignment create --assignee-object-id $Change.Principal --assignee-principal-type $Change.PrincipalType --role $Change.Role --scope $Change.Scope
    if ($LASTEXITCODE -ne 0) { throw 'az role assignment create failed' }
    return
  }
  if ($Change.Operation -eq 'RoleActive') { $address = 'roleManagement/directory/roleAssignments'; $body = @{ principalId = $Change.Principal; roleDefinitionId = $Change.Role; directoryScopeId = '/' } }
  elseif ($Change.Operation -eq 'AppRole') { $address = 'servicePrincipals/' + $Change.Principal + '/appRoleAssignments'; $body = @{ principalId = $Change.Principal; resourceId = $Change.Object; appRoleId = $Change.Role } }
  else { $address = $Change.Path + '/$ref'; $body = @{ '@odata.id' = $Graph + 'directoryObjects/' + $Change.Principal } }
  $null = Invoke-MgGraphRequest -Method POST -Uri ($Graph + $address) -Body (ConvertTo-Json -InputObject $body -Depth 5) -ContentType 'application/json'
}
${TAIL}`;
