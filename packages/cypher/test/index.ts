export { memoryGraph } from './memoryGraph.ts';
