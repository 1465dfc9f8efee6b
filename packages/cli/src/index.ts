export { runCommandLine } from './program/program.ts';
