/** The pages, each the answer to a question, in the order of the side bar and of `Alt 1` to `Alt 9`. One row says all that others need. */
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
import { useMemo } from 'react';
import { type Self, useSelf } from '../service/self.ts';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly question: string;
  readonly icon: IconNode;
  /** Letter that opens it after `g`. */
  readonly letter?: string;
  /** Pages that configure the data of others. */
  readonly isSetUp?: boolean;
  /** Whether the bar of narrow windows shows the page; other pages are under "More". */
  readonly isInBar?: boolean;
  /** Filters of the frame that its answers follow (in Explore, the sets of objects); other pages only pass them on. */
  readonly filters?: readonly ('env' | 'zone')[];
  /** Permissions of which one is enough to use the page. */
  readonly needs: readonly string[];
}

const READ = ['graphdb/Read'];

export const PAGES: readonly PageEntry[] = [
  {
    ...{ path: '/fix', title: 'Fix first', question: 'What do I repair first?', icon: ListChecks },
    ...{ letter: 'f', isInBar: true, filters: ['env', 'zone'], needs: READ },
  },
  {
    ...{ path: '/findings', title: 'Findings', question: 'What is open, and which do I open?', icon: Flag },
    ...{ letter: 'i', isInBar: true, filters: ['env', 'zone'], needs: READ },
  },
  {
    ...{ path: '/changes', title: 'What changed', question: 'What is new since I last looked?', icon: Inbox },
    ...{ letter: 'c', filters: ['zone'], needs: READ },
  },
  {
    ...{ path: '/explore', title: 'Explore', question: 'How can X reach Y?', icon: Route },
    ...{ letter: 'e', isInBar: true, filters: ['env', 'zone'], needs: READ },
  },
  {
    ...{ path: '/posture', title: 'Posture', question: 'Are we getting better, and why?', icon: ChartLine },
    ...{ letter: 'p', isInBar: true, filters: ['env', 'zone'], needs: READ },
  },
  {
    ...{ path: '/what-if', title: 'What if', question: 'What would these changes do?', icon: FlaskConical },
    ...{ letter: 'w', filters: ['zone'], needs: READ },
  },
  {
    ...{ path: '/data', title: 'Data', question: 'Is what we know complete and fresh?', icon: Database },
    ...{ isSetUp: true, filters: ['env'], needs: [...READ, 'graphdb/IngestRead', 'graphdb/IngestManage'] },
  },
  {
    ...{ path: '/checks', title: 'Custom checks', question: 'What do we look for ourselves?' },
    ...{ icon: SquareCheck, isSetUp: true, needs: READ },
  },
  {
    ...{ path: '/extensions', title: 'Extensions', question: 'Which platforms are understood?' },
    ...{ icon: Puzzle, isSetUp: true, needs: ['opengraph/Read', ...READ] },
  },
  {
    ...{ path: '/reports', title: 'Reports', question: 'What do I hand to others?', icon: FileText },
    ...{ isSetUp: true, filters: ['env', 'zone'], needs: READ },
  },
  {
    ...{ path: '/admin', title: 'Administration', icon: Settings, isSetUp: true },
    ...{ question: 'Who may do what, and what counts as protected?' },
    ...{ needs: ['auth/ReadUsers', 'auth/ManageUsers', 'app/ReadAppConfig', 'audit_log/Read', ...READ] },
  },
];

/** A finding and a type belong to the page that lists them. */
export const pageOf = (path: string): PageEntry | undefined => {
  const first = `/${path.split('/')[1]}`;
  const at = first === '/finding' || first === '/type' ? '/findings' : first;
  return PAGES.find((one) => one.path === at);
};

export const mayUse = (self: Self, { needs }: Pick<PageEntry, 'needs'>): boolean => needs.some(self.may);

/** The pages that the user may use; all until that is known. */
export function usePages(): readonly PageEntry[] {
  const self = useSelf();
  return useMemo(() => (self === undefined ? PAGES : PAGES.filter((page) => mayUse(self, page))), [self]);
}
