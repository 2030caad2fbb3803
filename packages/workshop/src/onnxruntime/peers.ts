/** The packages of onnxruntime, where they are installed. */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The engines that models are compared with, and their packages. */
export const PEERS = { ortWeb: 'onnxruntime-web', ortNode: 'onnxruntime-node' } as const;

export type PeerName = keyof typeof PEERS;

const WORKSPACE = ['bench', 'test'].map((folder) =>
  fileURLToPath(new URL(`../../../../${folder}`, import.meta.url)),
);

/** For each package that is installed the folder from which it can be loaded: the given one first. */
export function installedPeers(given: string): { readonly [Name in PeerName]?: string } {
  const folders = given === '' ? WORKSPACE : [resolve(given), ...WORKSPACE];
  return Object.fromEntries(
    Object.entries(PEERS).flatMap(([name, package_]) => {
      const folder = folders.find((one) => resolves(package_, one));
      return folder === undefined ? [] : [[name, folder]];
    }),
  );
}

function resolves(name: string, folder: string): boolean {
  try {
    createRequire(join(folder, 'package.json')).resolve(name);
    return true;
  } catch {
    return false;
  }
}
