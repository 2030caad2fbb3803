/** Parts of the page that are loaded when they are first shown. */
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DifferenceProps } from './difference.tsx';

export function Difference(props: DifferenceProps) {
  const [loaded, setLoaded] = useState<{ readonly Content: FunctionComponent<DifferenceProps> }>();
  useEffect(() => {
    void import('./difference.tsx').then((part) => setLoaded({ Content: part.Difference }));
  }, []);
  return loaded === undefined ? null : <loaded.Content {...props} />;
}
