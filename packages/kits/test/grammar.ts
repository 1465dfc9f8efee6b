/** Parses PowerShell by a real grammar (tree-sitter, as WebAssembly), which tolerates faults and marks them in its tree. */
import { fileURLToPath } from 'node:url';
import { Language, type Node, Parser } from 'web-tree-sitter';

export interface Parsed {
  /** Places that the grammar does not accept, with their first characters. */
  readonly faults: readonly string[];
  /** Types of the nodes outside literals, in order; a literal is one node, whatever its text. */
  readonly structure: readonly string[];
  /** Texts of single-quoted literals with their quotes, in order. */
  readonly literals: readonly string[];
  /** Texts of expandable strings, in order: code in them would run. */
  readonly expandable: readonly string[];
}

const FAULT_LENGTH = 60;
const LITERAL = 'verbatim_string_characters';
const EXPANDABLE = /^expandable_(?:string|here_string)_literal$/;

/** @returns a function that parses scripts */
export async function powerShellGrammar(): Promise<(script: string) => Parsed> {
  await Parser.init();
  const grammar = import.meta.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(fileURLToPath(grammar)));
  return (script) => {
    const tree = parser.parse(script);
    if (tree === null) throw new Error('the parser was canceled');
    const faults: string[] = [];
    const structure: string[] = [];
    const literals: string[] = [];
    const expandable: string[] = [];
    const visit = (node: Node): void => {
      if (node.isError || node.isMissing)
        faults.push(`${node.startPosition.row + 1}: ${node.text.slice(0, FAULT_LENGTH)}`);
      structure.push(node.type);
      if (node.type === LITERAL) literals.push(node.text);
      else if (EXPANDABLE.test(node.type)) expandable.push(node.text);
      else for (const child of node.children) if (child !== null) visit(child);
    };
    visit(tree.rootNode);
    tree.delete();
    return { faults, structure, literals, expandable };
  };
}
