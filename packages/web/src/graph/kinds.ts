/** How kinds of objects look: a shape and a color by class, two letters and a word by kind. Color alone tells nothing. */

import type { NodeKindName } from '@clew/model';
import {
  AppWindow,
  Bot,
  Box,
  Boxes,
  Building,
  CircleDot,
  Cloud,
  Cog,
  Container,
  CreditCard,
  Database,
  Fingerprint,
  Folder,
  FolderTree,
  Globe,
  type IconNode,
  IdCard,
  KeyRound,
  Laptop,
  Layers,
  Link2,
  Monitor,
  Network,
  ScrollText,
  Server,
  ShieldCheck,
  ShipWheel,
  SlidersHorizontal,
  User,
  Users,
  Workflow,
  Zap,
} from 'lucide';

export type Shape = 'circle' | 'square' | 'hexagon' | 'diamond' | 'document' | 'cloud' | 'octagon' | 'shield';

interface KindLook {
  readonly label: string;
  readonly letters: string;
  readonly shape: Shape;
  /** Custom property of the styles, without its dashes. */
  readonly color: ClassColor;
  /** Kinds of an upload have letters. */
  readonly icon: IconNode | undefined;
}

/** Classes of objects; the tokens have their colors. */
export type ClassColor =
  | 'person'
  | 'group'
  | 'machine'
  | 'policy'
  | 'certificate'
  | 'place'
  | 'cloud'
  | 'other';

type Row = readonly [label: string, letters: string, shape: Shape, color: ClassColor, icon: IconNode];

/** One for each kind of the model: the types ask for it. */
const ROWS: Readonly<Record<NodeKindName, Row>> = {
  Base: ['Object', 'Ob', 'square', 'other', CircleDot],
  User: ['User', 'Us', 'circle', 'person', User],
  Computer: ['Computer', 'Pc', 'square', 'machine', Monitor],
  Group: ['Group', 'Gr', 'hexagon', 'group', Users],
  GPO: ['Group Policy Object', 'Gp', 'document', 'policy', SlidersHorizontal],
  OU: ['Organizational unit', 'Ou', 'diamond', 'place', Folder],
  Container: ['Container', 'Ct', 'diamond', 'place', Box],
  Domain: ['Domain', 'Do', 'octagon', 'place', Network],
  ADLocalGroup: ['Local group', 'Lg', 'hexagon', 'group', Users],
  ADLocalUser: ['Local user', 'Lu', 'circle', 'person', User],
  AIACA: ['AIA CA', 'Ai', 'shield', 'certificate', ShieldCheck],
  RootCA: ['Root CA', 'Rc', 'shield', 'certificate', ShieldCheck],
  EnterpriseCA: ['Enterprise CA', 'Ca', 'shield', 'certificate', ShieldCheck],
  NTAuthStore: ['NTAuth store', 'Na', 'shield', 'certificate', ShieldCheck],
  CertTemplate: ['Certificate template', 'Te', 'document', 'certificate', ScrollText],
  IssuancePolicy: ['Issuance policy', 'Ip', 'document', 'certificate', ScrollText],
  Site: ['Site', 'Si', 'diamond', 'place', Building],
  SiteServer: ['Site server', 'Ss', 'square', 'machine', Server],
  SiteSubnet: ['Subnet of a site', 'Sn', 'diamond', 'place', Link2],
  AZBase: ['Cloud object', 'Co', 'cloud', 'cloud', Cloud],
  AZTenant: ['Tenant', 'Tn', 'octagon', 'cloud', Network],
  AZUser: ['Cloud user', 'Cu', 'circle', 'person', User],
  AZGroup: ['Cloud group', 'Cg', 'hexagon', 'group', Users],
  AZDevice: ['Device', 'De', 'square', 'machine', Laptop],
  AZApp: ['Application', 'Ap', 'cloud', 'cloud', AppWindow],
  AZServicePrincipal: ['Service principal', 'Sp', 'cloud', 'person', Bot],
  AZFederatedIdentityCredential: ['Federated credential', 'Fc', 'document', 'policy', Fingerprint],
  AZRole: ['Role', 'Ro', 'document', 'policy', IdCard],
  AZManagementGroup: ['Management group', 'Mg', 'diamond', 'place', FolderTree],
  AZSubscription: ['Subscription', 'Su', 'diamond', 'place', CreditCard],
  AZResourceGroup: ['Resource group', 'Rg', 'diamond', 'place', Boxes],
  AZKeyVault: ['Key vault', 'Kv', 'shield', 'cloud', KeyRound],
  AZVM: ['Virtual machine', 'Vm', 'square', 'machine', Server],
  AZVMScaleSet: ['VM scale set', 'Vs', 'square', 'machine', Layers],
  AZFunctionApp: ['Function app', 'Fa', 'cloud', 'cloud', Zap],
  AZWebApp: ['Web app', 'Wa', 'cloud', 'cloud', Globe],
  AZLogicApp: ['Logic app', 'La', 'cloud', 'cloud', Workflow],
  AZAutomationAccount: ['Automation account', 'Aa', 'cloud', 'cloud', Cog],
  AZContainerRegistry: ['Container registry', 'Cr', 'cloud', 'cloud', Container],
  AZManagedCluster: ['Managed cluster', 'Mc', 'square', 'machine', ShipWheel],
  AZEntraDS: ['Entra Domain Services', 'Ed', 'octagon', 'cloud', Database],
};

/** @param kind as answers name it; `Unknown`, or of an upload, is shown by its own name */
export function kindLook(kind: string): KindLook {
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind as NodeKindName] : undefined;
  if (row === undefined) {
    const plain = kind.replace(/^AZ(?=[A-Z])/, '');
    const letters = plain.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 2) || '?';
    const isCloud = plain !== kind;
    return {
      label: plain || 'Unknown',
      letters,
      shape: isCloud ? 'cloud' : 'square',
      color: isCloud ? 'cloud' : 'other',
      icon: undefined,
    };
  }
  const [label, letters, shape, color, icon] = row;
  return { label, letters, shape, color, icon };
}

/** Outline of a shape in a box from -1 to 1, as a path of SVG and of canvases. */
export const SHAPES: Readonly<Record<Shape, string>> = {
  circle: 'M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z',
  square: 'M-.88-.88H.88V.88H-.88Z',
  hexagon: 'M-.55-.92H.55L1.05 0L.55.92H-.55L-1.05 0Z',
  diamond: 'M0-1.1L1.1 0L0 1.1L-1.1 0Z',
  document: 'M-.78-.98H.42L.8-.6V.98H-.78Z',
  cloud: 'M-.5.7A.52.52 0 0 1-.62-.3A.68.68 0 0 1 .62-.42A.56.56 0 0 1 .55.7Z',
  octagon: 'M-.42-1H.42L1-.42V.42L.42 1H-.42L-1 .42V-.42Z',
  shield: 'M0-1.05L.9-.7V.1C.9.65.4.95 0 1.1C-.4.95-.9.65-.9.1V-.7Z',
};
