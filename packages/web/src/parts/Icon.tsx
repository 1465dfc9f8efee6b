/** Icons of the lucide set, as the drawings have them. */
export { Icon } from '../graph/Icon.tsx';
