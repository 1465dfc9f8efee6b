/** Icons of the lucide set, as in the drawings. */
export { Icon } from '../graph/Icon.tsx';
