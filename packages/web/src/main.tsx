/** Where the interface begins. */
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { queryClient } from './service/queries.ts';
import { applyTheme } from './shell/theme.ts';
import './styles/app.css';

const root = new URL(document.baseURI).pathname;
if (location.pathname === root || location.pathname === `${root}ui`)
  history.replaceState(null, '', `${root}ui/fix${location.search}`);

applyTheme();
createRoot(document.getElementById('root')!).render(
  <QueryClientProvider client={queryClient}>
    <Router base={`${root}ui`}>
      <App />
    </Router>
  </QueryClientProvider>,
);
