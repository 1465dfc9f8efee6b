/** Appearance of kinds of objects in drawings, based on their definitions in `@clew/model`. */

import { kindTitle, NODE_DEFINITIONS, type NodeClass, type NodeIconName, type NodeShape } from '@clew/model';
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

export type { NodeClass, NodeShape } from '@clew/model';

interface KindLook {
  readonly label: string;
  readonly letters: string;
  readonly shape: NodeShape;
  /** Name of a custom CSS property, without its dashes. */
  readonly color: NodeClass;
  /** Absent for kinds from uploads, which are shown as letters. */
  readonly icon: IconNode | undefined;
}

/** The icons named in definitions of kinds. */
const ICONS: Readonly<Record<NodeIconName, IconNode>> = {
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
};

const LOOKS: ReadonlyMap<string, KindLook> = new Map(
  NODE_DEFINITIONS.map(([name, { label, look }]) => {
    const { letters, shape, icon } = look;
    return [name, { label, letters, shape, color: look.class, icon: ICONS[icon as NodeIconName] }];
  }),
);

/** @param kind name in answers; `Unknown` and kinds from uploads are shown by the words of their names */
export function kindLook(kind: string): KindLook {
  const known = LOOKS.get(kind);
  if (known !== undefined) return known;
  const plain = kind.replace(/^AZ(?=[A-Z])/, '');
  const letters = plain.replace(/[^\p{L}\p{N}]/gu, '').slice(0, 2) || '?';
  const isCloud = plain !== kind;
  return {
    label: plain === '' ? 'Unknown' : kindTitle(plain),
    letters,
    shape: isCloud ? 'cloud' : 'square',
    color: isCloud ? 'cloud' : 'other',
    icon: undefined,
  };
}

/** Outline of a shape in a box from -1 to 1, as an SVG path that canvases also use. */
export const SHAPES: Readonly<Record<NodeShape, string>> = {
  circle: 'M1 0A1 1 0 1 1-1 0A1 1 0 1 1 1 0Z',
  square: 'M-.88-.88H.88V.88H-.88Z',
  hexagon: 'M-.55-.92H.55L1.05 0L.55.92H-.55L-1.05 0Z',
  diamond: 'M0-1.1L1.1 0L0 1.1L-1.1 0Z',
  document: 'M-.78-.98H.42L.8-.6V.98H-.78Z',
  cloud: 'M-.5.7A.52.52 0 0 1-.62-.3A.68.68 0 0 1 .62-.42A.56.56 0 0 1 .55.7Z',
  octagon: 'M-.42-1H.42L1-.42V.42L.42 1H-.42L-1 .42V-.42Z',
  shield: 'M0-1.05L.9-.7V.1C.9.65.4.95 0 1.1C-.4.95-.9.65-.9.1V-.7Z',
};
