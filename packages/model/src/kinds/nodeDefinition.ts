/** The definition in the file of a node kind. Kinds of extensions have the same members, as data. */

export type Platform = 'ad' | 'azure';

/** Outline of a node in drawings. */
export type NodeShape =
  | 'circle'
  | 'square'
  | 'hexagon'
  | 'diamond'
  | 'document'
  | 'cloud'
  | 'octagon'
  | 'shield';

/** Classes of objects; a theme has a color for each. */
export type NodeClass =
  | 'person'
  | 'group'
  | 'machine'
  | 'policy'
  | 'certificate'
  | 'place'
  | 'cloud'
  | 'other';

/** The appearance of a kind in the web interface. Color is never its only sign: two letters and a shape also identify it. */
export interface NodeLook {
  readonly letters: string;
  readonly shape: NodeShape;
  readonly class: NodeClass;
  /** Name of a Lucide icon. */
  readonly icon: string;
}

/** The look of a kind in answers of the API: the name of a free solid Font Awesome icon, and `#rrggbb`. */
export interface NodeAppearance {
  readonly icon: `fa-${string}`;
  readonly color: `#${string}`;
}

export interface NodeDefinition {
  /** Number in the store and in graph columns. Never renumber: it is persisted. */
  readonly id: number;
  readonly platform: Platform;
  /** The displayed name: "Certificate template". */
  readonly label: string;
  readonly meaning: string;
  readonly look: NodeLook;
  readonly appearance: NodeAppearance;
}
