/** The service worker: the page opens without a network, with the files of its last visit. */
/// <reference lib="WebWorker" />

/** The version of the files, which `scripts/build.mjs` derives from their content. */
declare const BATON_VERSION: string;
declare const BATON_FILES: ReadonlyArray<string>;

const scope = self as unknown as ServiceWorkerGlobalScope;
const CACHE = `baton-playground-${BATON_VERSION}`;
const FILES = BATON_FILES;

scope.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

scope.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name.startsWith('baton-playground-') && name !== CACHE)
            .map((name) => caches.delete(name)),
        ),
      ),
  );
});

/** Tries the network first, so that a new version appears at once. */
scope.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(
    fetch(event.request).catch(async () => (await caches.match(event.request)) ?? Response.error()),
  );
});
