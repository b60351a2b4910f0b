// Work of the service that says nothing of how far it is: that it goes on, and since when.
import { useEffect, useState } from 'preact/hooks';
import { t } from '../text/translate.ts';

const TICK_MS = 1000;

export function Working({ text }: { text: string }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="working">
      <progress aria-label={text} />
      <span role="status">{text}</span>
      {seconds > 0 && (
        <span class="help" aria-hidden="true">
          {t('working.seconds', { count: seconds })}
        </span>
      )}
    </div>
  );
}
