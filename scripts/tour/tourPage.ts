import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBetween, type ImportGraph, readImportGraph } from './importGraph.ts';
import { JOURNEYS, type Journey, type Stop } from './journeys.ts';

const pathOf = ({ file }: Stop): string => `packages/${file}`;
const link = (path: string, text: string): string => `[${text}](../${path})`;

/** @throws Error for a missing stop, or one without an import path from the previous stop */
export function tourPage(root: string, journeys: readonly Journey[] = JOURNEYS): string {
  const graph = readImportGraph(root);
  return journeys.map((journey) => journeyText(root, graph, journey)).join('\n\n');
}

function journeyText(root: string, graph: ImportGraph, { title, stops }: Journey): string {
  const lines = stops.map((stop, at) => {
    requireSymbol(root, stop);
    const shown = link(pathOf(stop), `\`${stop.symbol}\``);
    return `${at + 1}. ${shown} ${stop.says}.${at === 0 ? '' : ` ${wayTo(graph, stops, at)}`}`.trimEnd();
  });
  return [`## ${title}`, '', ...lines].join('\n');
}

function wayTo(graph: ImportGraph, stops: readonly Stop[], at: number): string {
  const stop = stops[at] as Stop;
  if (stop.over !== undefined) return `Connected by ${stop.over}.`;
  const before =
    stop.from === undefined ? stops[at - 1] : stops.slice(0, at).find(({ symbol }) => symbol === stop.from);
  if (before === undefined) throw new Error(`no stop before ${stop.symbol} is ${stop.from}`);
  const between = filesBetween(graph, pathOf(before), pathOf(stop));
  if (between === undefined) throw new Error(`no import leads from ${before.file} to ${stop.file}`);
  const shown = between
    .filter((file) => !/\/src\/(index|handlers)\.ts$/.test(file))
    .map((file) => link(file, `\`${file.split('/').at(-1)}\``));
  const from = stop.from === undefined ? '' : `From \`${stop.from}\``;
  const through = shown.length === 0 ? '' : `${from === '' ? 'Through' : ' through'} ${shown.join(', ')}`;
  return from + through === '' ? '' : `${from}${through}.`;
}

function requireSymbol(root: string, stop: Stop): void {
  const text = readFileSync(join(root, pathOf(stop)), 'utf8');
  const isDeclared = new RegExp(
    `^export (?:async )?(?:function\\*?|const|class) ${stop.symbol}\\b`,
    'm',
  ).test(text);
  if (!isDeclared) throw new Error(`${stop.file} does not export ${stop.symbol}`);
}
