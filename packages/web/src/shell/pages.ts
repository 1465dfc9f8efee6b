/** The pages, each the answer to a question. */
export const PAGES = [
  { path: '/fix', title: 'Fix first', question: 'What do I repair first?' },
  { path: '/explore', title: 'Explore', question: 'How does somebody get there?' },
  { path: '/posture', title: 'Posture', question: 'Does it get better?' },
  { path: '/what-if', title: 'What if', question: 'What would a change do?' },
  { path: '/data', title: 'Data', question: 'Is what is known complete and fresh?' },
  { path: '/admin', title: 'Administration', question: 'Who may do what?' },
] as const;
