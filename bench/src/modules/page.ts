/** The script of a page that imports the emitted module that its address names, and tells the times. */
import { firstTimes, type InputValues } from './first.ts';

/** The address of the page, which the types of Node do not have. */
const { location } = globalThis as unknown as { readonly location: { readonly hash: string } };

async function answer(): Promise<unknown> {
  try {
    const response = await fetch('/inputs.json');
    const inputs = (await response.json()) as Readonly<Record<string, InputValues>>;
    return await firstTimes(`/${location.hash.slice(1)}.mjs`, inputs);
  } catch (error) {
    return { error: String(error) };
  }
}

await fetch('/answer', { method: 'POST', body: JSON.stringify(await answer()) });
