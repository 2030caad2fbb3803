/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';

/** The text of the worker in a single-file page; otherwise the worker is a separate file. */
declare const BATON_WORKER: string | undefined;

function startWorker(): Worker {
  if (typeof BATON_WORKER === 'undefined') return new Worker('./worker.js', { type: 'module' });
  const url = URL.createObjectURL(new Blob([BATON_WORKER], { type: 'text/javascript' }));
  return new Worker(url);
}

const root = document.getElementById('page');
if (root !== null) render(<App startWorker={startWorker} />, root);
if (typeof BATON_WORKER === 'undefined' && 'serviceWorker' in navigator && isSecureContext) {
  // Without it the page only needs a network again the next time.
  navigator.serviceWorker.register('./offline.js').catch(() => {});
}
