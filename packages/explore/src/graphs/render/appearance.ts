/** How kinds look in graph answers: an icon name and a color each. Clients that have their own take the kind. */

export interface Appearance {
  readonly icon: string;
  readonly color: string;
}

const UNKNOWN: Appearance = { icon: 'fa-question', color: '#e0e0e0' };

const APPEARANCES: Readonly<Record<string, Appearance>> = {
  User: { icon: 'fa-user', color: '#4caf72' },
  Computer: { icon: 'fa-desktop', color: '#e2736a' },
  Group: { icon: 'fa-users', color: '#d9c04a' },
  ADLocalGroup: { icon: 'fa-users', color: '#b39a5b' },
  ADLocalUser: { icon: 'fa-user', color: '#7f9c6b' },
  GPO: { icon: 'fa-list', color: '#8f86e0' },
  OU: { icon: 'fa-sitemap', color: '#e6a04e' },
  Container: { icon: 'fa-box', color: '#ddb27a' },
  Domain: { icon: 'fa-globe', color: '#4db6ac' },
  // Combined nodes.
  Meta: { icon: 'fa-layer-group', color: '#7a8794' },
  AIACA: { icon: 'fa-arrows-left-right-to-line', color: '#9ad0c2' },
  RootCA: { icon: 'fa-landmark', color: '#6f9bd8' },
  EnterpriseCA: { icon: 'fa-building', color: '#5c84c9' },
  NTAuthStore: { icon: 'fa-store', color: '#c88bd0' },
  CertTemplate: { icon: 'fa-id-card', color: '#b07fc7' },
  IssuancePolicy: { icon: 'fa-clipboard-check', color: '#96a5c4' },
  AZTenant: { icon: 'fa-cloud', color: '#46a7d8' },
  AZUser: { icon: 'fa-user', color: '#4fa48f' },
  AZGroup: { icon: 'fa-users', color: '#c9bf5e' },
  AZDevice: { icon: 'fa-desktop', color: '#c98f86' },
  AZApp: { icon: 'fa-window-restore', color: '#7db9e0' },
  AZServicePrincipal: { icon: 'fa-robot', color: '#a3b8cc' },
  AZRole: { icon: 'fa-clipboard-list', color: '#d99a6c' },
  AZSubscription: { icon: 'fa-key', color: '#c7b36b' },
  AZResourceGroup: { icon: 'fa-cube', color: '#8fb59a' },
  AZManagementGroup: { icon: 'fa-sitemap', color: '#b58fb0' },
  AZVM: { icon: 'fa-desktop', color: '#d6a5a0' },
  AZKeyVault: { icon: 'fa-lock', color: '#cf6f8e' },
  AZVMScaleSet: { icon: 'fa-server', color: '#c9a08e' },
  AZManagedCluster: { icon: 'fa-cubes', color: '#7fa6c9' },
  AZContainerRegistry: { icon: 'fa-box-open', color: '#8aa7b8' },
  AZFunctionApp: { icon: 'fa-bolt', color: '#d8b95a' },
  AZWebApp: { icon: 'fa-object-group', color: '#6fb0cf' },
  AZLogicApp: { icon: 'fa-diagram-project', color: '#a58fd0' },
  AZAutomationAccount: { icon: 'fa-gear', color: '#9fb36b' },
  AZFederatedIdentityCredential: { icon: 'fa-id-badge', color: '#b7a6d6' },
};

export function appearanceOf(label: string): Appearance {
  return APPEARANCES[label] ?? UNKNOWN;
}
