/** Reads the feature files of the openCypher TCK: the part of Gherkin that they use. */

export interface GherkinStep {
  readonly text: string;
  readonly docString?: string;
  readonly table?: readonly (readonly string[])[];
}

export interface Scenario {
  readonly feature: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly steps: readonly GherkinStep[];
}

/** Outlines are given once for each row of their examples. */
export function scenariosOf(feature: string, text: string): Scenario[] {
  const lines = text.split(/\r?\n/);
  const scenarios: Scenario[] = [];
  let tags: string[] = [];
  let background: GherkinStep[] = [];
  let at = 0;
  const rest = (): string => lines[at].trim();

  const table = (): string[][] => {
    const rows: string[][] = [];
    for (; at < lines.length && rest().startsWith('|'); at++) rows.push(cellsOf(rest()));
    return rows;
  };
  const steps = (): GherkinStep[] => {
    const found: GherkinStep[] = [];
    while (at < lines.length) {
      const line = rest();
      if (line === '' || line.startsWith('#')) {
        at++;
        continue;
      }
      const step = /^(?:Given|When|Then|And|But)\s+(.*)$/.exec(line);
      if (step === null) break;
      at++;
      let docString: string | undefined;
      let rows: string[][] | undefined;
      if (lines[at]?.trim() === '"""') {
        const body: string[] = [];
        for (at++; rest() !== '"""'; at++) body.push(lines[at]);
        at++;
        docString = body.join('\n');
      } else if (lines[at]?.trim().startsWith('|')) rows = table();
      found.push({
        text: step[1],
        ...(docString !== undefined && { docString }),
        ...(rows && { table: rows }),
      });
    }
    return found;
  };

  while (at < lines.length) {
    const line = rest();
    const head = /^(Background|Scenario Outline|Scenario):\s*(.*)$/.exec(line);
    at++;
    if (line.startsWith('@')) tags = line.split(/\s+/);
    if (head === null) continue;
    const own = steps();
    if (head[1] === 'Background') background = own;
    else if (head[1] === 'Scenario')
      scenarios.push({ feature, name: head[2], tags, steps: [...background, ...own] });
    else {
      while (at < lines.length && !/^(Scenario|@)/.test(rest())) {
        if (!rest().startsWith('Examples:')) {
          at++;
          continue;
        }
        at++;
        while (rest() === '') at++;
        const [names, ...rows] = table();
        rows.forEach((row, index) => {
          const filled = [...background, ...own].map((step) => fill(step, names, row));
          scenarios.push({ feature, name: `${head[2]} (${index + 1})`, tags, steps: filled });
        });
      }
    }
    tags = [];
  }
  return scenarios;
}

function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  for (let at = 1; at < line.length; at++) {
    if (line[at] === '\\' && '|\\n'.includes(line[at + 1])) {
      const next = line[++at];
      cell += next === 'n' ? '\n' : next === '|' ? '|' : '\\';
    } else if (line[at] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += line[at];
  }
  return cells;
}

function fill(step: GherkinStep, names: readonly string[], row: readonly string[]): GherkinStep {
  const replace = (text: string): string =>
    names.reduce((filled, name, index) => filled.replaceAll(`<${name}>`, () => row[index]), text);
  return {
    text: replace(step.text),
    ...(step.docString !== undefined && { docString: replace(step.docString) }),
    ...(step.table && { table: step.table.map((cells) => cells.map(replace)) }),
  };
}
