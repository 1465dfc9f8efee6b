/** How kinds of objects look: a shape and a colour by class, two letters and a word by kind. Colour alone tells nothing. */

export type Shape = 'circle' | 'square' | 'hexagon' | 'diamond' | 'document' | 'cloud' | 'octagon' | 'shield';

interface KindLook {
  readonly label: string;
  readonly letters: string;
  readonly shape: Shape;
  /** Custom property of the styles, without its dashes. */
  readonly colour: ClassColour;
}

/** Classes of objects, told apart by people with any vision (Okabe and Ito). */
export const CLASS_COLOURS = {
  person: '#0072B2',
  group: '#8A6A00',
  machine: '#00785A',
  policy: '#A34E83',
  certificate: '#1F78A8',
  place: '#B34700',
  cloud: '#5F5FC0',
  other: '#696D72',
} as const;
export type ClassColour = keyof typeof CLASS_COLOURS;

type Row = readonly [label: string, letters: string, shape: Shape, colour: ClassColour];

const ROWS: Readonly<Record<string, Row>> = {
  User: ['User', 'Us', 'circle', 'person'],
  Computer: ['Computer', 'Pc', 'square', 'machine'],
  Group: ['Group', 'Gr', 'hexagon', 'group'],
  GPO: ['Group policy', 'Gp', 'document', 'policy'],
  OU: ['Organizational unit', 'Ou', 'diamond', 'place'],
  Container: ['Container', 'Ct', 'diamond', 'place'],
  Domain: ['Domain', 'Do', 'octagon', 'place'],
  ADLocalGroup: ['Local group', 'Lg', 'hexagon', 'group'],
  ADLocalUser: ['Local user', 'Lu', 'circle', 'person'],
  AIACA: ['AIA authority', 'Ai', 'shield', 'certificate'],
  RootCA: ['Root authority', 'Rc', 'shield', 'certificate'],
  EnterpriseCA: ['Enterprise authority', 'Ca', 'shield', 'certificate'],
  NTAuthStore: ['NTAuth store', 'Na', 'shield', 'certificate'],
  CertTemplate: ['Certificate template', 'Te', 'document', 'certificate'],
  IssuancePolicy: ['Issuance policy', 'Ip', 'document', 'certificate'],
  AZTenant: ['Tenant', 'Tn', 'octagon', 'cloud'],
  AZUser: ['Cloud user', 'Cu', 'circle', 'person'],
  AZGroup: ['Cloud group', 'Cg', 'hexagon', 'group'],
  AZDevice: ['Device', 'De', 'square', 'machine'],
  AZApp: ['Application', 'Ap', 'cloud', 'cloud'],
  AZServicePrincipal: ['Service principal', 'Sp', 'cloud', 'person'],
  AZRole: ['Role', 'Ro', 'document', 'policy'],
  AZManagementGroup: ['Management group', 'Mg', 'diamond', 'place'],
  AZSubscription: ['Subscription', 'Su', 'diamond', 'place'],
  AZResourceGroup: ['Resource group', 'Rg', 'diamond', 'place'],
  AZKeyVault: ['Key vault', 'Kv', 'shield', 'cloud'],
  AZVM: ['Virtual machine', 'Vm', 'square', 'machine'],
};

/** @param kind as answers name it; `Unknown`, or of an upload, is shown by its own name */
export function kindLook(kind: string): KindLook {
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (row === undefined) {
    const plain = kind.replace(/^AZ(?=[A-Z])/, '');
    const letters = plain.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 2) || '?';
    const isCloud = plain !== kind;
    return {
      label: plain || 'Unknown',
      letters,
      shape: isCloud ? 'cloud' : 'square',
      colour: isCloud ? 'cloud' : 'other',
    };
  }
  const [label, letters, shape, colour] = row;
  return { label, letters, shape, colour };
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
