/** The pages, each the answer to a question, in the order of the side bar and of `Alt 1` to `Alt 9`. */
import {
  ChartLine,
  Database,
  FileText,
  Flag,
  FlaskConical,
  type IconNode,
  Inbox,
  ListChecks,
  Puzzle,
  Route,
  Settings,
  SquareCheck,
} from 'lucide';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly question: string;
  readonly icon: IconNode;
  /** Pages that configure the data of others. */
  readonly isSetUp: boolean;
  /** Whether the bar of narrow windows shows the page; other pages are under "More". */
  readonly isInBar: boolean;
}

const page = (
  path: string,
  title: string,
  question: string,
  icon: IconNode,
  more: Partial<Pick<PageEntry, 'isSetUp' | 'isInBar'>> = {},
): PageEntry => ({ path, title, question, icon, isSetUp: false, isInBar: false, ...more });

export const PAGES: readonly PageEntry[] = [
  page('/fix', 'Fix first', 'What do I repair first?', ListChecks, { isInBar: true }),
  page('/findings', 'Findings', 'What is open, and which do I open?', Flag, { isInBar: true }),
  page('/changes', 'What changed', 'What is new since I last looked?', Inbox),
  page('/explore', 'Explore', 'How can X reach Y?', Route, { isInBar: true }),
  page('/posture', 'Posture', 'Are we getting better, and why?', ChartLine, { isInBar: true }),
  page('/what-if', 'What if', 'What would these changes do?', FlaskConical),
  page('/data', 'Data', 'Is what we know complete and fresh?', Database, { isSetUp: true }),
  page('/checks', 'Custom checks', 'What do we look for ourselves?', SquareCheck, { isSetUp: true }),
  page('/extensions', 'Extensions', 'Which platforms are understood?', Puzzle, { isSetUp: true }),
  page('/reports', 'Reports', 'What do I hand to others?', FileText, { isSetUp: true }),
  page('/admin', 'Administration', 'Who may do what, and what counts as protected?', Settings, {
    isSetUp: true,
  }),
];

/** A finding and a type belong to the page that lists them. */
export const pageOf = (path: string): PageEntry | undefined => {
  const first = `/${path.split('/')[1]}`;
  const at = first === '/finding' || first === '/type' ? '/findings' : first;
  return PAGES.find((one) => one.path === at);
};
