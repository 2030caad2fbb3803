/** Starts the page. */
import { render } from 'preact';
import { App } from './app.tsx';

/** The text of the worker in the page of one file; elsewhere the worker is a file beside the page. */
declare const BATON_WORKER: string | undefined;

function startWorker(): Worker {
  if (typeof BATON_WORKER === 'undefined') return new Worker('./worker.js', { type: 'module' });
  const url = URL.createObjectURL(new Blob([BATON_WORKER], { type: 'text/javascript' }));
  return new Worker(url);
}

const root = document.getElementById('page');
if (root !== null) render(<App startWorker={startWorker} />, root);
if (typeof BATON_WORKER === 'undefined' && 'serviceWorker' in navigator && isSecureContext) {
  // Without it the page needs a network the next time, no more.
  navigator.serviceWorker.register('./offline.js').catch(() => {});
}
