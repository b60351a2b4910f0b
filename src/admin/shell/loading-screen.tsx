// A screen while it is not known what it is about: its heading is what the address says, until the screen itself is there
// and takes the focus.
import { t } from '../text/translate.ts';
import { Loading } from '../ui/states.tsx';
import { useTitle } from './use-title.ts';

export function LoadingScreen({
  heading = t('app.loading'),
  lines = 8,
}: {
  heading?: string | undefined;
  lines?: number;
}) {
  useTitle(heading);
  return (
    <>
      <h1>{heading}</h1>
      <Loading lines={lines} />
    </>
  );
}
