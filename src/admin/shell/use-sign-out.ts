import { toSentence } from '../api/sentence.ts';
import { useAdmin } from './admin.ts';

/** Signs the user out; a failure is shown, and then they are still signed in. */
export function useSignOut(): () => Promise<void> {
  const { session, messages } = useAdmin();
  return async () => {
    try {
      await messages.settle();
      await session.signOut();
    } catch (error) {
      messages.fail(toSentence(error));
    }
  };
}
